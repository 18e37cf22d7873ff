import type { HistoryOptions } from './history';
import { FULL, planOf } from './plan';
import type { PlantedBug } from './world';

/** Histories with a planted bug, or of the engine as it is. */
export function optionsOf(planted: PlantedBug | undefined): HistoryOptions {
  const { sabotage, scale } = planted ?? {};
  return { sabotage, ...(scale && { planOf: (seed: number) => planOf(seed, { ...FULL, ...scale }) }) };
}
