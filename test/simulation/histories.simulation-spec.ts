import { repetitions } from '../support/repetitions';
import { PLANTED_BUGS } from './planted-bugs';
import plantedSeeds from './planted-seeds.json';
import { SeedProcesses } from './seeds';

const SEEDS = repetitions(500, 10_000);
const TODAY = Math.floor(Date.now() / 86_400_000);
/** Every night others. */
const FIRST_SEED = repetitions(1, TODAY * SEEDS);
/** Each planted bug is found within this number of seeds. */
const SEEDS_TO_FIND = 1500;
/** A seed that finds each bug. After a change of the plans, the search for another begins there, and that one is to be written here. */
const KEPT_SEEDS: Readonly<Record<string, number>> = plantedSeeds;

describe('The sending engine, simulated', () => {
  const processes = new SeedProcesses(2);

  afterAll(() => processes.close());

  it(`keeps every promise in ${SEEDS} of them, from seed ${FIRST_SEED} on`, async () => {
    const { broken, accepted, unknown } = await processes.run({ from: FIRST_SEED, count: SEEDS, maxBroken: 5 });
    expect(broken).toEqual([]);
    expect(accepted).toBeGreaterThan(20 * SEEDS);
    expect(unknown).toBeGreaterThan(SEEDS / 10);
  });

  it.each(PLANTED_BUGS.map(({ bug, breaks }) => [bug, breaks] as const))(
    'finds the planted bug: %s',
    async (bug, breaks) => {
      const from = KEPT_SEEDS[bug] ?? 1;
      const first = async (count: number) => (await processes.run({ from, count, bug, maxBroken: 1 })).broken[0];
      const found = (await first(1)) ?? (await first(SEEDS_TO_FIND)) ?? { seed: null, promise: 'none' };
      process.stdout.write(`    planted: ${bug}; seed ${found.seed} broke "${found.promise}"\n`);
      expect(breaks).toContain(found.promise);
    },
  );
});
