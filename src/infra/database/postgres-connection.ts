import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { WatchedClient } from './watched-client';

const DEFAULT_POOL_SIZE = 20;
const PATIENCE_MS = 15_000;
const RETRY_MS = 500;

/** A frozen or slow process may not hold a row for long; what needs more time sets its own limit. */
const SESSION_SETTINGS = {
  idle_in_transaction_session_timeout: '3s',
  lock_timeout: '4s',
  statement_timeout: '10s',
  tcp_user_timeout: '5s',
  // What was claimed may have been sent: the server must not forget it, however else it is set up.
  synchronous_commit: 'on',
  // After a wait for a lock the next statement sees what was waited for.
  default_transaction_isolation: 'read committed',
};

/** Longer than any of these: then nobody is there any more. */
const SILENCE_MS = 15_000;

/** Answers of a server that is starting, stopping or full: they pass. Every other answer of a server stays as it is. */
const PASSING_SQLSTATES = ['57P01', '57P02', '57P03', '53300'];

/** PostgreSQL did not let us in; `message` names the setting and the server, never the password. */
export class DatabaseUnreachableError extends Error {
  constructor(url: string, cause: unknown) {
    super(`DATABASE_URL: cannot connect to ${serverOf(url)}: ${reasonOf(cause)}`, { cause });
    this.name = new.target.name;
  }
}

/** How TypeORM and its pool reach the PostgreSQL of `url`. */
export function postgresOptions(url: string, poolSize: number = DEFAULT_POOL_SIZE) {
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
      silenceMs: SILENCE_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      options: Object.entries(SESSION_SETTINGS)
        .map(([name, value]) => `-c ${name}=${value.replace(' ', '\\ ')}`)
        .join(' '),
    },
  } as const;
}

/**
 * Connects, and asks again for 15 s while the server is away or starting; rejects with DatabaseUnreachableError then,
 * and at once when the server answers that it will not have us (password, name of the database).
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
      if (!mayPass(error) || performance.now() + RETRY_MS > deadline) throw unreachable;
      if (attempt === 1) new Logger('Postgres').warn(`${unreachable.message}; trying again`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

function mayPass(error: unknown): boolean {
  const code = codeOf(error);
  const isSqlState = code !== undefined && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code);
  return !isSqlState || PASSING_SQLSTATES.includes(code);
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** What went wrong in words: Node gives an empty message where several addresses of one host failed. */
function reasonOf(error: unknown): string {
  const { message, errors } = error as { message?: string; errors?: unknown[] };
  return errors?.[0] ? reasonOf(errors[0]) : message || codeOf(error) || String(error);
}

function serverOf(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  const host = url.searchParams.get('host') ?? (decodeURIComponent(url.hostname) || 'localhost');
  const user = url.username ? ` as user "${decodeURIComponent(url.username)}"` : '';
  return `PostgreSQL at ${host}:${url.port || 5432}, database "${decodeURIComponent(url.pathname.slice(1))}"${user}`;
}
