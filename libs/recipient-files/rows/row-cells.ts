import type { SheetRow } from '../sheet-row';

/** The stored number of a cell; undefined: it is not numeric, or its number was not read. */
export function numberOf(row: SheetRow, column: number): number | undefined {
  return column === 0 ? row.firstNumber : row.numbers?.get(column);
}

/** The stored number rather than the displayed one, which may be rounded. */
export function phoneCell(row: SheetRow, column: number): string {
  const number = numberOf(row, column);
  return number === undefined ? (row.cells[column] ?? '') : String(number);
}

/** The cells up to the last non-blank one. */
export function filledCells(row: SheetRow): number {
  let filled = row.cells.length;
  while (filled > 0 && isBlank(row, filled - 1)) filled--;
  return filled;
}

/** The first non-blank cell at or after `from`; there must be one. */
export function firstFilled(row: SheetRow, from: number): number {
  let column = from;
  while (isBlank(row, column)) column++;
  return column;
}

function isBlank(row: SheetRow, column: number): boolean {
  const cell = row.cells[column];
  if (cell !== undefined && cell !== '' && cell.trim() !== '') return false;
  return row.withoutValue?.has(column) !== true;
}
