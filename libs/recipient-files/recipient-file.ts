import type { FileLimits } from './file-limits';

/** The kinds of file that are read; decided by the file's bytes, never by its name. */
export type FileType = 'xlsx' | 'xls' | 'csv';

/** What the caller knows about the file and wants from it. */
export interface ReadOptions {
  /** Values that each row must fill: columns 2 to valueCount + 1. `any`: as many as the row has, none of them required. */
  valueCount: number | 'any';
  /** `auto`: the first filled row is a header when its first cell holds no digit. */
  header: 'auto' | 'present' | 'absent';
  /** A later column whose header is "name", in any case, holds the name of the person and no value. */
  nameColumn?: boolean | undefined;
  /** `skip`: a row with the phone and the values of an earlier row is dropped and counted. */
  duplicates: 'skip' | 'keep';
  /** ISO 3166 code of the country whose national numbers are understood; absent: only international numbers are. */
  defaultCountry?: string | undefined;
  /** Rows allowed, header and blank rows not counted, faulty and duplicate rows counted. */
  maxRows: number;
  limits?: Partial<FileLimits> | undefined;
}

/** A row that can be sent: a phone of 8 to 15 digits (E.164 without `+`) and its values, trimmed, each at most 1,024 characters. */
export interface RecipientRow {
  /** The number that a spreadsheet program shows beside the row: from 1, header and blank rows count. */
  rowNumber: number;
  phone: string;
  values: string[];
  /** Present where there is a column of names; it may be empty. */
  name?: string | undefined;
}

/** What can be wrong with a row. */
export type RowFaultCode =
  | 'phone_missing'
  | 'phone_invalid'
  | 'phone_scientific_notation'
  | 'parameter_missing'
  | 'parameter_too_long'
  | 'parameter_invalid_characters'
  | 'formula_without_value'
  | 'too_many_columns';

/** A row that cannot be sent, with its first fault in the order of the columns. */
export interface RowFault {
  rowNumber: number;
  /** As written in the file, without control characters, cut to 64 characters. */
  phone: string;
  /** As written in the file, without control characters, each cut to 1,024 characters. */
  values: string[];
  code: RowFaultCode;
  /** `phone`, `name`, or `parameter n` with n from 1. */
  field: string;
  /** What is wrong and what to do about it. */
  message: string;
}

/** Up to 500 rows; both lists stand in the order of the file. */
export interface RowBatch {
  rows: RecipientRow[];
  faults: RowFault[];
}

/** What was met in the whole file. */
export interface ReadSummary {
  fileType: FileType;
  /** Rows that can be sent. */
  rows: number;
  faults: number;
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

/** A file being read in a thread or process of its own. */
export interface RecipientFileReading {
  /**
   * Rows in the order of the file; can be gone through once. Rejects with FileRefused when the file turns out to be bad,
   * which may be after many batches: what was delivered until then is to be discarded. Leaving the loop ends the reader.
   */
  batches: AsyncIterable<RowBatch>;
  /** Settles when `batches` has been gone through to its end, or has rejected; never before. */
  summary: Promise<ReadSummary>;
  /** Ends the reader; `batches` and `summary` reject if they have not come to their end. */
  close(): Promise<void>;
}
