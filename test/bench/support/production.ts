import type { Store } from '../../support/process/service';
import { platformSettings, until } from '../../support/process/service';
import { type ServerProcess, startSandboxProcess } from './bare-process';
import type { BenchmarkPlace } from './benchmark';
import { heldRate } from './ledger';
import { type MeasuredService, postgresStore, startMeasured } from './measured-service';

const JOB_MS = 240_000;

/** A new database, and the processes that share it over Redis. */
export interface Production {
  store: Store & { databaseUrl: string };
  api: MeasuredService;
  /** Starts a worker. */
  worker(): Promise<MeasuredService>;
  /** Stops the API and drops the database; stop the workers first. */
  stop(): Promise<void>;
}

/** Starts one API process on a new database, on the port of `publicUrl` if given; null without PostgreSQL or Redis. */
export async function startProduction(
  place: BenchmarkPlace,
  env: Record<string, string>,
  publicUrl?: string,
): Promise<Production | null> {
  const { folder, postgresUrl, redisUrl } = place;
  if (!postgresUrl || !redisUrl) return null;
  const store = await postgresStore(folder, postgresUrl);
  const shared = { ...env, REDIS_URL: redisUrl, ...(publicUrl && { PUBLIC_URL: publicUrl }) };
  const port = publicUrl && { PORT: new URL(publicUrl).port };
  const api = await startMeasured(store, { ...shared, ...port, ROLE: 'api' });
  return {
    store,
    api,
    worker: () => startMeasured(store, { ...shared, ROLE: 'worker' }),
    async stop() {
      await api.stop();
      await store.drop();
    },
  };
}

/**
 * Runs `work` with a separate sandbox with these settings, and an API process whose sender has this pace; null without
 * PostgreSQL or Redis.
 */
export async function inProduction<Result>(
  place: BenchmarkPlace,
  settings: { platform: object; pace: number; env?: Record<string, string>; publicUrl?: string },
  work: (production: Production, sandbox: ServerProcess) => Promise<Result>,
): Promise<Result | null> {
  const { platform, pace, env: more, publicUrl } = settings;
  const sandbox = await startSandboxProcess(platform);
  try {
    const env = { ...platformSettings(sandbox.url), MESSAGES_PER_SECOND: String(pace), ...more };
    const production = await startProduction(place, env, publicUrl);
    if (!production) return null;
    try {
      return await work(production, sandbox);
    } finally {
      await production.stop();
    }
  } finally {
    await sandbox.stop();
  }
}

/** Messages a second that a new worker sends, over `seconds`, once its lanes are running. */
export async function workerRate(production: Production, sandbox: ServerProcess, seconds: number): Promise<number> {
  const worker = await production.worker();
  try {
    await new Promise((resolve) => setTimeout(resolve, (seconds + 3) * 1000));
  } finally {
    await worker.stop();
  }
  return heldRate(sandbox.url, 2, seconds);
}

interface JobTimes {
  status: string;
  successfullySent: number;
  startedAt: string;
  completedAt: string;
}

/** Waits until all `recipients` of a job are sent; returns the messages per second from its start to its end. */
export async function jobRate(api: MeasuredService, jobId: string, recipients: number): Promise<number> {
  const detail = async (): Promise<JobTimes> => (await api.client.get(`/bulk-jobs/${jobId}`)).body as JobTimes;
  await until(async () => (await detail()).status === 'Completed', JOB_MS, 'the job completes');
  const { startedAt, completedAt, successfullySent } = await detail();
  if (successfullySent !== recipients) throw new Error(`Only ${successfullySent} of ${recipients} were sent`);
  return (recipients * 1000) / (Date.parse(completedAt) - Date.parse(startedAt));
}
