import { runHistory } from './history';
import { FULL, MAX_SENDERS, planOf, type Scale } from './plan';
import { SqlDatabase } from './sql-database';
import { SqlServer } from './sql-server';
import { SQL_BUGS } from './planted-sql-bugs';
import { senderAt } from './world';
import { SenderEntity } from '../../src/modules/accounts/adapters/sender.entity';
import { describeOnDatabase } from '../support/databases';
import { repetitions } from '../support/repetitions';

/** Fewer on the embedded database: one run there takes as long as one with several processes. */
const SEEDS = { shared: repetitions(40, 400), embedded: repetitions(10, 60) };
const SEEDS_TO_FIND = 200;
const SMALL: Scale = {
  ...FULL,
  jobs: [1, 1, 2],
  sizes: [8, 16],
  healed: [3000, 6000],
  graces: [2500],
  timeouts: [3000],
  // The window of the real store is 24 hours.
  limited: 0,
  // Only an in-memory database can be copied and restored instantly.
  ...{ restored: 0, lost: 0 },
  // Triggers of these tables do not report to checks.
  subscribed: 0,
  // People's requests and identities have their own suites on real databases.
  managed: 0,
  identified: 0,
};
const SHARED: Scale = { ...SMALL, processes: [2, 2, 3], exclusive: 0 };
/** The embedded database has one process at a time, and one connection. */
const ALONE: Scale = { ...SMALL, processes: [1], exclusive: 1 };

describeOnDatabase('The sending engine over its real stores', (open, isShared) => {
  let server: SqlServer;

  beforeAll(async () => {
    server = await SqlServer.open((await open()).repository(SenderEntity).manager.dataSource, isShared ? 8 : 1);
  });

  afterAll(() => server.close());

  /** Returns the first broken history of the seeds. */
  async function broken(seeds: Iterable<number>, changes: Partial<Scale> = {}, rewrite?: (sql: string) => string) {
    const scale = { ...(isShared ? SHARED : ALONE), ...changes };
    for (const seed of seeds) {
      let database: SqlDatabase | undefined;
      await server.reset(Array.from({ length: MAX_SENDERS }, (_, index) => senderAt(index)));
      const report = await runHistory(seed, {
        planOf: (of) => planOf(of, scale),
        databaseAt: (scheduler) => (database = new SqlDatabase(scheduler, server, rewrite)),
      });
      await database!.close();
      if (report.broken) return { seed, promise: report.broken.promise, seen: report.broken.seen };
      const [miscounted] = await server.miscounted();
      if (miscounted) return { seed, promise: 'activity equals rows', seen: JSON.stringify(miscounted) };
    }
    return null;
  }

  const seeds = isShared ? SEEDS.shared : SEEDS.embedded;
  it(`keeps every promise in ${seeds} of them`, async () => {
    expect(await broken(upTo(seeds))).toBeNull();
  }, 900_000);

  const observable = SQL_BUGS.filter(({ seeds: { embedded } }) => isShared || embedded !== undefined);
  it.each(observable.map(({ bug, ...planted }) => [bug, planted] as const))(
    'finds the planted bug: %s',
    async (bug, { rewrite, breaks, seeds }) => {
      const found = await broken(
        new Set([isShared ? seeds.shared : (seeds.embedded ?? 1), ...upTo(SEEDS_TO_FIND)]),
        { ...(isShared && { weathers: ['takeovers'] }), sizes: [30], paces: [3, 5] },
        rewrite,
      );
      process.stdout.write(`    planted: ${bug}; seed ${found?.seed} broke "${found?.promise}"\n`);
      expect(breaks).toContain(found?.promise);
    },
    900_000,
  );
});

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
