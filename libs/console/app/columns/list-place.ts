import { firstMatch } from './first-match';

/** Where the list is in a file; absent: as the service finds it. */
export interface ListPlace {
  sheet?: string;
  headerRow?: number;
}

/** The sheets of a workbook with rows: the one that is read, and the others. */
export interface Sheets {
  read: string;
  others: readonly string[];
}

const NAME = /"(?:[^"\\]|\\.)*"/g;
const OTHER_SHEETS =
  /^(?:other_sheets: Only the sheet|The first visible sheet,) ("(?:[^"\\]|\\.)*").* Other sheets with rows: (.*)\. To read one/s;
/** How the warning begins that cells were written in a language. */
export const CELL_LANGUAGE = 'cell_language: ';
const HEADER_ROW = /^header_row: Row (\d+) was read as the header\./;

/** The sheets that a warning of a check, or the error of an empty first sheet, names; undefined: there is one. */
export function sheetsOf(texts: readonly string[]): Sheets | undefined {
  const [, read, others] = firstMatch(OTHER_SHEETS, texts) ?? [];
  if (read === undefined || others === undefined) return undefined;
  return { read: nameOf(read), others: (others.match(NAME) ?? []).map(nameOf) };
}

/** The header that the service found below titles, as a row number; undefined: it is in the first row. */
export function foundHeaderRow(warnings: readonly string[]): number | undefined {
  const [, row] = firstMatch(HEADER_ROW, warnings) ?? [];
  return row === undefined ? undefined : Number(row);
}

/** Whether a warning is one of the two, or on the language of dates and numbers, which have fields of their own. */
export function isOfPlace(warning: string): boolean {
  return OTHER_SHEETS.test(warning) || HEADER_ROW.test(warning) || warning.startsWith(CELL_LANGUAGE);
}

/** The language of a template or of the console as `cellLanguage`; undefined: English, or one that is not known, in which cells are not written. */
export function cellLanguageOf(code: string): string | undefined {
  const language = code.replaceAll('_', '-');
  const isKnown = Intl.DateTimeFormat.supportedLocalesOf(language).length > 0;
  return isKnown && new Intl.Locale(language).language !== 'en' ? language : undefined;
}

function nameOf(text: string): string {
  return JSON.parse(text) as string;
}
