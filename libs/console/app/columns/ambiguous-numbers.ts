import { firstMatch } from './first-match';

const AMBIGUOUS =
  /^ambiguous_numbers: (\d+) .* national of ([A-Z]{2}), first row (\d+): "(.*)" was read as \+(\d+), not as \+(\d+)\. (.*)/s;

/** Numbers of a file that are valid in two countries, and the first of them. */
export interface AmbiguousNumbers {
  count: number;
  /** ISO 3166 country of the national reading. */
  country: string;
  row: number;
  /** As in the file. */
  text: string;
  /** Digits of the reading that was used, and of the other. */
  number: string;
  other: string;
  /** The national reading was used. */
  isNational: boolean;
}

/** What the warnings of a check say on such numbers; undefined: there are none. */
export function ambiguousNumbers(warnings: readonly string[]): AmbiguousNumbers | undefined {
  const found = firstMatch(AMBIGUOUS, warnings);
  if (!found) return undefined;
  const [, numbers, country = '', row, text = '', number = '', other = '', remedy = ''] = found;
  const isNational = !remedy.includes('set defaultCountry');
  return { count: Number(numbers), row: Number(row), country, text, number, other, isNational };
}
