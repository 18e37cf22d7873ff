import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { listAccounts, listAccountSenders } from '../../libs/client/generated/sdk.gen';
import type { BulkJobDetailDto } from '../../libs/client/generated/types.gen';
import { freePort } from '../support/free-port';
import { PostgresServer } from '../kill/support/postgres-server';
import { RedisServer } from '../kill/support/redis-server';
import { documentedCode } from '../support/documented-code';
import { detailOf, newPhones, sendTo } from '../support/process/bulk';
import { Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import {
  KEY,
  newStore,
  outcomeOf,
  type Service,
  spawnService,
  startService,
  type Store,
} from '../support/process/service';
import { WebhookReceiver } from '../support/webhook-receiver';
import { SmallDisk } from './small-disk';

const run = promisify(execFile);
const EXIT_MS = 30_000;
/** An embedded database needs 60 MB, and 128 MB of its log as it grows. */
const SMALL_DISK_MB = 256;

interface Readiness {
  checks: { name: string; ok: boolean; reason?: string }[];
}

/** PostgreSQL and Redis as an operator runs them; without them, the scene has the embedded database. */
interface Servers {
  postgres: PostgresServer;
  redis: RedisServer;
}

/** A running service with the sandbox as its platform, in which an incident is planted. */
export class Scene {
  /** The job that clients complain about. */
  job = '';
  /** Further ids that commands of the runbook need. */
  readonly ids: Record<string, string> = {};
  service: Service;
  /** What a service that has exited has logged; empty: it runs. */
  lastOutput = '';
  private readonly phones = newPhones();
  /** The client's server. */
  receiver: WebhookReceiver | null = null;

  private constructor(
    readonly platform: Platform,
    private readonly store: Store,
    private readonly env: Record<string, string>,
    private readonly servers: Servers | null,
    readonly disk: SmallDisk | null,
    private readonly started: Started,
  ) {}

  /**
   * `onServers`: with a PostgreSQL and a Redis server of its own, which must be installed; `onSmallDisk`: with its database on a small
   * disk; `settings`: further ones of the service. Stops what it has started if it fails.
   */
  static async open(
    wanted: { onServers?: boolean; onSmallDisk?: boolean; settings?: Record<string, string> } = {},
  ): Promise<Scene> {
    const started = new Started();
    return Scene.openWith(started, wanted).catch(async (error: unknown) => {
      await started.stop();
      throw error;
    });
  }

  private static async openWith(
    started: Started,
    { onServers = false, onSmallDisk = false, settings = {} }: Parameters<typeof Scene.open>[0] & object,
  ): Promise<Scene> {
    const disk = onSmallDisk ? await SmallDisk.mount(SMALL_DISK_MB) : null;
    if (disk) started.add(() => disk.close());
    const servers = onServers ? await startServers(started) : null;
    const isEmbedded = disk !== null && servers === null;
    const store = isEmbedded ? await newStore('', disk.folder) : await newStore(servers?.postgres.url);
    started.add(() => store.drop());
    if (disk && servers) await servers.postgres.moveTo(disk.folder, store.databaseUrl!);
    const platform = await Platform.spawn({ statusDelayMs: 100 });
    started.add(() => platform.close());
    const port = await freePort();
    const env = {
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      MESSAGES_PER_SECOND: '40',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ...(servers && { REDIS_URL: servers.redis.url }),
      ...settings,
    };
    const scene = new Scene(platform, store, env, servers, disk, started);
    await scene.start();
    await platform.subscribed();
    const messaging = scene.client.messaging();
    const account = (await messaging.call(listAccounts, {})).items[0]!.id;
    const senders = await messaging.call(listAccountSenders, { path: { accountId: account } });
    Object.assign(scene.ids, { ACCOUNT: account, SENDER: senders.items[0]!.id! });
    return scene;
  }

  get client(): Client {
    return new Client(this.service);
  }

  get redis(): RedisServer {
    return this.servers!.redis;
  }

  get databaseUrl(): string {
    return this.store.databaseUrl!;
  }

  /** Where its own servers and its disk are. */
  get addresses(): Record<string, string> {
    return {
      ...(this.servers && { DATABASE_URL: this.databaseUrl, REDIS_URL: this.redis.url }),
      ...(this.disk && { DISK: this.disk.folder }),
    };
  }

  /** Runs statements of an engineer; returns the rows as text. */
  async sql(statements: string): Promise<string> {
    return (await run('psql', ['-XAt', '-d', this.databaseUrl, '-c', statements])).stdout;
  }

  /** A client sends a list; its job is the one to look at. */
  async send(recipients: number, fields: Parameters<typeof sendTo>[2] = {}): Promise<void> {
    this.job = await sendTo(this.client, this.phones(recipients), fields);
  }

  /** A client's server that receives all events of the account. */
  async subscribe(): Promise<WebhookReceiver> {
    const receiver = await new WebhookReceiver().start();
    this.started.add(() => receiver.close());
    this.receiver = receiver;
    const { body } = await this.client.post('/webhook-endpoints', { url: receiver.url, events: ['message.sent'] });
    this.ids.ENDPOINT = (body as { id: string }).id;
    return receiver;
  }

  /** Changes the sender of the account. */
  async changeSender(body: object): Promise<void> {
    const { ACCOUNT, SENDER } = this.ids;
    const { status } = await this.client.call('PATCH', `/accounts/${ACCOUNT}/senders/${SENDER}`, { body });
    if (status !== 200) throw new Error(`The sender was not changed: ${status}`);
  }

  detail(): Promise<BulkJobDetailDto> {
    return detailOf(this.client, this.job);
  }

  /** Another service, which the platform reports to from now on instead. */
  async stealReports(): Promise<void> {
    const other = createServer(({ url }, response) => {
      response.end(new URL(url!, 'http://other').searchParams.get('hub.challenge'));
    });
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    this.started.add(() => new Promise((done) => other.close(done).closeAllConnections()));
    await this.platform.reportTo(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
  }

  /** Whether this check of /health/ready fails, with a reason that contains `reason`. */
  async fails(check: string, reason = ''): Promise<boolean> {
    const { checks } = (await (await fetch(`${this.service.url}/health/ready`)).json()) as Readiness;
    return checks.some((one) => one.name === check && !one.ok && (one.reason ?? '').includes(reason));
  }

  /** The sum of a counter of /metrics. */
  async counter(name: string): Promise<number> {
    const text = await (await fetch(`${this.service.url}/metrics`)).text();
    const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))];
    return values.reduce((sum, [, value]) => sum + Number(value), 0);
  }

  /** Starts the service, with further settings. */
  async start(env: Record<string, string> = {}): Promise<void> {
    const service = await startService(this.options(env));
    this.started.add(() => service.stop());
    this.service = service;
  }

  /** Restarts the service with its first settings, and these. */
  async restart(env: Record<string, string> = {}): Promise<void> {
    await this.service.stop();
    await this.start(env);
  }

  /** Starts a service that exits at its start. */
  async startInVain(env: Record<string, string>): Promise<void> {
    this.lastOutput = (await outcomeOf(spawnService(this.store, this.options(env)), EXIT_MS)).output;
  }

  /** Runs the first commands in `language` of a section of docs/runbook.md as written, unless `changed` edits them. */
  async runbook(
    section: string,
    variables: Record<string, string> = {},
    { changed = (code: string) => code, language = 'sh' } = {},
  ): Promise<string> {
    const found = documentedCode('runbook.md', language).find((block) => block.section === section);
    if (!found) throw new Error(`docs/runbook.md has no commands in ${language} in the section "${section}"`);
    const code = changed(found.code);
    if (language === 'sql') return this.sql(code);
    const { url, api } = this.service;
    const metrics = `${url}/metrics`;
    const known = { PATH: process.env.PATH, URL: url, METRICS: metrics, EVERY: metrics, API: api, KEY, JOB: this.job };
    const env = { ...known, ...this.ids, ...variables };
    return (await run('bash', ['-euo', 'pipefail', '-c', code], { env })).stdout;
  }

  close(): Promise<void> {
    return this.started.stop();
  }

  private options(env: Record<string, string>) {
    return { store: this.store, platformUrl: this.platform.url, env: { ...this.env, ...env } };
  }
}

async function startServers(started: Started): Promise<Servers> {
  const redis = await RedisServer.prepare();
  started.add(() => redis.close());
  await redis.start();
  const postgres = await PostgresServer.start();
  started.add(() => postgres.close());
  return { redis, postgres };
}

/** What was started, in order. */
class Started {
  private readonly ends: (() => Promise<unknown>)[] = [];

  add(end: () => Promise<unknown>): void {
    this.ends.push(end);
  }

  /** Stops everything, the latest first; throws the first failure at the end. */
  async stop(): Promise<void> {
    const failures: unknown[] = [];
    for (const end of this.ends.splice(0).reverse()) await end().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }
}
