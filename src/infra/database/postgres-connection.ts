import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { RETRY_EVERY_MS, ConnectionGate, reasonOf } from './connection-gate';
import { isPermanentRefusal } from './transient-error';
import { WatchedClient } from './watched-client';

const CONNECT_RETRY_MS = 15_000;

/** A frozen or slow process must not lock a row for long; statements that need more time set their own limit. */
const SESSION_SETTINGS = {
  idle_in_transaction_session_timeout: '3s',
  lock_timeout: '4s',
  statement_timeout: '10s',
  tcp_user_timeout: '5s',
  // Claimed messages may have been sent: their commit must be durable, whatever the server's configuration.
  synchronous_commit: 'on',
  // After waiting for a lock, the next statement must see the changes of the other transaction.
  default_transaction_isolation: 'read committed',
  // Frequently read pages are in memory.
  random_page_cost: '1.1',
  // The plan of a prepared statement stays while its table grows from empty to millions of rows: one made for a small table must not
  // scan it. Without a suitable index the table is still scanned.
  enable_seqscan: 'off',
  // For such a scan the planner would compile code, which takes longer than the statement.
  jit: 'off',
};

/**
 * Sets the limits of a session. By statement, since PgBouncer refuses startup parameters that it does not know.
 */
export const SESSION_SETUP = Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `SET ${name} = '${value}'`)
  .join('; ');

/** Longer than any of these limits: after that a silent server is considered lost. */
const SILENCE_MS = 15_000;

/** PostgreSQL cannot be reached or refuses access; `message` names the setting and the server, never the password. */
export class DatabaseUnreachableError extends Error {
  constructor(url: string, cause: unknown) {
    super(`DATABASE_URL: cannot connect to ${serverOf(url)}: ${reasonOf(cause)}`, { cause });
    this.name = new.target.name;
  }
}

/** Connections share a server session, and therefore limits, locks and prepared statements. */
class SharedSessionError extends Error {
  constructor(url: string) {
    super(
      `DATABASE_URL: ${serverOf(url)} shares one session between two connections, as PgBouncer does with pool_mode = transaction ` +
        'or statement. Set pool_mode = session, or connect to PostgreSQL directly.',
    );
    this.name = new.target.name;
  }
}

/** TypeORM and pool options for the PostgreSQL of `url`. */
export function postgresOptions(url: string, poolSize?: number) {
  const logger = new Logger('Postgres');
  return {
    type: 'postgres',
    url,
    poolSize,
    applicationName: 'messaging-template-api',
    connectTimeoutMS: 5_000,
    poolErrorHandler: (error: unknown) => logger.warn(`A connection to the database was lost: ${reasonOf(error)}`),
    extra: {
      Client: WatchedClient,
      gate: new ConnectionGate(),
      sessionSetup: SESSION_SETUP,
      silenceMs: SILENCE_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    },
  } as const;
}

/**
 * Connects, retrying for 15 s while the server is unavailable or starting; then rejects with DatabaseUnreachableError. Rejects
 * immediately if the server refuses access permanently (password, database name).
 */
export async function connectToPostgres(
  url: string,
  source: DataSource,
  retryMs: number = CONNECT_RETRY_MS,
): Promise<DataSource> {
  const deadline = performance.now() + retryMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await source.initialize();
    } catch (error) {
      const unreachable = new DatabaseUnreachableError(url, error);
      if (isPermanentRefusal(error) || performance.now() + RETRY_EVERY_MS > deadline) throw unreachable;
      if (attempt === 1) new Logger('Postgres').warn(`${unreachable.message}; retrying`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_EVERY_MS));
    }
  }
}

/** Rejects with SharedSessionError if a connection pooler assigns sessions per transaction. */
export async function rejectSharedSessions(url: string, source: DataSource): Promise<void> {
  const runners = [source.createQueryRunner(), source.createQueryRunner()];
  try {
    const sessions = new Set<number>();
    for (const runner of runners) {
      const [row] = (await runner.query('SELECT pg_backend_pid() AS pid')) as { pid: number }[];
      sessions.add(row!.pid);
    }
    if (sessions.size < runners.length) throw new SharedSessionError(url);
  } finally {
    for (const runner of runners) await runner.release();
  }
}

function serverOf(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  const host = url.searchParams.get('host') ?? (decodeURIComponent(url.hostname) || 'localhost');
  const user = url.username ? ` as user "${decodeURIComponent(url.username)}"` : '';
  return `PostgreSQL at ${host}:${url.port || 5432}, database "${decodeURIComponent(url.pathname.slice(1))}"${user}`;
}
