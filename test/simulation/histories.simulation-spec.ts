import { repetitions } from '../support/repetitions';
import { PLANTED_BUGS } from './planted-bugs';
import { findPlanted } from './planted-search';
import { SeedProcesses } from './seeds';

const SEEDS = repetitions(500, 10_000);
const TODAY = Math.floor(Date.now() / 86_400_000);
/** Every night others. */
const FIRST_SEED = repetitions(1, TODAY * SEEDS);

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
      const found = (await findPlanted(processes, bug)) ?? { seed: null, promise: 'none' };
      process.stdout.write(`    planted: ${bug}; seed ${found.seed} broke "${found.promise}"\n`);
      expect(breaks).toContain(found.promise);
    },
  );
});
