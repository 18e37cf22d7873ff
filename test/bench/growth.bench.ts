import { openDataSource } from '../../src/infra/database/data-source';
import { Database } from '../../src/infra/database/database';
import { cursorTime } from '../../src/infra/database/keyset-lists.sql';
import { KEY, until } from '../support/process/service';
import { runProcess } from './support/bare-process';
import type { Benchmark, BenchmarkPlace } from './support/benchmark';
import { type Figure, interleaved } from './support/figures';
import { addBooks, addFailures } from '../support/grown-books';
import { addContacts, addJobs, addKeys, growHistory, phoneOf, tend } from '../support/grown-history';
import { type GrownPlace, listPaths, type Place } from './support/list-paths';
import { pageTime, percentile } from './support/page-times';
import { boundlessPlans } from './support/plans';
import { withClient } from './support/postgres-time';
import { inProduction, jobRate, type Production } from './support/production';
import { writeRecipientList } from './support/recipient-lists';
import { upload } from './support/uploads';

/** Messages in the larger history, in millions; the smaller one has a million, but at most a tenth. GROWTH_MILLIONS=1 takes a tenth of the time. */
const MILLIONS = Number(process.env.GROWTH_MILLIONS ?? 5);
const SMALLER = Math.min(1, MILLIONS / 10);
/** Stored responses of the larger one. */
const KEYS = 700_000;
/** Rows of a table that no page may read as a whole. */
const LARGE_TABLE = 50_000;
const PAIRS = 5;
const PAGES = 300;
const ERASURE_MS = 300_000;
const ROWS = 20_000;
const SENDS = { key: KEY, path: '/api/v1/messaging/send-template', concurrency: 16, warmUpMs: 1000, forMs: 3000 };
const SAME_RATE = { of: 'ratio', bound: 'at least', value: 0.9 } as const;
const SAME_PAGE = { of: 'ratio', bound: 'at most', value: 2 } as const;
const SAME_TIME = { of: 'ratio', bound: 'at most', value: 1.1 } as const;

/** Whether the service stays equally fast while its tables grow. */
export const growthBenchmark: Benchmark = {
  name: 'growth',
  question:
    `the same work with ${MILLIONS} million messages, as many recipients, ${contactsOf(MILLIONS)} contacts and ${jobsOf(MILLIONS)} jobs of one ` +
    `account (${(100 / MILLIONS).toFixed(0)} times fewer than 100 million messages need); bare: with ${SMALLER} million`,
  async run(place) {
    const env = { PLANS_FILE: boundlessPlans(place.folder) };
    const settings = { platform: { messagesPerSecond: 0, statuses: false }, pace: 100_000, env };
    const figures = await inProduction(place, settings, (large) =>
      inProduction(place, settings, async (small) => {
        const histories = { large: await grow(large, MILLIONS), small: await grow(small, SMALLER) };
        return [
          ...(await lists({ ...large, ...histories.large }, { ...small, ...histories.small })),
          ...(await erasures(large, small)),
          ...(await singleSends(large, small)),
          ...(await jobs(place, large, small)),
        ];
      }),
    );
    return figures ?? [];
  },
};

function contactsOf(millions: number): number {
  return millions * 100_000;
}

function optOutsOf(millions: number): number {
  return millions * 5_000;
}

function jobsOf(millions: number): number {
  return millions * 2_000;
}

/** A history with a message to each person in three months, and replies of a tenth of them. */
async function grow(production: Production, millions: number): Promise<GrownPlace> {
  await templatesAreThere(production);
  const { databaseUrl } = production.store;
  const people = Math.round((millions * 1e5) / 3.1) * 10;
  const source = await openDataSource({ databaseUrl, dataDir: 'not used' }, []);
  try {
    const database = new Database(source);
    const others = { accounts: 10, messages: 100 };
    const history = await growHistory(database, { people, others, loadedAt: databaseUrl });
    await addFailures(database, history.jobId, people);
    await addKeys(database, history.accountId, Math.round((KEYS * millions) / MILLIONS));
    await addContacts(database, history.accountId, contactsOf(millions));
    await addJobs(database, history.accountId, jobsOf(millions));
    const books = await addBooks(database, history.accountId, {
      ...{ optOuts: optOutsOf(millions), auditEntries: millions * 10_000, deliveries: millions * 50_000 },
      ...{ members: millions * 25_000, groups: 200 },
    });
    await tend(databaseUrl, [
      ...history.partitions,
      'conversations',
      'job_recipients',
      'contacts',
      'bulk_jobs',
      'idempotency_keys',
      ...['opt_outs', 'audit_log', 'contact_groups', 'contact_group_members', 'webhook_deliveries', 'webhook_bodies'],
      'job_recipient_keys',
    ]);
    const places = await database.rows<Place>(
      `SELECT id, last_message_id AS message, ${cursorTime('last_message_at')} AS at
       FROM conversations WHERE account_id = $1 ORDER BY id LIMIT 1000`,
      [history.accountId],
    );
    const counts = { people, jobs: jobsOf(millions), contacts: contactsOf(millions), optOuts: optOutsOf(millions) };
    return { ...books, ...counts, jobId: history.jobId, places };
  } finally {
    await source.destroy();
  }
}

