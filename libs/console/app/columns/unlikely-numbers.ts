import { firstMatch } from './first-match';

const UNLIKELY = /^unlikely_numbers: (\d+) .*? in no numbering plan: (.*)\. A digit may be/s;
const ROW = /row (\d+) ("(?:[^"\\]|\\.)*") as \+(\d+)/g;

/** Numbers of a file that no country has, though their length is possible, and the first of them. */
export interface UnlikelyNumbers {
  count: number;
  /** `text`: as in the file; `number`: digits of what was read. */
  first: { row: number; text: string; number: string }[];
}

/** What the warnings of a check say on such numbers; undefined: there are none. */
export function unlikelyNumbers(warnings: readonly string[]): UnlikelyNumbers | undefined {
  const found = firstMatch(UNLIKELY, warnings);
  if (!found) return undefined;
  const [, count, rows = ''] = found;
  const first = [...rows.matchAll(ROW)].map(([, row, text = '""', number = '']) => ({
    ...{ row: Number(row), text: JSON.parse(text) as string, number },
  }));
  return { count: Number(count), first };
}
