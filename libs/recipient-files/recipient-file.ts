import type { FileLimits } from './file-limits';

/** The supported file types; detected by the file's bytes, never by its name. */
export type FileType = 'xlsx' | 'xls' | 'csv';

/** Options for reading a file. */
export interface ReadOptions {
  /** Number of required values per row, in columns 2 to valueCount + 1. `any`: all values of the row, none required. */
  valueCount: number | 'any';
  /** `auto`: the first non-blank row is a header if its first cell contains no digit. */
  header: 'auto' | 'present' | 'absent';
  /** A column after the first whose header is "name" (case-insensitive) contains the person's name instead of a value. */
  nameColumn?: boolean | undefined;
  /** `skip`: drops and counts rows with the same phone, in any spelling, and the same values as an earlier row. */
  duplicates: 'skip' | 'keep';
  /** ISO 3166 country of numbers without country code; absent: only international numbers are valid. */
  defaultCountry?: string | undefined;
  /** Maximum number of rows, including invalid and duplicate ones, excluding header and blank rows. */
  maxRows: number;
  limits?: Partial<FileLimits> | undefined;
}

/** A valid row: a phone of 8 to 15 digits (E.164 without `+`) and its values, trimmed, each at most 1,024 characters. */
export interface RecipientRow {
  /** 1-based row number as in a spreadsheet program, counting header and blank rows. */
  rowNumber: number;
  phone: string;
  values: string[];
  /** Present if there is a name column; may be empty. */
  name?: string | undefined;
}

/** Errors of a row. */
export type RowErrorCode =
  | 'phone_missing'
  | 'phone_invalid'
  | 'phone_scientific_notation'
  | 'parameter_missing'
  | 'parameter_too_long'
  | 'parameter_invalid_characters'
  | 'formula_without_value'
  | 'too_many_columns';

/** An invalid row, with its first error in column order. */
export interface InvalidRow {
  rowNumber: number;
  /** As written in the file, without control characters, cut to 64 characters. */
  phone: string;
  /** As written in the file, without control characters, each cut to 1,024 characters. */
  values: string[];
  code: RowErrorCode;
  /** `phone`, `name`, or `parameter n` with n from 1. */
  field: string;
  /** The error and its remedy. */
  message: string;
}

/** Up to 500 rows; both lists are in file order. */
export interface RowBatch {
  rows: RecipientRow[];
  invalidRows: InvalidRow[];
}

/** Totals of the whole file. */
export interface ReadSummary {
  fileType: FileType;
  /** Valid rows. */
  rows: number;
  invalidRows: number;
  duplicates: number;
  /** Blank rows above the last filled row. */
  emptyRows: number;
  warnings: string[];
  /** csv: the detected text encoding. */
  encoding?: string | undefined;
  /** csv: the detected delimiter. */
  delimiter?: string | undefined;
  /** xlsx, xls: the sheet that was read. */
  sheetName?: string | undefined;
  /** The cells of the header row, if there is one. */
  headerCells?: string[] | undefined;
}

/** A file being read in a separate thread or process. */
export interface RecipientFileReading {
  /**
   * Rows in file order; can be iterated once. Rejects with FileRefused if the file turns out to be unusable,
   * possibly after many batches: these must be discarded. Leaving the loop ends the reader.
   */
  batches: AsyncIterable<RowBatch>;
  /** Settles after `batches` has ended or rejected, never before. */
  summary: Promise<ReadSummary>;
  /** Ends the reader; `batches` and `summary` reject if they have not ended yet. */
  close(): Promise<void>;
}
