import type { FileType } from './recipient-file';

/** One row of a sheet before validation; may be blank. */
export interface SheetRow {
  /** Row number as in a spreadsheet program, from 1. */
  rowNumber: number;
  /** Displayed texts; '' for an empty cell. */
  cells: string[];
  /** The stored number of the first cell if it is numeric, as its text may be rounded. */
  firstNumber?: number | undefined;
  /** The stored numbers of all numeric cells by column, if the caller asked for them. */
  numbers?: Map<number, number> | undefined;
  /** Cells without a usable value, by column from 0: their displayed error, or '' for a formula that was never calculated. */
  withoutValue?: Map<number, string> | undefined;
  /** It is the header, whatever its cells are. */
  isHeader?: true | undefined;
}

/** How the sheet of a workbook is read. */
export interface SheetReading {
  /** Rows have `numbers`. */
  keepsNumbers: boolean;
  /** Absent: the first visible sheet with a list, else the first visible one. */
  sheet?: string | undefined;
  /** Whether a sheet with these first rows has a list. */
  isList: (head: readonly SheetRow[]) => boolean;
  cellLanguage?: string | undefined;
}

/** An opened sheet; rows are yielded in chunks, in file order. */
export interface OpenedSheet {
  fileType: FileType;
  encoding?: string;
  delimiter?: string;
  sheetName?: string;
  /** The other visible sheets with rows, unless the caller named a sheet. */
  otherSheets?: string[];
  /** It was read instead of the first visible one, which has no list. */
  isFound?: boolean;
  rows: AsyncIterable<SheetRow[]> | Iterable<SheetRow[]>;
  /** Warnings about the sheet; complete once `rows` has ended. */
  warnings(): string[];
}
