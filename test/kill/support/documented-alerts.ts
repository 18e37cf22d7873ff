import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `/metrics` of one process at one moment: series by name with labels. */
export interface Scrape {
  at: number;
  figures: ReadonlyMap<string, number>;
}

/** A row of "What to watch" in docs/operations.md whose condition names metrics. */
export interface Alert {
  condition: string;
  /** Whether it fires for a process: its condition holds in both scrapes, or between them. */
  fires(before: Scrape, after: Scrape): boolean;
}

type Test = (before: Scrape, after: Scrape) => boolean;
/** What a condition may contain, and its meaning; the first match applies. */
const FORMS: readonly [RegExp, (match: readonly string[]) => Test][] = [
  // Only visible over minutes or days, or from outside the process.
  [/`\w+` of all processes does not grow for a day/, () => () => false],
  [/`\w+` grows for \d+ minutes/, () => () => false],
  [/`absent\([^`]+\)`/, () => () => false],
  [
    /more than (\d+) % of `(\w+)` has a status 5xx/,
    ([, percent, name]) =>
      (before, after) =>
        sum(growth(`${name}{status="5}`, before, after)) > (Number(percent) / 100) * sum(growth(name!, before, after)),
  ],
  [
    /p(\d\d) of `(\w+)` > ([\d.]+)/,
    ([, percent, name, limit]) =>
      (before, after) =>
        quantile(Number(percent) / 100, name!, before, after) > Number(limit),
  ],
  [
    /`(\w+)(\{[^}]*\})` grows faster than `(\{[^}]*\})`/,
    ([, name, labels, others]) =>
      (before, after) =>
        sum(growth(name + labels!, before, after)) > sum(growth(name + others!, before, after)),
  ],
  [
    /`([\w{}="]+)` grows by nearly a second per second/,
    ([, series]) =>
      (before, after) =>
        growth(series!, before, after).some((grown) => grown > 0.9 * ((after.at - before.at) / 1000)),
  ],
  [
    /`(\w+)(\{[^}]*\})` or `(\{[^}]*\})` grows/,
    ([, name, labels, others]) =>
      (before, after) =>
        [name + labels!, name + others!].some((series) => growth(series, before, after).some((grown) => grown > 0)),
  ],
  [
    /`([\w{}="]+)` grows/,
    ([, series]) =>
      (before, after) =>
        growth(series!, before, after).some((grown) => grown > 0),
  ],
  [
    /`max by \([^)]*\) \((\w+)\) >= (\d+)`/,
    ([, series, limit]) => inBoth((scrape) => seriesOf(series!, scrape).some((value) => value >= Number(limit))),
  ],
  [
    /`([\w{}="]+)` > ([\d.]+)(?: for a minute)?(, or the metric is missing)?/,
    ([, series, limit, orMissing]) =>
      inBoth((scrape) => {
        const values = seriesOf(series!, scrape);
        return values.some((value) => value > Number(limit)) || (orMissing !== undefined && values.length === 0);
      }),
  ],
  [/`([\w{}="]+)` is 0/, ([, series]) => inBoth((scrape) => seriesOf(series!, scrape).includes(0))],
];

/** The documented alerts; throws if the form of a metric in a condition is unknown. */
export function documentedAlerts(): Alert[] {
  const text = readFileSync(join(__dirname, '../../../docs/operations.md'), 'utf8');
  const section = text.slice(text.indexOf('## What to watch'), text.indexOf('## Pace and messaging tier'));
  const conditions = [...section.matchAll(/^\| (.*?) \| .* \| .* \|$/gm)].map(([, condition]) => condition!);
  return conditions
    .filter((condition) => /`[^`]*(messaging|nodejs)_\w/.test(condition))
    .map((condition) => {
      const tests = testsOf(condition);
      return { condition, fires: (before, after) => tests.some((holds) => holds(before, after)) };
    });
}

/** Reads the metrics of the process at `url`. */
export async function scrape(url: string): Promise<Scrape> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const figures = lines.map((line): [string, number] => {
    const space = line.lastIndexOf(' ');
    return [line.slice(0, space), Number(line.slice(space + 1))];
  });
  return { at: performance.now(), figures: new Map(figures) };
}

function testsOf(condition: string): Test[] {
  const tests: Test[] = [];
  let rest = condition;
  for (const [form, test] of FORMS) {
    for (let match = form.exec(rest); match; match = form.exec(rest)) {
      tests.push(test(match));
      rest = rest.replace(match[0], '');
    }
  }
  if (/(messaging|nodejs)_\w/.test(rest)) throw new Error(`No form for "${rest}" in "${condition}".`);
  return tests;
}

function inBoth(holds: (scrape: Scrape) => boolean): Test {
  return (before, after) => holds(before) && holds(after);
}

/** The keys of a scrape with this name that contain these labels, or their beginnings. */
function keysOf(series: string, { figures }: Scrape): string[] {
  const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series)!;
  const wanted = labels === '' ? [] : labels.split(',');
  return [...figures.keys()].filter(
    (key) => key.split('{')[0] === name && wanted.every((label) => key.includes(label)),
  );
}

function seriesOf(series: string, scrape: Scrape): number[] {
  return keysOf(series, scrape).map((key) => scrape.figures.get(key)!);
}

function growth(series: string, before: Scrape, after: Scrape): number[] {
  return keysOf(series, after).map((key) => after.figures.get(key)! - (before.figures.get(key) ?? 0));
}

/** As histogram_quantile of the increase between two scrapes, without interpolation: the bound of the bucket; 0 without observations. */
function quantile(part: number, name: string, before: Scrape, after: Scrape): number {
  const counts = new Map<number, number>();
  for (const key of keysOf(`${name}_bucket`, after)) {
    const bound = Number(/le="([^"]+)"/.exec(key)![1]!.replace('+Inf', 'Infinity'));
    const grown = after.figures.get(key)! - (before.figures.get(key) ?? 0);
    counts.set(bound, (counts.get(bound) ?? 0) + grown);
  }
  const total = counts.get(Infinity) ?? 0;
  const bounds = [...counts.keys()].sort((a, b) => a - b);
  return total === 0 ? 0 : bounds.find((bound) => counts.get(bound)! >= part * total)!;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
