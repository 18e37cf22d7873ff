import { PLANTED_BUGS } from './planted-bugs';
import plantedSeeds from './planted-seeds.json';
import { SeedProcesses } from './seeds';

const SEEDS = 2000;
/** Each planted bug is found within this number of seeds. */
const SEEDS_TO_FIND = 1500;
/** Where the search begins for bugs that the first seeds do not find; after a change of the plans another seed finds them, and may be written here. */
const FIRST_SEEDS: Readonly<Record<string, number>> = plantedSeeds;

describe('The sending engine, simulated', () => {
  const processes = new SeedProcesses(2);

  afterAll(() => processes.close());

  it(`keeps every promise in ${SEEDS} of them`, async () => {
    const { broken, accepted, unknown } = await processes.run({ from: 1, count: SEEDS, maxBroken: 5 });
    expect(broken).toEqual([]);
    expect(accepted).toBeGreaterThan(20 * SEEDS);
    expect(unknown).toBeGreaterThan(SEEDS / 10);
  });

  it.each(PLANTED_BUGS.map(({ bug, breaks }) => [bug, breaks] as const))(
    'finds the planted bug: %s',
    async (bug, breaks) => {
      const { broken } = await processes.run({ from: FIRST_SEEDS[bug] ?? 1, count: SEEDS_TO_FIND, bug, maxBroken: 1 });
      const found = broken[0] ?? { seed: null, promise: 'none' };
      process.stdout.write(`    planted: ${bug}; seed ${found.seed} broke "${found.promise}"\n`);
      expect(breaks).toContain(found.promise);
    },
  );
});
