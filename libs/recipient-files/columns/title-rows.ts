import { isHeader, looksLikePhone } from './cell-contents';
import { meaningOf } from './header-words';

/** The first filled rows that are looked at for a header. */
export const LOOKED_AT = 15;
/** Rows above the header, such as a title, a date and a sentence. */
export const MOST_TITLES = 9;
const HALF = 0.5;
const PHONE_KINDS: readonly unknown[] = ['mobile', 'phone', 'contact'];

/**
 * The number of rows above the header of a list; 0 if the first row is the header, and where no header is certain: a word for phone numbers
 * above numbers, or below a title of one cell a row of texts above numbers. `rows`: the cells of the first filled rows, of which LOOKED_AT
 * are used.
 */
export function titleRows(rows: readonly (readonly string[])[]): number {
  const first = rows.slice(0, LOOKED_AT);
  const named = first.slice(0, MOST_TITLES + 1).map((_, index) => columnBelow(first, index, isNamed));
  // A title may contain such a word too.
  const header = named.findIndex((column, index) => column >= 0 && !(named[index + 1]! >= 0));
  if (header >= 0) {
    const column = named[header]!;
    return first.slice(0, header).some((cells) => looksLikePhone(cells[column] ?? '')) ? 0 : header;
  }
  const wide = first.findIndex((cells) => filled(cells) > 1);
  if (wide < 1 || wide > MOST_TITLES || first.slice(0, wide).some((cells) => cells.some(looksLikePhone))) return 0;
  return columnBelow(first, wide, isText) >= 0 ? wide : 0;
}

/** The column of a header row whose cell passes the test, and which contains mostly numbers below; -1: none. */
function columnBelow(rows: readonly (readonly string[])[], index: number, test: (header: string) => boolean): number {
  const header = rows[index]!;
  if (!isHeader(header)) return -1;
  const below = rows.slice(index + 1);
  return header.findIndex((cell, column) => {
    if (!test(cell)) return false;
    const cells = below.map((row) => row[column]?.trim() ?? '').filter(Boolean);
    return cells.length > 0 && cells.filter(looksLikePhone).length >= cells.length * HALF;
  });
}

function isNamed(header: string): boolean {
  return PHONE_KINDS.includes(meaningOf(header).kind);
}

function isText(header: string): boolean {
  return /\p{L}/u.test(header) && meaningOf(header).kind !== 'other';
}

function filled(cells: readonly string[]): number {
  return cells.filter((cell) => cell.trim() !== '').length;
}
