import type { HistoryOptions } from './history';
import { FULL, planOf } from './plan';
import type { PlantedBug } from './world';

/** The options of a history, with or without a planted bug. */
export function optionsOf(planted: PlantedBug | undefined): HistoryOptions {
  const { sabotage, scale } = planted ?? {};
  return { sabotage, ...(scale && { planOf: (seed: number) => planOf(seed, { ...FULL, ...scale }) }) };
}
