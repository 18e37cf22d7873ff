import { rm } from 'node:fs/promises';
import { version } from '../../package.json';
import { doubled, newPhones, sendTo } from '../support/process/bulk';
import { Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import { emptyStore, KEY, outcomeOf, spawnService, type Store, until } from '../support/process/service';
import { unpack, versionBefore } from '../support/releases/packs';
import { KillableService, pause } from './processes';
import { NameServer } from './support/name-server';
import { Nginx } from './support/nginx';
import { freePort } from '../support/free-port';

const ADDRESSES = ['127.0.0.2', '127.0.0.3'];
const CLIENTS = 6;
const READ = ['/me', '/messages?limit=10', '/bulk-jobs?pageSize=10'];
const PACE = 60;
const MIGRATE_MS = 60_000;
/** nginx looks up the names every 2 s. */
const LOOK_UP_MS = 2500;

/** What clients saw. */
interface Load {
  reads: number;
  sends: number;
  streams: number;
  /** Statuses and errors of requests that failed. */
  failed: string[];
}

describe('Two API processes behind nginx, replaced one after the other', () => {
  const phones = newPhones();
  let platform: Platform;
  let store: Store;
  let apis: KillableService[];
  let worker: KillableService;
  /** The processes that nginx knows of, ready or not. */
  let listed: string[];
  let names: NameServer;
  let nginx: Nginx;
  let client: Client;

  beforeEach(async () => {
    platform = await Platform.spawn();
    store = await emptyStore();
    const apiPort = await freePort();
    listed = ADDRESSES;
    names = await NameServer.start(() => listed);
    nginx = await Nginx.start({ nameServerPort: names.port, apiPort });
    client = new Client({ api: `${nginx.url}/api/v1/messaging` });
    const env = {
      PUBLIC_URL: nginx.url,
      TRUSTED_PROXIES: '127.0.0.1',
      MESSAGES_PER_SECOND: String(PACE),
      SHUTDOWN_DELAY_SECONDS: '1',
    };
    const service = (more: Record<string, string>) =>
      new KillableService({ store, platformUrl: platform.url, env: { ...env, ...more } });
    apis = ADDRESSES.map((HOST) => service({ ROLE: 'api', HOST, PORT: String(apiPort) }));
    worker = service({ ROLE: 'worker', SHUTDOWN_DELAY_SECONDS: '0' });
  });

  afterEach(async () => {
    await Promise.all([...(apis ?? []), worker].map((one) => one?.stop()));
    await nginx?.close();
    names?.close();
    await platform?.close();
    await store?.drop();
  });

  /** Reads, sends and follows events through nginx until `work` ends, without retrying anything. */
  async function loadDuring(work: () => Promise<void>): Promise<Load> {
    const load: Load = { reads: 0, sends: 0, streams: 0, failed: [] };
    let isOver = false;
    const attempt = async (what: string, expected: number[], call: () => Promise<{ status: number }>) => {
      const status = await call().then(
        (answer) => answer.status,
        (error: Error) => `${error.message}: ${(error.cause as Error | undefined)?.message}`,
      );
      if (!expected.includes(Number(status))) load.failed.push(`${what}: ${status}`);
    };
    const use = async () => {
      while (!isOver) {
        for (const path of READ) await attempt(`GET ${path}`, [200], () => client.get(path));
        load.reads += READ.length;
        const body = { to: phones(1)[0], templateName: 'hello_world' };
        await attempt('POST /send-template', [201, 202], () => client.post('/send-template', body));
        load.sends++;
        await pause(30);
      }
    };
    const ending = new AbortController();
    const follow = async () => {
      while (!isOver) {
        await attempt('GET /events', [200], async () => {
          const headers = { 'x-api-key': KEY };
          const response = await fetch(`${nginx.url}/api/v1/messaging/events`, { headers, signal: ending.signal });
          load.streams++;
          await response.text().catch((error: Error) => {
            if (!isOver) throw error;
          });
          return response;
        });
      }
    };
    const clients = [...Array.from({ length: CLIENTS }, use), follow()];
    await work();
    isOver = true;
    ending.abort();
    await Promise.all(clients);
    return load;
  }

  /** Starts all processes of a build, replaces them during a job with those of this tree, and expects that clients see nothing of it. */
  async function roll(before: string | undefined, replace: () => Promise<void>): Promise<void> {
    await Promise.all([...apis, worker].map((one) => one.start(before)));
    const recipients = phones(PACE * 15);
    const jobId = await sendTo(client, recipients);
    const followed = client.messaging().waitForJob(jobId);
    const load = await loadDuring(replace);
    expect((await followed).status).toBe('Completed');
    process.stdout.write(`${load.reads} reads, ${load.sends} sends, ${load.streams} event streams\n`);
    expect(load.failed).toEqual([]);
    expect(load.sends).toBeGreaterThan(30);
    expect(load.streams).toBeGreaterThan(1);
    // Sends answered with 202 are still on their way.
    const wanted = load.sends + recipients.length;
    await until(async () => (await platform.accepted()).length >= wanted, 30_000, `${wanted} messages are accepted`);
    const accepted = await platform.accepted();
    expect(accepted.length).toBe(wanted);
    expect(doubled(accepted)).toEqual([]);
  }

  async function replaceApis(retire: (address: string) => Promise<void>): Promise<void> {
    await pause(1000);
    for (const [n, api] of apis.entries()) {
      await retire(ADDRESSES[n]!);
      expect(await api.stop()).toBe(0);
      await pause(1000);
      await api.start();
      listed = ADDRESSES;
      await pause(1000);
    }
  }

  // Docker's name server lists a container until it has ended.
  it('fails no request, sends nothing twice, and lets event streams reconnect', () =>
    roll(undefined, () => replaceApis(() => Promise.resolve())));

  it(`does so from version ${versionBefore()} to this one (${version}), whose tables are migrated beside it`, async () => {
    const before = unpack(versionBefore());
    const versions = async () => {
      const live = apis.map(({ running }) => fetch(`${running.url}/health/live`).then((one) => one.json()));
      return (await Promise.all(live)).map((one) => (one as { version?: string }).version);
    };
    try {
      await roll(before, async () => {
        expect(await versions()).not.toContain(version);
        const migration = spawnService(store, { program: 'migrate', platformUrl: platform.url });
        expect(await outcomeOf(migration, MIGRATE_MS)).toMatchObject({ code: 0 });
        // Version 0.1 refuses what still reaches it as its delay ends (docs/upgrading.md).
        await replaceApis(async (address) => {
          listed = ADDRESSES.filter((one) => one !== address);
          await pause(LOOK_UP_MS);
        });
        expect(await worker.stop()).toBe(0);
        await worker.start();
        expect(await versions()).toEqual([version, version]);
      });
    } finally {
      await rm(before, { recursive: true, force: true });
    }
  });
});
