import type { RowError } from './recipient-files.errors';

/** An uploaded list on disk. */
export interface UploadedList {
  /** The account that uploaded it. */
  accountId: string;
  path: string;
}

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

/** The columns that were found, from 0. */
export interface ResolvedColumns {
  phone: number;
  /** -1: the value has no column. */
  values: number[];
  /** `field`: `headerMediaUrl`, …, or `quickReplyPayloads.0`. */
  extras: { field: string; column: number }[];
}

/** The columns of a sheet, from A to the last filled one. */
export interface SheetLayout {
  /** The header of each column, or its letters if it has none. */
  titles: string[];
  /** What each cell of the column repeats: `phone`, `values.0`, or a field as in ResolvedColumns; null: nothing. */
  uses: (string | null)[];
}

/** A guessed column: `source` is its header or its letters; null: none was found. */
export interface SuggestedColumn {
  source: string | null;
  confidence: 'high' | 'low' | 'none';
}

/** Guessed columns, to be confirmed by a person. */
export interface SuggestedColumns {
  phone: SuggestedColumn;
  /** One for each value, in order. */
  values: SuggestedColumn[];
  /** Only if names are wanted. */
  name?: SuggestedColumn;
  headerMediaUrl?: SuggestedColumn;
  reference?: SuggestedColumn;
  /** Only if it was found, as those below. */
  userId?: SuggestedColumn;
  headerMediaFileName?: SuggestedColumn;
  /** By the index of the button. */
  quickReplyPayloads?: Record<string, SuggestedColumn>;
  flowToken?: SuggestedColumn;
}

/** What columns are guessed for. */
export interface ColumnsWanted {
  /** For each value its title, and the name of its placeholder if it has one. */
  values: { title: string; name: string | null }[];
  /** Whether people have names of their own. */
  names?: boolean;
  /** Whether the message shows a file. */
  media: boolean;
  /** Whether it may be sent to people by user id. */
  userIds?: boolean;
  /** Whether that file has a name. */
  fileName?: boolean;
  /** Its quick-reply buttons, each with its index among all buttons. */
  quickReplies?: { index: number; label: string }[];
  /** Whether it has a flow button. */
  flow?: boolean;
}

export const ON_DUPLICATES = ['skip', 'keep', 'onePerPerson'] as const;

/**
 * skip: a repeated person with the same values, extras and reference is dropped and counted; onePerPerson: also with others, so that the
 * first valid row of each person is used.
 */
export type OnDuplicates = (typeof ON_DUPLICATES)[number];

/** How to read a file. */
export interface ReadingRules {
  /** How many values each row must have; `any`: no check. */
  valueCount: number | 'any';
  /** Absent: the phone is in column 1, then the values. */
  columns?: ColumnSources;
  /** Without columns: any column may have the phone numbers by which a sheet is found. */
  anyColumn?: boolean;
  /** Whether every row carries its cells. */
  cells?: boolean;
  /** With `columns`: every row carries the cells from which nothing was read, or something else. */
  otherCells?: boolean;
  /** Every row carries its columns other than the phone under their headers, up to these limits. */
  attributes?: { maxCount: number; maxNameLength: number };
  /** Whether a column with the header "name" contains names instead of values. */
  nameColumn?: boolean;
  /** auto: row 1 is a header if its first cell contains no digit. */
  header: 'auto' | 'present' | 'absent';
  /** The row number of the header; rows above are not read. Absent: the first filled row, or one found below titles. */
  headerRow?: number;
  /** The name of the sheet; absent: the first visible one with a list, else the first visible one. */
  sheet?: string;
  /** The BCP 47 language in which dates and numbers of cells are written; absent: by their format alone, in English. */
  cellLanguage?: string;
  duplicates: OnDuplicates;
  /** ISO 3166 country of numbers without a country code; null: such numbers are invalid. */
  defaultCountry: string | null;
  /** The import itself names the country, so digits that are also a valid international number are mobile numbers of the country. */
  nationalFirst?: boolean;
  /**
   * Finds the known numbers of people given by user id: they are read with both, and are the same people as those given by number.
   * Absent: no numbers are known.
   */
  numbersOf?: (userIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  maxRows: number;
}

/** A card of a carousel, by the names of its fields in a send. */
export interface CardFields {
  headerMediaId?: string;
  headerMediaUrl?: string;
  product?: { catalogId: string; productId: string };
  quickReplyPayloads?: Record<string, string>;
}

/** What a row gives beside its values, by the names of the fields of a send; only what is filled in. */
export interface RowExtras {
  headerMediaId?: string;
  headerMediaUrl?: string;
  headerMediaFileName?: string;
  quickReplyPayloads?: Record<string, string>;
  flowToken?: string;
  cards?: CardFields[];
}

/** A valid row. */
export interface ReadRow {
  rowNumber: number;
  /** The phone number, or the user id of a person without one. */
  phone: string;
  /** The user id beside the phone number; absent: none. */
  userId?: string;
  values: string[];
  /** Absent: none. */
  extras?: RowExtras;
  /** The client's reference of this recipient; absent: none. */
  reference?: string;
  /** Its cells as in the file, if the rules asked for them. */
  cells?: string[];
  /** If the rules ask for them: by column, the cells that the row does not have as its phone, values and so on; '' for those. */
  otherCells?: string[];
  /** Present if the file has a name column. */
  name?: string;
  /** If the rules ask for them and the file has a header row: the values by header; may be empty. */
  attributes?: Record<string, string>;
}

/** An invalid row, with its phone and values as far as they could be read. */
export type InvalidRow = ReadRow & RowError;

/** A batch of rows; each list is in file order. */
export interface ReadBatch {
  /** If the rules ask for cells: those of the header row, if there is one. */
  headerCells?: string[] | undefined;
  /** If the rules ask for cells, of a CSV file. */
  delimiter?: string | undefined;
  rows: ReadRow[];
  invalidRows: InvalidRow[];
}

/** Totals of a file, known after its last row. */
export interface FileSummary {
  duplicates: number;
  warnings: string[];
  /** The cells of the header row, if there is one. */
  headerCells?: string[] | undefined;
  layout: SheetLayout;
  /** Of a CSV file. */
  delimiter?: string | undefined;
  /** With columns in the rules: what they are. */
  columns?: ResolvedColumns | undefined;
  /** Of names, without columns in the rules, if there is one. */
  nameColumn?: number | undefined;
  /** With attributes in the rules: which columns they are. */
  attributeColumns?: { name: string; column: number }[];
}

/** Adds the errors of invalid rows to a list of at most `limit`. */
export function addErrors(errors: RowError[], invalidRows: readonly RowError[], limit: number): void {
  for (const row of invalidRows.slice(0, Math.max(0, limit - errors.length))) {
    const { rowNumber, field, code, message, cells, person } = row;
    errors.push({ rowNumber, field, code, message, ...(cells && { cells }), ...(person && { person }) });
  }
}
