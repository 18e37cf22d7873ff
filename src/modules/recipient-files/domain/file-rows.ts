import type { RowError } from './recipient-files.errors';

/** An uploaded list on disk. */
export interface UploadedList {
  /** The account that uploaded it. */
  accountId: string;
  path: string;
}

/** How to read a file. */
export interface ReadingRules {
  /** How many values each row must have; `any`: no check. */
  valueCount: number | 'any';
  /** Whether a column with the header "name" contains names instead of values. */
  nameColumn?: boolean;
  /** auto: row 1 is a header if its first cell contains no digit. */
  header: 'auto' | 'present' | 'absent';
  duplicates: 'skip' | 'keep';
  /** ISO 3166 country of numbers without a country code; null: such numbers are invalid. */
  defaultCountry: string | null;
  maxRows: number;
}

/** A valid row. */
export interface ReadRow {
  rowNumber: number;
  phone: string;
  values: string[];
  /** Present if the file has a name column. */
  name?: string;
}

/** An invalid row, with its phone and values as far as they could be read. */
export type InvalidRow = ReadRow & RowError;

/** A batch of rows; each list is in file order. */
export interface ReadBatch {
  rows: ReadRow[];
  invalidRows: InvalidRow[];
}

/** Totals of a file, known after its last row. */
export interface FileSummary {
  duplicates: number;
  warnings: string[];
  /** The cells of the header row, if there is one. */
  headerCells?: string[] | undefined;
}

/** Adds the errors of invalid rows to a list that holds at most `most`. */
export function addErrors(errors: RowError[], invalidRows: readonly RowError[], most: number): void {
  for (const { rowNumber, field, code, message } of invalidRows.slice(0, Math.max(0, most - errors.length))) {
    errors.push({ rowNumber, field, code, message });
  }
}