function templatesAreThere({ api }: Production): Promise<void> {
  return until(async () => (await api.client.get('/templates')).body.totalCount > 0, 60_000, 'templates are there');
}

/** Pages of each list: both services in turn, so that other work on the machine slows down both. */
async function lists(large: Production & GrownPlace, small: Production & GrownPlace): Promise<Figure[]> {
  const figures: Figure[] = [];
  const wholeBefore = await wholeReads(large);
  const [ofLarge, ofSmall] = [listPaths(large), listPaths(small)];
  for (const list of Object.keys(ofLarge)) {
    const [ours, bare] = [[] as number[], [] as number[]];
    for (let call = 0; call < PAGES; call++) {
      ours.push(await pageTime(large.api, ofLarge[list]!(call)));
      bare.push(await pageTime(small.api, ofSmall[list]!(call)));
    }
    for (const share of [0.5, 0.99]) {
      // The first calls of a list compile its statements.
      const of = (times: number[]): number[] => [percentile(times.slice(PAGES / 10), share)];
      figures.push({
        what: `${list}, p${share * 100}`,
        unit: 'ms',
        ours: of(ours),
        bare: of(bare),
        limits: [SAME_PAGE],
      });
    }
  }
  // Sessions report what they have read after a second.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  await large.api.client.get('/me');
  const whole = (await wholeReads(large)) - wholeBefore;
  const noLimits = [{ of: 'ours', bound: 'at most', value: 0 } as const];
  figures.push({ what: 'large tables read as a whole by these pages', unit: 'reads', ours: [whole], limits: noLimits });
  return figures;
}

/** Sequential scans of large tables since the database was created. */
function wholeReads({ store }: Production): Promise<number> {
  return withClient(store.databaseUrl, async (client) => {
    const { rows } = await client.query<{ scans: number }>(
      'SELECT COALESCE(sum(seq_scan), 0)::int AS scans FROM pg_stat_user_tables WHERE n_live_tup > $1',
      [LARGE_TABLE],
    );
    return rows[0]!.scans;
  });
}

/** Erases one person with messages, a conversation, a contact and rows in every large job: the first round, which erases everything. */
async function erasures(large: Production, small: Production): Promise<Figure[]> {
  const erase = async ({ api, store }: Production): Promise<number> => {
    const { body } = await api.client.get(`/contacts?phone=${phoneOf(7)}`);
    const begun = performance.now();
    await api.client.call('DELETE', `/contacts/${body.items[0].id}?erase=true`);
    const isOver = async (): Promise<boolean> => {
      const open = await withClient(store.databaseUrl, (client) =>
        client.query('SELECT 1 FROM erasures WHERE round = 1 AND completed_at IS NULL'),
      );
      return open.rowCount === 0;
    };
    await until(isOver, ERASURE_MS, 'the first round of the erasure is complete');
    const seconds = (performance.now() - begun) / 1000;
    const places = await placesNaming(store.databaseUrl, phoneOf(7));
    if (places.length > 0) throw new Error(`The erased person is still in ${places.join(' and ')}`);
    return seconds;
  };
  const limits = [{ of: 'ours', bound: 'at most', value: 60 } as const];
  return [{ what: 'erasure of one person', unit: 's', ours: [await erase(large)], bare: [await erase(small)], limits }];
}

/** Tables that contain the number, in the account that had it erased; the other accounts write to it, too. */
async function placesNaming(databaseUrl: string, phone: string): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ place: string }>(
      `SELECT 'job_recipients' AS place FROM job_recipients WHERE phone = $1
       UNION SELECT 'messages' FROM messages WHERE contact_phone = $1 AND account_id IN (SELECT account_id FROM erasures)
       UNION SELECT 'idempotency_keys' FROM idempotency_keys WHERE answer #>> '{body,to}' = $1
       UNION SELECT 'webhook_bodies' FROM webhook_bodies WHERE strpos(body, $1) > 0`,
      [phone],
    );
    return rows.map(({ place }) => place);
  });
}

async function singleSends(large: Production, small: Production): Promise<Figure[]> {
  const processor = { ours: [] as number[], bare: [] as number[] };
  const rate = (production: Production, times: number[]) => async () => {
    const before = production.api.cpuSeconds();
    const { perSecond } = await runProcess<{ perSecond: number }>('load.ts', { ...SENDS, url: production.api.url });
    times.push(((production.api.cpuSeconds() - before) * 1e6) / (perSecond * (SENDS.warmUpMs + SENDS.forMs)));
    return perSecond;
  };
  const rates = await interleaved(PAIRS, rate(large, processor.ours), rate(small, processor.bare));
  return [
    { what: 'single sends', unit: 'requests/s', ...rates, limits: [SAME_RATE] },
    { what: 'single sends, processor time', unit: 'ms a request', ...processor, limits: [SAME_TIME] },
  ];
}

/** The import and the sending of one job. */
async function jobs({ folder }: BenchmarkPlace, large: Production, small: Production): Promise<Figure[]> {
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
  const rates = await interleaved(PAIRS, rate(large, imports.ours), rate(small, imports.bare));
  return [
    { what: `job of ${ROWS}`, unit: 'messages/s', ...rates, limits: [SAME_RATE] },
    { what: `import of ${ROWS}`, unit: 's', ...imports, limits: [SAME_TIME] },
  ];
}
