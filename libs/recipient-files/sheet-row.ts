import type { FileType } from './recipient-file';

/** One filled or blank row of a sheet, before any rule about recipients. */
export interface SheetRow {
  /** As a spreadsheet program shows it, from 1. */
  rowNumber: number;
  /** Text as the user sees it; '' where a cell is empty. */
  cells: string[];
  /** The stored number of the first cell, when that cell is numeric: its text may be rounded. */
  firstNumber?: number | undefined;
  /** Cells that have no usable value, by column from 0: the error they show, or '' for a formula that was never calculated. */
  withoutValue?: Map<number, string> | undefined;
}

/** The sheet of a file, opened: rows arrive in lists, in the order of the file. */
export interface OpenedSheet {
  fileType: FileType;
  encoding?: string;
  delimiter?: string;
  sheetName?: string;
  rows: AsyncIterable<SheetRow[]> | Iterable<SheetRow[]>;
  /** What the user may want to know about the sheet; complete once `rows` has ended. */
  warnings(): string[];
}
