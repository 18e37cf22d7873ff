import type { NationalNumbers } from '../phone-numbers/ambiguous-numbers';
import type { FileLimits } from './file-limits';

/** The supported file types; detected by the file's bytes, never by its name. */
export type FileType = 'xlsx' | 'xls' | 'csv';

/** Where a row has what: each source is a header of the file or the letters of a column. */
export interface ColumnSources {
  phone: string;
  userId?: string | undefined;
  /** One for each value, in order; empty: none, and its default is the value of all rows. */
  values: string[];
  /** By value: the text of rows whose cell is empty; null: none, and such rows are invalid. */
  defaults?: (string | null)[] | undefined;
  name?: string | undefined;
  /** Follows the name. */
  lastName?: string | undefined;
  headerMediaId?: string | undefined;
  headerMediaUrl?: string | undefined;
  headerMediaFileName?: string | undefined;
  reference?: string | undefined;
  /** By the index of the button. */
  quickReplyPayloads?: Record<string, string> | undefined;
  flowToken?: string | undefined;
}

/** What a column fills beside phone and values: `userId`, `headerMediaUrl`, …, or `quickReplyPayloads.0`. */
export interface ExtraColumn {
  field: string;
  column: number;
}

/** The 0-based columns of a file. */
export interface ResolvedColumns {
  phone: number;
  /** -1: the value has no column. */
  values: number[];
  extras: ExtraColumn[];
}

/** The columns of a sheet, from A to the last filled one. */
export interface SheetLayout {
  /** The header of each column, or its letters if it has none. */
  titles: string[];
  /** What each cell of the column repeats: `phone`, `values.0`, or a field as in ExtraColumn; null: nothing. */
  uses: (string | null)[];
}

/** A column that is kept under its header. */
export interface AttributeColumn {
  name: string;
  column: number;
}

/** What a row has beside phone and values; only what is filled in. */
export interface RowExtras {
  headerMediaId?: string;
  headerMediaUrl?: string;
  headerMediaFileName?: string;
  quickReplyPayloads?: Record<string, string>;
  flowToken?: string;
}

/** Options for reading a file. */
export interface ReadOptions extends NationalNumbers {
  /** Number of required values per row, in columns 2 to valueCount + 1. `any`: all values of the row, none required. */
  valueCount: number | 'any';
  /** Where each row has its phone, values and extras; other columns are ignored. Absent: the phone is in column 1, then the values. */
  columns?: ColumnSources | undefined;
  /** Without `columns`: any column may have the phone numbers by which a sheet is found. */
  anyColumn?: boolean | undefined;
  /** Every row carries its cells. */
  cells?: boolean | undefined;
  /** With `columns`, every row carries the cells from which nothing was read, or something else, for giving the sheet back. */
  otherCells?: boolean | undefined;
  /**
   * `auto`: the first non-blank row is a header if the cell of its phone column contains no digit, and always if `columns` contains a
   * header.
   */
  header: 'auto' | 'present' | 'absent';
  /**
   * The row number of the header; rows above are not read. Absent: the first non-blank row may be one, or with `auto` and with `columns` by
   * header a row below titles.
   */
  headerRow?: number | undefined;
  /**
   * The name of the sheet (xlsx, xls); absent: the first visible one with phone numbers, or with the headers of `columns`, in its first rows, else
   * the first visible one.
   */
  sheet?: string | undefined;
  /**
   * The BCP 47 language of the spreadsheet program (xlsx, xls), in which dates and numbers of cells are written; absent: by their format alone,
   * in English.
   */
  cellLanguage?: string | undefined;
  /** A column after the first whose header is "name" (case-insensitive) contains the person's name instead of a value. */
  nameColumn?: boolean | undefined;
  /** Every row carries its columns other than the phone under their headers, up to these limits. Absent: it does not. */
  attributes?: { maxCount: number; maxNameLength: number } | undefined;
  /**
   * `skip`: drops and counts rows with the same phone, in any spelling, and the same values as an earlier row; `onePerPerson`: drops and
   * counts all further valid rows of a person.
   */
  duplicates: 'skip' | 'keep' | 'onePerPerson';
  /** Maximum number of rows, including invalid and duplicate ones, excluding header and blank rows. */
  maxRows: number;
  limits?: Partial<FileLimits> | undefined;
}

/** A valid row: a phone of 8 to 15 digits (E.164 without `+`), or a user id, and its values, trimmed, each at most 1,024 characters. */
export interface RecipientRow {
  /** 1-based row number as in a spreadsheet program, counting header and blank rows. */
  rowNumber: number;
  /** The user id if the row has no phone number and none is known. */
  phone: string;
  /** From `columns` beside a phone number, or by which the row was given if the number is known; absent: none. */
  userId?: string | undefined;
  values: string[];
  /** From `columns`; absent: none. */
  extras?: RowExtras | undefined;
  /** From `columns`; absent: none. */
  reference?: string | undefined;
  /** With the option `cells`: all cells up to the last filled one, as in InvalidRow.values. */
  cells?: string[] | undefined;
  /** With the option `otherCells`: the texts by column; '' in columns that `values`, `phone` and so on repeat. Absent: all are ''. */
  otherCells?: string[] | undefined;
  /** Present if there is a name column; may be empty. */
  name?: string | undefined;
  /** With the option `attributes` and a header row: the values, as read for placeholders; may be empty. */
  attributes?: Record<string, string> | undefined;
}

/** Errors of a row. */
export type RowErrorCode =
  | 'phone_missing'
  | 'phone_invalid'
  | 'phone_scientific_notation'
  | 'user_id_invalid'
  | 'recipient_ids_differ'
  | 'parameter_missing'
  | 'parameter_too_long'
  | 'parameter_invalid_characters'
  | 'parameter_invalid'
  | 'formula_without_value'
  | 'too_many_columns';

/** An invalid row, with its first error in column order. */
export interface InvalidRow {
  rowNumber: number;
  /** As written in the file, without control characters, cut to 64 characters; the user id if the row has no phone number. */
  phone: string;
  /** As in RecipientRow, as far as they are valid, as the next three. */
  userId?: string | undefined;
  name?: string | undefined;
  extras?: RowExtras | undefined;
  reference?: string | undefined;
  /** As written in the file, without control characters, each cut to 1,024 characters. */
  values: string[];
  /** With the option `cells`: all cells up to the last filled one, as in `values`. */
  cells?: string[] | undefined;
  /** As in RecipientRow. */
  otherCells?: string[] | undefined;
  code: RowErrorCode;
  /** `phone`, `userId`, `name`, `parameter n` with n from 1, `attributes.<header>`, or a field of RowExtras or `reference`. */
  field: string;
  /** The error and its remedy. */
  message: string;
}

/** Up to 500 rows; both lists are in file order. */
export interface RowBatch {
  /** With the option `cells`: the cells of the header row, if it has been read. */
  headerCells?: string[] | undefined;
  /** csv, with the option `cells`: the detected delimiter. */
  delimiter?: string | undefined;
  rows: RecipientRow[];
  invalidRows: InvalidRow[];
}

/** Looks up the phone numbers of people given by user id; returns those that are known, by user id. */
export type NumberLookup = (userIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

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
  layout: SheetLayout;
  /** With the option `columns`: what they are. */
  columns?: ResolvedColumns | undefined;
  /** Of names, without the option `columns`; absent: there is none. */
  nameColumn?: number | undefined;
  /** With the option `attributes`: what is kept. */
  attributeColumns: AttributeColumn[];
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
