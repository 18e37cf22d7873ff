import { BASELINE, type Migration } from '../../src/infra/database/migrations';
import { firstMessagePartitions } from '../../src/modules/messages/adapters/schema/messages.sql';
import { SCHEMA } from '../../src/schema/schema';
import { TcpProxy } from '../support/tcp-proxy';
import { Platform } from '../support/process/platform';
import { emptyStore, startService, type Store } from '../support/process/service';

/** Far apart, because connecting is retried for only 15 s; few, because a start is retried for only 60 s. */
const CUTS_PER_PROCESS = 6;
const PROCESSES_AT_ONCE = 6;
const NEVER = Infinity;
/** Responses before the first migration: of the connection, its setup, the lock, and the query for recorded migrations. */
const BEFORE_MIGRATIONS = 7;
/** BEGIN, SET LOCAL lock_timeout and COMMIT. */
const OF_A_TRANSACTION = 3;
const FIRST_PARTITIONS = firstMessagePartitions(new Date()).split('\n');

describe('A start that loses its database at each statement in turn', () => {
  let platform: Platform;
  let store: Store;
  /** Responses during a start on a database with tables, and the additional ones on an empty database. */
  let responses: number;
  let ofTables: number;
  const stores: Store[] = [];

  beforeAll(async () => {
    platform = await Platform.spawn();
    store = await makeStore();
    const { responses: ofEmpty } = await start(store, []);
    ({ responses } = await start(store, []));
    ofTables = ofEmpty - responses;
  });
  afterAll(async () => {
    await Promise.all(stores.map((one) => one.drop()));
    await platform?.close();
  });

  async function makeStore(): Promise<Store> {
    const made = await emptyStore();
    stores.push(made);
    return made;
  }

  /** Starts with these cuts one after the other, then stops; returns the number of cuts made, and of responses after the last one. */
  async function start(given: Store, cuts: readonly number[]): Promise<{ lost: number; responses: number }> {
    const proxy = new TcpProxy(new URL(given.databaseUrl!));
    proxy.cuts = [...cuts, NEVER];
    try {
      const through = { ...given, databaseUrl: await proxy.open() };
      const service = await startService({ store: through, platformUrl: platform.url, env: { REDIS_URL: '' } });
      const seen = proxy.responses;
      const lost = cuts.length + 1 - proxy.cuts.length;
      proxy.cuts = [NEVER];
      expect(await service.stop()).toBe(0);
      return { lost, responses: seen };
    } finally {
      proxy.close();
    }
  }

  /**
   * Loses each of the `first` responses of a start, over several processes; returns how many were lost. `sinceCut` translates
   * responses since the start into responses since the previous cut.
   */
  async function startThroughCuts(
    first: number,
    storeOf: () => Promise<Store>,
    sinceCut = (cuts: readonly number[]) => cuts,
  ): Promise<number> {
    const processes = Math.ceil(first / CUTS_PER_PROCESS);
    let lost = 0;
    let next = 1;
    const work = async () => {
      while (next <= processes) {
        const from = next++;
        const cuts = Array.from({ length: CUTS_PER_PROCESS }, (_, n) => from + n * processes);
        const started = await start(await storeOf(), sinceCut(cuts));
        lost += started.lost;
      }
    };
    await Promise.all(Array.from({ length: PROCESSES_AT_ONCE }, work));
    return lost;
  }

  it('restarts and becomes ready, whichever response was lost', async () => {
    const lost = await startThroughCuts(responses, () => Promise.resolve(store));
    process.stdout.write(`${responses} responses, ${lost} of them lost\n`);
    // The last ones belong to background work, whose number varies.
    expect(lost).toBeGreaterThan(responses / 2);
  });

  it('creates the tables of an empty database, whichever response was lost', async () => {
    const lost = await startThroughCuts(ofTables, makeStore, withoutRecorded);
    process.stdout.write(`${ofTables} responses, ${lost} of them lost\n`);
    expect(lost).toBeGreaterThanOrEqual(ofTables);
  });
});

/** Subtracts the responses of migrations that had been committed at the previous cut: the next start does not repeat them. */
function withoutRecorded(cuts: readonly number[]): number[] {
  const ends = endsOfMigrations();
  const recordedAt = (cut: number): number =>
    (ends.findLast((end) => end <= cut) ?? BEFORE_MIGRATIONS) - BEFORE_MIGRATIONS;
  return cuts.map((cut, n) => cut - (n === 0 ? 0 : recordedAt(cuts[n - 1]!)));
}

/** The number of the last response of each migration of an empty database. */
function endsOfMigrations(): number[] {
  const contained = SCHEMA.upgrade.steps.map(({ name }) => name);
  const baseline = { name: BASELINE, statements: ['', ...SCHEMA.baseline(new Date()), ...contained] };
  let end = BEFORE_MIGRATIONS;
  return [baseline, ...SCHEMA.migrations].map((migration) => (end += responsesOf(migration)));
}

/** Each statement, and the record of the migration; outside a transaction each after its own SET lock_timeout. */
function responsesOf({ statements, partitions, transaction = true }: Migration): number {
  const ofPartitions = partitions ? FIRST_PARTITIONS.flatMap((name) => partitions.statements(name)) : [];
  const all = statements.length + ofPartitions.length + 1;
  return (partitions ? 1 : 0) + (transaction ? all + OF_A_TRANSACTION : 2 * all);
}
