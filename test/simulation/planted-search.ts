import plantedSeeds from './planted-seeds.json';
import type { SeedProcesses, SeedsReport } from './seeds';

/** Each planted bug is found within this number of seeds. */
const SEEDS_TO_FIND = 1500;
/** A seed that finds each bug. After a change of the plans the search for another begins there; `npm run test:simulation -- --keep` writes them. */
const KEPT_SEEDS: Readonly<Record<string, number>> = plantedSeeds;

/** The history that finds the planted bug: that of the kept seed, or else the next; undefined: none. */
export async function findPlanted(
  processes: SeedProcesses,
  bug: string,
): Promise<SeedsReport['broken'][number] | undefined> {
  const from = KEPT_SEEDS[bug] ?? 1;
  const first = async (count: number) => (await processes.run({ from, count, bug, maxBroken: 1 })).broken[0];
  return (await first(1)) ?? (await first(SEEDS_TO_FIND));
}
