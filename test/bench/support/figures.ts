/** The limit of a figure: a maximum or minimum of our value, or of its ratio to the bare loop's. */
export interface Limit {
  of: 'ours' | 'ratio';
  bound: 'at most' | 'at least';
  value: number;
}

/** One figure of a benchmark: our values and, pair by pair in the same run, those of the bare loop. */
export interface Figure {
  what: string;
  unit: string;
  ours: number[];
  bare?: number[];
  limits?: Limit[];
}

/** The median; the mean of the two middle values if their number is even. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? sorted[Math.floor(middle)]!
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

/** Measures `ours` and `bare` alternately, `pairs` times, and each of them first in every second pair, so that both run under the same conditions. */
export async function interleaved(
  pairs: number,
  ours: () => Promise<number>,
  bare: () => Promise<number>,
): Promise<{ ours: number[]; bare: number[] }> {
  const values = { ours: [] as number[], bare: [] as number[] };
  for (let pair = 0; pair < pairs; pair++) {
    if (pair % 2 === 1) values.bare.push(await bare());
    values.ours.push(await ours());
    if (pair % 2 === 0) values.bare.push(await bare());
  }
  return values;
}

/** The figures as a table: medians, the noise in brackets, the ratio of the medians, and whether each limit holds. */
export function tableOf(figures: readonly Figure[]): string {
  const lines = [['figure', 'unit', 'ours', 'bare loop', 'ratio', 'limit'], ...figures.map(lineOf)];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The limits that these figures miss, each as a sentence. */
export function missed(figures: readonly Figure[]): string[] {
  return figures.flatMap((figure) =>
    (figure.limits ?? [])
      .filter((limit) => !holds(figure, limit))
      .map((limit) => `${figure.what}: ${wordsOf(limit)}, but it is ${short(valueOf(figure, limit))}`),
  );
}

function lineOf(figure: Figure): string[] {
  const { what, unit, ours, bare, limits = [] } = figure;
  return [
    what,
    unit,
    withNoise(ours),
    bare ? withNoise(bare) : '',
    bare ? short(median(ours) / median(bare)) : '',
    limits.map((limit) => `${wordsOf(limit)} ${holds(figure, limit) ? 'ok' : 'MISSED'}`).join(', '),
  ];
}

function holds(figure: Figure, limit: Limit): boolean {
  const value = valueOf(figure, limit);
  return limit.bound === 'at most' ? value <= limit.value : value >= limit.value;
}

function valueOf({ ours, bare = [] }: Figure, { of }: Limit): number {
  return of === 'ours' ? median(ours) : median(ours) / median(bare);
}

function wordsOf({ of, bound, value }: Limit): string {
  return `${of === 'ratio' ? 'ratio ' : ''}${bound} ${short(value)}`;
}

function withNoise(values: readonly number[]): string {
  if (values.length === 1) return short(values[0]!);
  return `${short(median(values))} (${short(Math.min(...values))}..${short(Math.max(...values))})`;
}

function short(value: number): string {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toFixed(Math.abs(value) >= 100 ? 0 : 2)));
}
