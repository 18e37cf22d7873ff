import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { SANDBOX_CREDENTIALS } from '../../../libs/platform-sandbox/credentials';
import { copyFolder } from '../copied-folder';
import { freshDatabase, type OwnDatabase, preparedDatabase } from './databases';

/** First key of every service under test: all scopes, plan Enterprise. */
export const KEY = 'e2e-bootstrap-key-0123456789abcdef';
/** Of a service on PostgreSQL. */
export const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
const DIST = resolve(__dirname, '../../../dist');
const SHORT_LIVED_THREADS = join(__dirname, 'short-lived-threads.cjs');
const START_MS = 90_000;

/** How a service under test is started. */
export interface ServiceOptions {
  /** The platform to send to; absent: the built-in sandbox. */
  platformUrl?: string;
  env?: Record<string, string>;
  /** A data directory or database of an earlier service; absent: a new one. */
  store?: Store;
  /** Another program of the service, such as `after-restore`, with the same settings. */
  program?: string;
  /** Arguments of that program. */
  args?: readonly string[];
  /** The build to run; absent: this tree's. */
  dist?: string;
}

/** What remains after a service: its data directory, and its external database if any. */
export interface Store {
  dataDir: string;
  databaseUrl?: string;
  drop(): Promise<void>;
}

/** A service in its own process, built as shipped. */
export interface Service {
  url: string;
  /** Base URL for clients. */
  api: string;
  pid: number;
  store: Store;
  /** The lines written so far. */
  log: string[];
  /** Stops it like an operator, and waits; returns the exit code. */
  stop(): Promise<number | null>;
  /** Kills it, like a power cut. */
  kill(): Promise<void>;
}

/** A migrated data directory below `parent`, or a new database on the server at `url`, migrated on DATABASE_URL. */
export async function newStore(url = process.env.DATABASE_URL, parent = tmpdir()): Promise<Store> {
  const store = await storeIn(parent, url ? await preparedDatabase(url) : undefined);
  const prepared = process.env.E2E_PREPARED_DATA_DIR;
  if (!url && prepared) copyFolder(prepared, store.dataDir);
  return store;
}

/** An empty one. */
export async function emptyStore(url = process.env.DATABASE_URL): Promise<Store> {
  return storeIn(tmpdir(), url ? await freshDatabase(url) : undefined);
}

async function storeIn(parent: string, database: OwnDatabase | undefined): Promise<Store> {
  const folder = await mkdtemp(join(parent, 'mta-e2e-'));
  return {
    dataDir: join(folder, 'data'),
    databaseUrl: database?.url,
    async drop() {
      await database?.drop();
      // The asynchronous variant takes twice the processor time for the thousand files of a database.
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a service and waits until it is ready; cleans up after a failed start. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const store = options.store ?? (await newStore());
  const child = spawnService(store, options);
  const log: string[] = [];
  try {
    const url = await listening(child, log);
    await until(async () => (await fetch(`${url}/health/ready`)).ok, START_MS, 'the service is ready');
    return {
      url,
      api: `${url}/api/v1/messaging`,
      pid: child.pid!,
      store,
      log,
      stop: () => end(child, 'SIGTERM'),
      async kill() {
        await end(child, 'SIGKILL');
      },
    };
  } catch (error) {
    await end(child, 'SIGKILL');
    if (!options.store) await store.drop();
    throw error;
  }
}

/** The bare process, for expected start failures and for programs that end. */
export function spawnService(store: Store, options: ServiceOptions = {}): ChildProcess {
  const inherited = ['PATH', 'HOME', 'TMPDIR'].map((name) => [name, process.env[name] ?? '']);
  return spawn(
    process.execPath,
    [
      '-r',
      SHORT_LIVED_THREADS,
      join(options.dist ?? DIST, 'src', `${options.program ? `programs/${options.program}` : 'main'}.js`),
      ...(options.args ?? []),
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...Object.fromEntries(inherited),
        PORT: '0',
        DATA_DIR: store.dataDir,
        BOOTSTRAP_API_KEY: KEY,
        MESSAGES_PER_SECOND: '1000',
        LOG_LEVEL: 'info',
        ...(options.platformUrl && platformSettings(options.platformUrl)),
        ...(store.databaseUrl && {
          DATABASE_URL: store.databaseUrl,
          ENCRYPTION_KEY,
          ...(process.env.REDIS_URL && { REDIS_URL: process.env.REDIS_URL }),
        }),
        ...options.env,
      },
    },
  );
}

/** The settings for an external sandbox. */
export function platformSettings(url: string): Record<string, string> {
  return {
    PLATFORM_API_URL: url,
    PLATFORM_ACCESS_TOKEN: SANDBOX_CREDENTIALS.accessToken,
    PLATFORM_PHONE_NUMBER_ID: SANDBOX_CREDENTIALS.phoneNumberId,
    PLATFORM_BUSINESS_ACCOUNT_ID: SANDBOX_CREDENTIALS.businessAccountId,
    PLATFORM_APP_SECRET: SANDBOX_CREDENTIALS.appSecret,
    PLATFORM_APP_ID: SANDBOX_CREDENTIALS.appId,
    PLATFORM_WEBHOOK_VERIFY_TOKEN: SANDBOX_CREDENTIALS.verifyToken,
  };
}

/** Resolves with the exit code and the output, at the latest after `ms`. */
export async function outcomeOf(child: ChildProcess, ms: number): Promise<{ code: number | null; output: string }> {
  let output = '';
  child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  const code = await new Promise<number | null>((done) => child.once('close', done));
  clearTimeout(timer);
  return { code, output };
}

/** Polls until `check` is true; fails after `ms` with a description of the condition. */
export async function until(check: () => Promise<boolean>, ms: number, what: string): Promise<void> {
  const deadline = Date.now() + ms;
  for (;;) {
    if (await check().catch(() => false)) return;
    if (Date.now() > deadline) throw new Error(`Not within ${ms} ms: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

function listening(child: ChildProcess, log: string[]): Promise<string> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(new Error(`The service did not listen within ${START_MS} ms:\n${log.join('\n')}`));
    }, START_MS);
    child.once('close', (code) => {
      clearTimeout(timer);
      fail(new Error(`The service ended with ${code}:\n${log.join('\n')}`));
    });
    for (const stream of [child.stdout!, child.stderr!]) {
      createInterface({ input: stream }).on('line', (line) => {
        log.push(line);
        const url = /Listens on (http:\/\/[^ ]+) as/.exec(line)?.[1];
        if (!url) return;
        clearTimeout(timer);
        done(url);
      });
    }
  });
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  const closed = new Promise<number | null>((done) => child.once('close', done));
  child.kill(signal);
  return closed;
}
