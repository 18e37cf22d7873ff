import type { FileLimits } from './file-limits';

/** The supported file types; detected by the file's bytes, never by its name. */
export type FileType = 'xlsx' | 'xls' | 'csv';

/** Options for reading a file. */
export interface ReadOptions {
  /** Required values of each row: columns 2 to valueCount + 1. `any`: as many as the row has, none required. */
  valueCount: number | 'any';
  /** `auto`: the first filled row is a header when its first cell holds no digit. */
  header: 'auto' | 'present' | 'absent';
  /** A later column whose header is "name", in any case, contains the name of the person instead of a value. */
  nameColumn?: boolean | undefined;
  /** `skip`: a row with the phone, in any spelling, and the values of an earlier row is dropped and counted. */
  duplicates: 'skip' | 'keep';
  /** ISO 3166 country of numbers without country code; absent: only international numbers are valid. */
  defaultCountry?: string | undefined;
  /** Rows allowed, header and blank rows not counted, invalid and duplicate rows counted. */
  maxRows: number;
  limits?: Partial<FileLimits> | undefined;
}

/** A valid row: a phone of 8 to 15 digits (E.164 without `+`) and its values, trimmed, each at most 1,024 characters. */
export interface RecipientRow {
  /** The number that a spreadsheet program shows beside the row: from 1, header and blank rows count. */
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
  /** csv: the encoding the text was read in. */
  encoding?: string | undefined;
  /** csv: the character between two cells. */
  delimiter?: string | undefined;
  /** xlsx, xls: the sheet that was read. */
  sheetName?: string | undefined;
  /** The cells of the header row, when there is one. */
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
