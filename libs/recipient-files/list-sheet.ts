import { looksLikePhone } from './columns/cell-contents';
import { needsHeader, resolveColumns } from './columns/resolve-columns';
import { LOOKED_AT } from './columns/title-rows';
import { FileRefused } from './file-refused';
import type { ReadOptions } from './recipient-file';
import { isUserId } from './rows/extra-text';
import { columnsIn, namedHeader } from './rows/header-search';
import { filledCells, phoneCell } from './rows/row-cells';
import type { OpenedSheet, SheetRow } from './sheet-row';

/** Parts of a sheet in which its first rows are looked for; it may have formats, but no value, in a million rows. */
const MOST_CHUNKS = 16;
const HALF = 0.5;

/** The first filled rows of a sheet; none of one that cannot be read. */
export async function headOf(chunks: OpenedSheet['rows']): Promise<SheetRow[]> {
  const head: SheetRow[] = [];
  let read = 0;
  try {
    for await (const rows of chunks) {
      head.push(...rows.filter((row) => filledCells(row) > 0));
      if (head.length >= LOOKED_AT || ++read >= MOST_CHUNKS) break;
    }
  } catch (error) {
    // It is refused if it is the one that is read.
    if (!(error instanceof FileRefused)) throw error;
  }
  return head.slice(0, LOOKED_AT);
}

/**
 * Of the visible sheets, by their first rows, the index of the first with a list, else 0, and the names of the others with rows.
 * `heads`: of as many sheets as are looked into.
 */
export function sheetToRead(
  sheets: readonly { name: string }[],
  heads: readonly (readonly SheetRow[])[],
  isList: (head: readonly SheetRow[]) => boolean,
): { index: number; others: string[] } {
  const index = Math.max(0, heads.findIndex(isList));
  const others = sheets.filter((_, other) => other !== index && heads[other]?.some(hasText));
  return { index, others: others.map(({ name }) => name) };
}

/**
 * Whether the first rows have what is read: below the headers of `columns` a cell with the person, else a number in the phone column, or
 * while that is not known a column that is mostly numbers.
 */
export function isListFor({ columns, headerRow, anyColumn }: ReadOptions): (head: readonly SheetRow[]) => boolean {
  if (columns && needsHeader(columns)) {
    return (head) => {
      const header = headerRow === undefined ? namedHeader(head, columns) : rowOf(head, headerRow);
      const found = header < 0 ? undefined : columnsIn(head[header]!, columns);
      return found !== undefined && head.slice(header + 1).some((row) => phoneCell(row, found.phone).trim() !== '');
    };
  }
  if (anyColumn) return hasPhoneColumn;
  const phone = columns ? resolveColumns(columns, undefined).phone : 0;
  return (head) => head.some((row) => isPerson(phoneCell(row, phone)));
}

function hasPhoneColumn(head: readonly SheetRow[]): boolean {
  const width = Math.max(0, ...head.map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, column) => column).some((column) => {
    const cells = head.map((row) => phoneCell(row, column).trim()).filter(Boolean);
    const numbers = cells.filter(isPerson).length;
    // One cell may be the header.
    return numbers > 0 && numbers >= (cells.length - 1) * HALF;
  });
}

function isPerson(cell: string): boolean {
  return looksLikePhone(cell) || isUserId(cell.trim());
}

function rowOf(head: readonly SheetRow[], rowNumber: number): number {
  return head.findIndex((row) => row.rowNumber === rowNumber);
}

function hasText({ cells }: SheetRow): boolean {
  return cells.some((cell) => cell.trim() !== '');
}
