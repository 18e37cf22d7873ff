import type { FileCheckDto, RecipientCheckDto } from '../../../client/generated/types.gen';
import { ambiguousNumbers } from './ambiguous-numbers';
import { firstMatch } from './first-match';
import { CELL_LANGUAGE, isOfPlace } from './list-place';
import { unlikelyNumbers } from './unlikely-numbers';

/** What of a check its warnings are read with. */
export type Warned = Pick<RecipientCheckDto, 'warnings'> & Partial<Pick<FileCheckDto, 'columns'>>;

const REPEATED = /^repeated_people: (\d+) .*first row (\d+)(?:.* is also in row (\d+))?/;
const LOCAL_DISPLAYS = /^Column ([A-Z]+) has dates or numbers that .* first row (\d+), which sends "(.*)"\. /s;

const DATE_ORDERS =
  /^Column ([A-Z]+) has dates (?:of both orders.*: row (\d+) has "(.*)", row (\d+) has "(.*)"\. |that can be read.* first row (\d+), which sends "(.*)"\. )/s;

/** Rows for people who have a row above with other contents, the number of the first one and of the row above it; 0: unknown. */
export function repeatedRows({ warnings }: Warned): { rows: number; first: number; earlier: number } {
  const [, rows = 0, first = 0, earlier = 0] = firstMatch(REPEATED, warnings) ?? [];
  return { rows: Number(rows), first: Number(first), earlier: Number(earlier) };
}

/** A column whose dates or numbers are sent as in the United States, whatever the spreadsheet program displays. */
export interface LocalDisplay {
  /** Header of the column, or its letter. */
  column: string;
  row: number;
  /** What the row sends. */
  text: string;
}

/** The columns that may be sent in another form than a person sees in the file. */
export function localDisplays({ warnings, columns = [] }: Warned): LocalDisplay[] {
  return warnings.flatMap((warning) => {
    const [, letter, row, text] = LOCAL_DISPLAYS.exec(warning) ?? [];
    if (letter === undefined || text === undefined) return [];
    return [{ column: headerOf(letter, columns), row: Number(row), text }];
  });
}

/** Whether the warnings of a check show that cells depend on the language, written in it or not. */
export function dependsOnLanguage(warnings: readonly string[]): boolean {
  return warnings.some((warning) => warning.startsWith(CELL_LANGUAGE) || LOCAL_DISPLAYS.test(warning));
}

/** A column of typed dates that may be read as another day. */
export interface DateOrder {
  /** Header of the column, or its letter. */
  column: string;
  row: number;
  text: string;
  /** A date with the day and the month the other way round; undefined: the order of all dates is unknown. */
  other: { row: number; text: string } | undefined;
}

/** The columns of dates that are sent as typed, in both orders or in an unknown one. */
export function dateOrders({ warnings, columns = [] }: Warned): DateOrder[] {
  return warnings.flatMap((warning): DateOrder[] => {
    const [, letter, row, text, otherRow, other, onlyRow, only] = DATE_ORDERS.exec(warning) ?? [];
    if (letter === undefined) return [];
    const column = headerOf(letter, columns);
    if (only !== undefined) return [{ column, row: Number(onlyRow), text: only, other: undefined }];
    return [{ column, row: Number(row), text: text!, other: { row: Number(otherRow), text: other! } }];
  });
}

function headerOf(letter: string, columns: NonNullable<Warned['columns']>): string {
  return columns.find(({ column }) => column === letter)?.header ?? letter;
}

/** The warnings without words of the console's own. */
export function otherWarnings({ warnings }: Warned): string[] {
  const isOwn = (text: string) =>
    REPEATED.test(text) ||
    LOCAL_DISPLAYS.test(text) ||
    DATE_ORDERS.test(text) ||
    ambiguousNumbers([text]) !== undefined ||
    unlikelyNumbers([text]) !== undefined ||
    isOfPlace(text);
  return warnings.filter((text) => !isOwn(text));
}
