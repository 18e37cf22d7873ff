import type { RowError } from './recipient-files.errors';

/** How a file is to be read. */
export interface ReadingRules {
  /** Placeholders that each row must fill; `any`: as many as it fills. */
  valueCount: number | 'any';
  /** A column whose header is "name" holds names, and no values. */
  nameColumn?: boolean;
  /** auto: row 1 is a header when its first cell holds no digit. */
  header: 'auto' | 'present' | 'absent';
  duplicates: 'skip' | 'keep';
  /** ISO 3166 country for national numbers; null: only international ones. */
  defaultCountry: string | null;
  maxRows: number;
}

/** A row that can be sent. */
export interface ReadRow {
  rowNumber: number;
  phone: string;
  values: string[];
  /** Present where the file has a column of names. */
  name?: string;
}

/** A row that cannot; its phone and values are as far as they could be read. */
export type ReadFault = ReadRow & RowError;

/** Rows in the order of the file, likewise the faults. */
export interface ReadBatch {
  rows: ReadRow[];
  faults: ReadFault[];
}

/** What is known of a file once it was read to its end. */
export interface FileSummary {
  duplicates: number;
  warnings: string[];
}

/** Adds the faults to the errors as far as these are to be told, `most` at most. */
export function tellFaults(errors: RowError[], faults: readonly RowError[], most: number): void {
  for (const { rowNumber, field, code, message } of faults.slice(0, Math.max(0, most - errors.length))) {
    errors.push({ rowNumber, field, code, message });
  }
}
