import type { FileCheckDto, RecipientCheckDto } from '../../../client/generated/types.gen';

/** What of a check its warnings are read with. */
type Warned = Pick<RecipientCheckDto, 'warnings'> & Partial<Pick<FileCheckDto, 'columns'>>;

const REPEATED = /^repeated_people: (\d+) .*first row (\d+)(?:.* is also in row (\d+))?/;
const LOCAL_DISPLAYS = /^Column ([A-Z]+) has dates or numbers that .* first row (\d+), which sends "(.*)"\. /s;

/** Rows for people who have a row above with other contents, the number of the first one and of the row above it; 0: unknown. */
export function repeatedRows({ warnings }: Warned): { rows: number; first: number; earlier: number } {
  const [, rows = 0, first = 0, earlier = 0] =
    warnings.map((text) => REPEATED.exec(text)).find((match) => match !== null) ?? [];
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
    const header = columns.find(({ column }) => column === letter)?.header;
    return [{ column: header ?? letter, row: Number(row), text }];
  });
}

/** The warnings without words of the console's own. */
export function otherWarnings({ warnings }: Warned): string[] {
  return warnings.filter((text) => !REPEATED.test(text) && !LOCAL_DISPLAYS.test(text));
}
