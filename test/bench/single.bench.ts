import { SANDBOX_CREDENTIALS } from '../../libs/platform-sandbox/credentials';
import { KEY, platformSettings } from '../support/process/service';
import { runProcess, startSandboxProcess, startServer } from './support/bare-process';
import type { Benchmark, BenchmarkPlace } from './support/benchmark';
import { type Figure, interleaved, median } from './support/figures';
import { embeddedStore, postgresStore, startMeasured } from './support/measured-service';
import { boundlessPlans } from './support/plans';

const PAIRS = 3;
const MANY = { concurrency: 32, warmUpMs: 3000, forMs: 4000 };
/** Sequential requests: the time that a client waits. */
const ONE = { concurrency: 1, warmUpMs: 500, forMs: 2000 };
const SEND = '/api/v1/messaging/send-template';

interface LoadResult {
  perSecond: number;
  p50: number;
  p99: number;
}

/** Single sends per second that one process answers. */
export const singleBenchmark: Benchmark = {
  name: 'single',
  question: 'endpoint 2, 32 requests in flight, platform at 0 ms; the bare loop is a Nest route with two transactions',
  async run(place) {
    const { folder } = place;
    const sandbox = await startSandboxProcess({ messagesPerSecond: 0, statuses: false });
    const env = { ...platformSettings(sandbox.url), MESSAGES_PER_SECOND: '100000', PLANS_FILE: boundlessPlans(folder) };
    try {
      const figures = await onPostgres(place, sandbox.url, env);
      return [...figures, ...(await onEmbedded(folder, env))];
    } finally {
      await sandbox.stop();
    }
  },
};

async function onPostgres(
  { folder, postgresUrl, redisUrl }: BenchmarkPlace,
  platformUrl: string,
  env: Record<string, string>,
): Promise<Figure[]> {
  if (!postgresUrl) return [];
  const store = await postgresStore(folder, postgresUrl);
  const service = await startMeasured(store, { ...env, ...(redisUrl && { REDIS_URL: redisUrl }) });
  const bare = await startServer('bare-route.ts', {
    databaseUrl: store.databaseUrl,
    platformUrl,
    phoneNumberId: SANDBOX_CREDENTIALS.phoneNumberId,
    accessToken: SANDBOX_CREDENTIALS.accessToken,
    key: KEY,
  });
  try {
    const p99: number[] = [];
    const processorMs: number[] = [];
    const rates = await interleaved(
      PAIRS,
      async () => {
        const before = service.cpuSeconds();
        const result = await load(service.url, SEND, MANY);
        processorMs.push(((service.cpuSeconds() - before) * 1e6) / (result.perSecond * (MANY.warmUpMs + MANY.forMs)));
        p99.push(result.p99);
        return result.perSecond;
      },
      async () => (await load(bare.url, '/send', MANY)).perSecond,
    );
    const alone = await interleaved(
      PAIRS,
      async () => (await load(service.url, SEND, ONE)).p50,
      async () => (await load(bare.url, '/send', ONE)).p50,
    );
    return [
      { what: 'PostgreSQL', unit: 'requests/s', ...rates, limits: [{ of: 'ratio', bound: 'at least', value: 0.85 }] },
      { what: 'PostgreSQL, answer p99', unit: 'ms', ours: p99 },
      { what: 'PostgreSQL, processor time a request', unit: 'ms', ours: processorMs },
      { what: 'PostgreSQL, one request at a time, answer p50', unit: 'ms', ...alone },
      {
        what: 'PostgreSQL, one request at a time, p50 above the bare one',
        unit: 'ms',
        ours: [median(alone.ours) - median(alone.bare)],
        limits: [{ of: 'ours', bound: 'at most', value: 4 }],
      },
    ];
  } finally {
    await service.stop();
    await bare.stop();
    await store.drop();
  }
}

async function onEmbedded(folder: string, env: Record<string, string>): Promise<Figure[]> {
  const store = await embeddedStore(folder);
  const service = await startMeasured(store, env);
  try {
    const { perSecond, p99 } = await load(service.url, SEND, MANY);
    return [
      { what: 'embedded', unit: 'requests/s', ours: [perSecond] },
      { what: 'embedded, answer p99', unit: 'ms', ours: [p99] },
    ];
  } finally {
    await service.stop();
    await store.drop();
  }
}

function load(url: string, path: string, how: object): Promise<LoadResult> {
  return runProcess<LoadResult>('load.ts', { ...how, key: KEY, url, path });
}
