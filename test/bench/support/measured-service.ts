import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client } from '../../support/process/client';
import { freshDatabase } from '../../support/process/databases';
import { KEY, type Store, until } from '../../support/process/service';

const ROOT = resolve(__dirname, '../../..');
const START_MS = 60_000;

/** A service as shipped, in its own process with its log in a file, so that reading it takes no time. */
export interface MeasuredService {
  url: string;
  client: Client;
  pid: number;
  /** Milliseconds from the start of the process to the first 200 of /health/ready. */
  startMs: number;
  /** Peak memory of the process so far, in MB. */
  peakMegabytes(): number;
  /** Processor time of the process so far, in seconds. */
  cpuSeconds(): number;
  /** 99th percentile of the event loop's delay since the last call, in ms. */
  loopDelayMs(): Promise<number>;
  /** Stops it like an operator. */
  stop(): Promise<void>;
  /** Kills it, like a power cut. */
  kill(): Promise<void>;
}

/** A data directory for the embedded database. */
export async function embeddedStore(folder: string): Promise<Store> {
  const own = await mkdtemp(join(folder, 'store-'));
  return { dataDir: join(own, 'data'), drop: () => rm(own, { recursive: true, force: true }) };
}

/** A new database on the server of `postgresUrl`. */
export async function postgresStore(folder: string, postgresUrl: string): Promise<Store & { databaseUrl: string }> {
  const embedded = await embeddedStore(folder);
  const database = await freshDatabase(postgresUrl);
  return {
    dataDir: embedded.dataDir,
    databaseUrl: database.url,
    async drop() {
      await database.drop();
      await embedded.drop();
    },
  };
}

/** Starts the built service on a store and waits until it is ready. */
export async function startMeasured(
  store: Store,
  env: Record<string, string> = {},
  nodeOptions = '',
): Promise<MeasuredService> {
  const logFile = `${store.dataDir}.${Date.now().toString(36)}.log`;
  const log = openSync(logFile, 'w');
  const begun = performance.now();
  const preload = join(ROOT, 'test/bench/support/event-loop-delay.cjs');
  const child = spawn(process.execPath, [join(ROOT, 'dist/src/main.js')], {
    stdio: ['ignore', log, log],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: process.env.TMPDIR ?? '/tmp',
      NODE_OPTIONS: `-r ${preload} ${nodeOptions}`,
      PORT: '0',
      DATA_DIR: store.dataDir,
      BOOTSTRAP_API_KEY: KEY,
      ...(store.databaseUrl && {
        DATABASE_URL: store.databaseUrl,
        ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      }),
      ...env,
    },
  });
  const url = await addressIn(logFile, child);
  await until(async () => (await fetch(`${url}/health/ready`)).ok, START_MS, 'the service is ready');
  const startMs = performance.now() - begun;
  const pid = child.pid!;
  return {
    url,
    client: new Client({ api: `${url}/api/v1/messaging` }),
    pid,
    startMs,
    peakMegabytes: () => peakMegabytes(pid),
    cpuSeconds: () => cpuSeconds(pid),
    loopDelayMs: () => loopDelay(pid, logFile),
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

/** Peak memory of a process so far, in MB, as counted by Linux. */
function peakMegabytes(pid: number | 'self'): number {
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

/** User and system time as counted by Linux, in ticks of 10 ms. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function addressIn(logFile: string, child: ChildProcess): Promise<string> {
  let url: string | undefined;
  const look = async (): Promise<boolean> => {
    url = /Listens on (http:\/\/[^ "]+) as/.exec(await readFile(logFile, 'utf8'))?.[1];
    return url !== undefined || child.exitCode !== null;
  };
  await until(look, START_MS, `the service listens (its log: ${logFile})`);
  if (url === undefined) throw new Error(`The service ended:\n${await readFile(logFile, 'utf8')}`);
  return url;
}

async function loopDelay(pid: number, logFile: string): Promise<number> {
  const lines = async () => (await readFile(logFile, 'utf8')).match(/^event-loop-delay .*$/gm) ?? [];
  const before = (await lines()).length;
  process.kill(pid, 'SIGUSR2');
  await until(async () => (await lines()).length > before, 10_000, 'the service reports the delay of its event loop');
  const last = (await lines()).at(-1)!;
  return (JSON.parse(last.slice(last.indexOf('{'))) as { p99: number }).p99;
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => {
    child.once('close', () => done());
    child.kill(signal);
  });
}
