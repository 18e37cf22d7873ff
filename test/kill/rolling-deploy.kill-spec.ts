import { doubled, newPhones, sendTo } from '../support/process/bulk';
import { Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import { KEY, newStore, until } from '../support/process/service';
import { KillableService, pause } from './processes';
import { NameServer } from './support/name-server';
import { Nginx } from './support/nginx';
import { freePort } from '../support/free-port';

const ADDRESSES = ['127.0.0.2', '127.0.0.3'];
const CLIENTS = 6;
const PACE = 60;

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
  let drop: () => Promise<void>;
  let apis: KillableService[];
  let worker: KillableService;
  let names: NameServer;
  let nginx: Nginx;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.spawn();
    const store = await newStore();
    drop = () => store.drop();
    const apiPort = await freePort();
    // As Docker's: it lists every process, ready or not.
    names = await NameServer.start(() => ADDRESSES);
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
    await Promise.all([...apis, worker].map((one) => one.start()));
  });

  afterAll(async () => {
    await Promise.all([...(apis ?? []), worker].map((one) => one?.stop()));
    await nginx?.close();
    names?.close();
    await platform?.close();
    await drop?.();
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
        await attempt('GET /me', [200], () => client.get('/me'));
        load.reads++;
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

  it('fails no request, sends nothing twice, and lets event streams reconnect', async () => {
    const recipients = phones(PACE * 15);
    const jobId = await sendTo(client, recipients);
    const followed = client.messaging().waitForJob(jobId);
    const load = await loadDuring(async () => {
      await pause(1000);
      for (const api of apis) {
        expect(await api.stop()).toBe(0);
        await pause(1000);
        await api.start();
        await pause(1000);
      }
    });
    process.stdout.write(`${load.reads} reads, ${load.sends} sends, ${load.streams} event streams\n`);
    expect(load.failed).toEqual([]);
    expect(load.sends).toBeGreaterThan(30);
    expect(load.streams).toBeGreaterThan(1);
    expect((await followed).status).toBe('Completed');
    // Sends answered with 202 are still on their way.
    const wanted = load.sends + recipients.length;
    await until(async () => (await platform.accepted()).length >= wanted, 30_000, `${wanted} messages are accepted`);
    const accepted = await platform.accepted();
    expect(accepted.length).toBe(wanted);
    expect(doubled(accepted)).toEqual([]);
  });
});
