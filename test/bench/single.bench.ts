import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_CREDENTIALS } from '../../libs/platform-sandbox/credentials';
import { KEY, platformSettings } from '../support/process/service';
import { runProcess, startSandboxProcess, startServer } from './support/bare-process';
import type { Benchmark } from './support/benchmark';
import { type Figure, interleaved } from './support/figures';
import { embeddedStore, postgresStore, startMeasured } from './support/measured-service';

const PAIRS = 3;
const LOAD = { key: KEY, concurrency: 64, warmUpMs: 3000, forMs: 4000 };
const SEND = '/api/v1/messaging/send-template';

interface LoadResult {
  perSecond: number;
  p99: number;
}

/** How many single sends a second one process answers. */
export const singleBenchmark: Benchmark = {
  name: 'single',
  question: 'endpoint 2, 64 requests under way, platform at 0 ms; the bare loop is a Nest route with two transactions',
  async run({ folder, postgresUrl }) {
    const sandbox = await startSandboxProcess({ messagesPerSecond: 0, statuses: false });
    const plans = join(folder, 'plans.json');
    writeFileSync(
      plans,
      JSON.stringify({ Enterprise: { requestsPerSecond: 100_000, burst: 100_000, maxRowsPerFile: 1_000_000 } }),
    );
    const env = { ...platformSettings(sandbox.url), MESSAGES_PER_SECOND: '100000', PLANS_FILE: plans };
    try {
      const figures = postgresUrl ? await onPostgres(folder, postgresUrl, sandbox.url, env) : [];
      return [...figures, ...(await onEmbedded(folder, env))];
    } finally {
      await sandbox.stop();
    }
  },
};

async function onPostgres(
  folder: string,
  postgresUrl: string,
  platformUrl: string,
  env: Record<string, string>,
): Promise<Figure[]> {
  const store = await postgresStore(folder, postgresUrl);
  const service = await startMeasured(store, env);
  const bare = await startServer('bare-route.ts', {
    databaseUrl: store.databaseUrl,
    platformUrl,
    phoneNumberId: SANDBOX_CREDENTIALS.phoneNumberId,
    accessToken: SANDBOX_CREDENTIALS.accessToken,
    key: KEY,
  });
  try {
    const p99: number[] = [];
    const rates = await interleaved(
      PAIRS,
      async () => {
        const result = await load(service.url, SEND);
        p99.push(result.p99);
        return result.perSecond;
      },
      async () => (await load(bare.url, '/send')).perSecond,
    );
    return [
      { what: 'PostgreSQL', unit: 'requests/s', ...rates, limits: [{ of: 'ratio', bound: 'at least', value: 0.45 }] },
      { what: 'PostgreSQL, answer p99', unit: 'ms', ours: p99 },
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
    const { perSecond, p99 } = await load(service.url, SEND);
    return [
      { what: 'embedded', unit: 'requests/s', ours: [perSecond] },
      { what: 'embedded, answer p99', unit: 'ms', ours: [p99] },
    ];
  } finally {
    await service.stop();
    await store.drop();
  }
}

function load(url: string, path: string): Promise<LoadResult> {
  return runProcess<LoadResult>('load.ts', { ...LOAD, url, path });
}
