import { openDataSource } from '../../src/infra/database/data-source';
import { Database } from '../../src/infra/database/database';
import { KEY, until } from '../support/process/service';
import { runProcess } from './support/bare-process';
import type { Benchmark, BenchmarkPlace } from './support/benchmark';
import { type Figure, interleaved } from './support/figures';
import { addContacts, growHistory, tend } from '../support/grown-history';
import { boundlessPlans } from './support/plans';
import { inProduction, jobRate, type Production } from './support/production';
import { writeRecipientList } from './support/recipient-lists';
import { upload } from './support/uploads';

/** Messages in the history, in millions: `GROWTH_MILLIONS=1 npm run bench -- growth` takes a tenth of the time. */
const MILLIONS = Number(process.env.GROWTH_MILLIONS ?? 10);
/** Each has a message of three months, and a tenth of them a reply. */
const PEOPLE = Math.round((MILLIONS * 1e5) / 3.1) * 10;
const CONTACTS = MILLIONS * 100_000;
const PAIRS = 5;
const ROWS = 5000;
const SENDS = { key: KEY, path: '/api/v1/messaging/send-template', concurrency: 16, warmUpMs: 1000, forMs: 3000 };
const SAME_RATE = { of: 'ratio', bound: 'at least', value: 0.9 } as const;
const SAME_TIME = { of: 'ratio', bound: 'at most', value: 1.1 } as const;

/** Whether the service stays equally fast while its tables grow. */
export const growthBenchmark: Benchmark = {
  name: 'growth',
  question: `the same work where ${MILLIONS} million messages and ${CONTACTS} contacts are stored; bare: an empty service`,
  async run(place) {
    const env = { PLANS_FILE: boundlessPlans(place.folder) };
    const settings = { platform: { messagesPerSecond: 0, statuses: false }, pace: 100_000, env };
    const figures = await inProduction(place, settings, (grown) =>
      inProduction(place, settings, async (empty) => {
        await grow(grown);
        await templatesAreThere(empty);
        return [...(await singleSends(grown, empty)), ...(await jobs(place, grown, empty))];
      }),
    );
    return figures ?? [];
  },
};

async function grow(production: Production): Promise<void> {
  await templatesAreThere(production);
  const { databaseUrl } = production.store;
  const source = await openDataSource({ databaseUrl, dataDir: 'not used' }, []);
  try {
    const database = new Database(source);
    const { accountId, partitions } = await growHistory(database, {
      people: PEOPLE,
      others: { accounts: 10, messages: 100 },
    });
    await addContacts(database, accountId, CONTACTS);
    await tend(databaseUrl, [...partitions, 'conversations', 'job_recipients', 'contacts']);
  } finally {
    await source.destroy();
  }
}

function templatesAreThere({ api }: Production): Promise<void> {
  return until(async () => (await api.client.get('/templates')).body.totalCount > 0, 60_000, 'templates are there');
}

async function singleSends(grown: Production, empty: Production): Promise<Figure[]> {
  const processor = { ours: [] as number[], bare: [] as number[] };
  const rate = (production: Production, times: number[]) => async () => {
    const before = production.api.cpuSeconds();
    const { perSecond } = await runProcess<{ perSecond: number }>('load.ts', { ...SENDS, url: production.api.url });
    times.push(((production.api.cpuSeconds() - before) * 1e6) / (perSecond * (SENDS.warmUpMs + SENDS.forMs)));
    return perSecond;
  };
  const rates = await interleaved(PAIRS, rate(grown, processor.ours), rate(empty, processor.bare));
  return [
    { what: 'single sends', unit: 'requests/s', ...rates, limits: [SAME_RATE] },
    { what: 'single sends, processor time', unit: 'ms a request', ...processor, limits: [SAME_TIME] },
  ];
}

/** The import and the sending of one job. */
async function jobs({ folder }: BenchmarkPlace, grown: Production, empty: Production): Promise<Figure[]> {
  const list = writeRecipientList(folder, 'csv', ROWS);
  const imports = { ours: [] as number[], bare: [] as number[] };
  const rate = (production: Production, times: number[]) => async () => {
    // A new worker each time: one of the other service would receive wake-ups for these lanes through the shared Redis.
    const worker = await production.worker();
    try {
      const { jobId, seconds } = await upload(production.api, list, ROWS);
      times.push(seconds);
      return await jobRate(production.api, jobId, ROWS);
    } finally {
      await worker.stop();
    }
  };
  const rates = await interleaved(PAIRS, rate(grown, imports.ours), rate(empty, imports.bare));
  return [
    { what: `job of ${ROWS}`, unit: 'messages/s', ...rates, limits: [SAME_RATE] },
    { what: `import of ${ROWS}`, unit: 's', ...imports, limits: [SAME_TIME] },
  ];
}
