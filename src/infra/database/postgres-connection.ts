import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { ASK_EVERY_MS, ConnectionGate, reasonOf } from './connection-gate';
import { isFinalAnswer } from './transient-error';
import { WatchedClient } from './watched-client';

const PATIENCE_MS = 15_000;

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
  // What is read often is in memory.
  random_page_cost: '1.1',
  // The plan of a prepared statement stays while its table grows from nothing to millions: a table that was small when it was
  // made must not be read whole from then on. What no index serves is read whole all the same.
  enable_seqscan: 'off',
  // For such a reading the planner would compile code, which takes longer than the statement.
  jit: 'off',
};

/**
 * Sets the limits of a session. By statement, not by startup parameters, of which PgBouncer refuses all
 * that it does not know.
 */
export const SESSION_SETUP = Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `SET ${name} = '${value}'`)
  .join('; ');

/** Longer than any of these limits: a server that is silent for longer is considered lost. */
const SILENCE_MS = 15_000;

/** PostgreSQL cannot be reached or refuses access; `message` names the setting and the server, never the password. */
export class DatabaseUnreachableError extends Error {
  constructor(url: string, cause: unknown) {
    super(`DATABASE_URL: cannot connect to ${serverOf(url)}: ${reasonOf(cause)}`, { cause });
    this.name = new.target.name;
  }
}

/** Connections share a session of the server, so they would share limits, locks and prepared statements. */
class SharedSessionError extends Error {
  constructor(url: string) {
    super(
      `DATABASE_URL: ${serverOf(url)} shares one session between two connections, as PgBouncer does with pool_mode = transaction ` +
        'or statement. Set pool_mode = session, or connect to PostgreSQL directly.',
    );
    this.name = new.target.name;
  }
}

/** The options of TypeORM and its pool for the PostgreSQL of `url`. */
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
 * Connects, retrying for 15 s while the server is unavailable or starting; rejects with DatabaseUnreachableError then,
 * and at once if the server refuses access permanently (password, name of the database).
 */
export async function connectToPostgres(
  url: string,
  source: DataSource,
  patienceMs: number = PATIENCE_MS,
): Promise<DataSource> {
  const deadline = performance.now() + patienceMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await source.initialize();
    } catch (error) {
      const unreachable = new DatabaseUnreachableError(url, error);
      if (isFinalAnswer(error) || performance.now() + ASK_EVERY_MS > deadline) throw unreachable;
      if (attempt === 1) new Logger('Postgres').warn(`${unreachable.message}; retrying`);
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    }
  }
}

/** Rejects with SharedSessionError if a pooler between the service and PostgreSQL assigns sessions per transaction. */
export async function expectOwnSessions(url: string, source: DataSource): Promise<void> {
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
