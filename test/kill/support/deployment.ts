import { hostname } from 'node:os';
import { anotherAccount } from '../../support/process/accounts';
import { Client } from '../../support/process/client';
import type { Platform } from '../../support/process/platform';
import { KEY, until } from '../../support/process/service';
import { TcpProxy } from '../../support/tcp-proxy';
import { embeddedStore, KillableService, pause } from '../processes';
import { freePort } from '../../support/free-port';
import { PostgresServer } from './postgres-server';
import { RedisServer } from './redis-server';

/** Messages per second of each sender. */
const PACE = 60;

type Role = 'api' | 'worker';

/** The setup of the service. */
export interface DeploymentOptions {
  platform: Platform;
  apis?: number;
  workers?: number;
  env?: Record<string, string>;
  /** Additional settings of the nth process of a role. */
  envOf?: (role: Role, n: number) => Record<string, string>;
  /** The platform reports to the first API. */
  reports?: boolean;
  /** Redis is unavailable when the service starts. */
  withoutRedis?: boolean;
  /** Where each worker reaches the platform, if not directly. */
  workerProxyUrls?: readonly string[];
  /** Each process reaches PostgreSQL and Redis through its own proxies. */
  ownLinks?: boolean;
  /** The build of all processes; absent: this tree's. */
  dist?: string;
}

/** Claimed attempts whose answer is not recorded. */
interface ClaimedRow {
  claimed: number;
}

/**
 * The service as deployed in production: one process per role, with a PostgreSQL and a Redis that may be killed. The
 * address of an API does not change.
 */
export class Deployment {
  private probes = 0;

  private constructor(
    readonly postgres: PostgresServer,
    readonly redis: RedisServer,
    readonly apis: readonly KillableService[],
    /** The address of each API, running or not. */
    private readonly urls: readonly string[],
    readonly workers: readonly KillableService[],
    /** The proxies to PostgreSQL and to Redis of each process, with `ownLinks`. */
    readonly links: ReadonlyMap<KillableService, readonly [TcpProxy, TcpProxy]>,
  ) {}

  /** Starts everything together and waits until it is ready. */
  static async start(options: DeploymentOptions): Promise<Deployment> {
    const { platform, apis = 1, workers = 3, workerProxyUrls = [] } = options;
    const redis = await RedisServer.prepare();
    const postgres = await PostgresServer.start();
    const links = new Map<KillableService, readonly [TcpProxy, TcpProxy]>();
    const newService = async (role: Role, n: number, platformUrl: string, more: Record<string, string> = {}) => {
      const own = [postgres.url, redis.url].map((url) => new TcpProxy(new URL(url))) as [TcpProxy, TcpProxy];
      const urls = options.ownLinks ? await Promise.all(own.map((link) => link.open())) : [postgres.url, redis.url];
      const store = { ...(await embeddedStore()), databaseUrl: urls[0]! };
      const env = { ROLE: role, REDIS_URL: urls[1]!, MESSAGES_PER_SECOND: String(PACE), ...options.env };
      const made = new KillableService({ store, platformUrl, env: { ...env, ...options.envOf?.(role, n), ...more } });
      if (options.ownLinks) links.set(made, own);
      return made;
    };
    const ports = await Promise.all(Array.from({ length: apis }, freePort));
    const urls = ports.map((port) => `http://127.0.0.1:${port}`);
    const address = (n: number): Record<string, string> => ({
      PORT: String(ports[n]),
      ...(options.reports && n === 0 && { PUBLIC_URL: urls[0] }),
    });
    const deployment = new Deployment(
      postgres,
      redis,
      await Promise.all(urls.map((_, n) => newService('api', n, platform.url, address(n)))),
      urls,
      await Promise.all(
        Array.from({ length: workers }, (_, n) => newService('worker', n, workerProxyUrls[n] ?? platform.url)),
      ),
      links,
    );
    try {
      if (!options.withoutRedis) await redis.start();
      const starts = await Promise.allSettled(deployment.all.map((one) => one.start(options.dist)));
      for (const start of starts) if (start.status === 'rejected') throw start.reason as Error;
    } catch (error) {
      await deployment.close();
      throw error;
    }
    return deployment;
  }

  get all(): KillableService[] {
    return [...this.apis, ...this.workers];
  }

  /** A client of the first running API, or of the given one. */
  client(api = 0): Client {
    return new Client({ api: `${this.urls[api]}/api/v1/messaging` });
  }

  /** The keys of the first account and of `others` new ones, each with its own sender at this pace. */
  async keys(others: number, messagesPerSecond = PACE): Promise<string[]> {
    const keys = [KEY];
    for (let n = 0; n < others; n++) {
      const { key } = await anotherAccount(this.client(), { messagesPerSecond });
      keys.push(key);
    }
    return keys;
  }

  /** Waits until the platform reports on an account's messages: subscriptions follow some seconds after the creation. */
  async reported(key: string): Promise<void> {
    const isReported = async () => {
      const to = `4917${10_002_000 + this.probes++}`;
      const { body } = await this.client().post('/send-template', { to, templateName: 'hello_world' }, { key });
      await pause(500);
      const delivered = `SELECT 1 FROM messages WHERE id = $1 AND status IN ('Delivered', 'Read')`;
      return (await this.postgres.rows(delivered, [body.messageId])).length > 0;
    };
    await until(isReported, 20_000, 'the platform reports on the account');
  }

  /** The worker that owns the lane of the first account's sender; null without an owner. */
  async owner(): Promise<KillableService | null> {
    const [lane] = await this.postgres.rows<{ owner: string | null }>(
      `SELECT owner FROM sender_lanes WHERE lease_until > clock_timestamp() ORDER BY sender_id LIMIT 1`,
    );
    return this.workers.find((one) => one.alive && lane?.owner?.startsWith(ownerOf(one.running.pid))) ?? null;
  }

  /** The number of claimed and unanswered attempts, of one process's lanes or of all; always includes all single sends. */
  async claimed(pid?: number): Promise<number> {
    const [row] = await this.postgres.rows<ClaimedRow>(
      `SELECT (
         SELECT count(*) FROM job_recipients r JOIN bulk_jobs j ON j.id = r.job_id
         JOIN sender_lanes l ON l.sender_id = j.sender_id
         WHERE j.completed_at IS NULL AND r.outcome IS NULL AND r.retry_at IS NULL
           AND (r.position < j.cursor OR r.sending_epoch IS NOT NULL) AND starts_with(COALESCE(l.owner, ''), $1)
       )::int + (SELECT count(*) FROM single_sends WHERE outcome IS NULL AND retry_at IS NULL)::int AS claimed`,
      [pid === undefined ? '' : ownerOf(pid)],
    );
    return row!.claimed;
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((one) => one.stop()));
    await Promise.all(this.all.map((one) => one.drop()));
    for (const pair of this.links.values()) for (const link of pair) link.close();
    await this.redis.close();
    await this.postgres.close();
  }
}

/** The owner name of a process in the lanes. */
function ownerOf(pid: number): string {
  return `${hostname()}-${pid}-`;
}
