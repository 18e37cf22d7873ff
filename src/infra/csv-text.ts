import { stringify } from 'csv-stringify/sync';

/** A row: its cells in the order of the columns; null is an empty cell. */
export type CsvRow = readonly (string | number | Date | null)[];

/** What spreadsheet programs read as the start of a formula, also after blanks and line breaks, and in full width. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;
/** Dropped by them at the beginning of a cell. */
const DROPPED = /^[\t\r\n]/;

/**
 * Formats rows as CSV. Quotes every cell, so that it may contain line breaks and delimiters, and puts an apostrophe before text that a
 * spreadsheet program would run as a formula. `bom` adds the mark by which these programs recognise UTF-8.
 */
export function csvText(rows: readonly CsvRow[], { bom = false, delimiter = ',' } = {}): string {
  return stringify(
    rows.map((cells) => [...cells]),
    {
      bom,
      delimiter,
      record_delimiter: 'windows',
      quoted: true,
      cast: { string: withoutFormula, date: (time) => time.toISOString() },
    },
  );
}

/** A table as CSV in pieces, by default with commas; the first starts with the mark of UTF-8 and the header. */
export async function* csvParts(
  header: CsvRow,
  parts: AsyncIterable<CsvRow[]>,
  delimiter?: string,
): AsyncGenerator<string> {
  let head: CsvRow[] = [header];
  for await (const part of parts) {
    yield csvText([...head, ...part], { bom: head.length > 0, delimiter });
    head = [];
  }
}

function withoutFormula(text: string): string {
  return FORMULA.test(text) || DROPPED.test(text) ? `'${text}` : text;
}
