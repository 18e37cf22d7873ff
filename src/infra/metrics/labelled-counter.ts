import { Counter, type Registry } from 'prom-client';

/** Options of a labelled counter. */
export interface LabelledCounterOptions<Label extends string> {
  name: string;
  help: string;
  label: Label;
  /** The values that alerts refer to. */
  values: readonly string[];
  /** Runs before each scrape. */
  collect?: () => void;
}

/**
 * A counter with one label whose series start at 0: rate() and increase() ignore the first value of a series, so an alert would
 * otherwise miss the first event of each kind.
 */
export function labelledCounter<Label extends string>(
  registry: Registry,
  { label, values, ...options }: LabelledCounterOptions<Label>,
): Counter<Label> {
  const counter = new Counter({ ...options, labelNames: [label], registers: [registry] });
  for (const value of values) counter.inc({ [label]: value } as Record<Label, string>, 0);
  return counter;
}
