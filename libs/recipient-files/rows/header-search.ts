import { needsHeader, resolveColumns } from '../columns/resolve-columns';
import { LOOKED_AT, MOST_TITLES, titleRows } from '../columns/title-rows';
import { FileRefused } from '../file-refused';
import type { ColumnSources, ReadOptions, ResolvedColumns } from '../recipient-file';
import type { OpenedSheet, SheetRow } from '../sheet-row';
import { printable } from './parameter-text';
import { filledCells, phoneCell } from './row-cells';

const TITLE_CHARACTERS = 80;

/** Leaves out the rows above the header: those above `headerRow`, or those that look like titles. */
export class HeaderSearch {
  /** Filled rows that were left out. */
  skipped = 0;
  private found: { title: SheetRow; header: SheetRow } | undefined;

  constructor(private readonly options: ReadOptions) {}

  /** The rows from the header on, with a mark on a header that was named or found. Throws FileRefused if row `headerRow` is blank. */
  async *below(chunks: OpenedSheet['rows']): AsyncGenerator<SheetRow[]> {
    const { headerRow = 0, header, columns } = this.options;
    const guesses = header === 'auto' || (columns !== undefined && needsHeader(columns));
    let head: SheetRow[] | undefined = headerRow > 0 || guesses ? [] : undefined;
    for await (const chunk of chunks) {
      const rows = headerRow > 0 ? chunk.filter((row) => this.isFrom(headerRow, row)) : chunk;
      if (head === undefined) {
        yield rows;
        continue;
      }
      head = head.concat(rows.filter((row) => filledCells(row) > 0));
      if (head.length < LOOKED_AT) continue;
      yield this.fromHeader(head);
      head = undefined;
    }
    if (head !== undefined) yield this.fromHeader(head);
  }

  /** The warning that rows were taken as titles. */
  warnings(): string[] {
    if (!this.found) return [];
    const { title, header } = this.found;
    const text = printable(title.cells.find((cell) => cell.trim() !== '') ?? '', TITLE_CHARACTERS);
    return [
      `header_row: Row ${header.rowNumber} was read as the header. What is above it was taken as a title and not read, such as ` +
        `"${text}" in row ${title.rowNumber}. If this is wrong, send the row number of the header as headerRow.`,
    ];
  }

  private isFrom(headerRow: number, row: SheetRow): boolean {
    if (row.rowNumber >= headerRow) return true;
    if (filledCells(row) > 0) this.skipped++;
    return false;
  }

  private fromHeader(head: SheetRow[]): SheetRow[] {
    const { headerRow } = this.options;
    if (headerRow !== undefined) {
      const header = head.find(({ rowNumber }) => rowNumber === headerRow);
      if (!header) throw withoutHeader(headerRow);
      return [{ ...header, isHeader: true }, ...head.filter((row) => row !== header)];
    }
    const titles = this.titlesOf(head);
    const [title] = head;
    const header = head[titles];
    if (titles === 0 || !title || !header) return head;
    this.skipped = titles;
    this.found = { title, header };
    return [{ ...header, isHeader: true }, ...head.slice(titles + 1)];
  }

  private titlesOf(head: readonly SheetRow[]): number {
    // Some programs write rows out of order.
    if (head.some(({ rowNumber }, index) => index > 0 && rowNumber < head[index - 1]!.rowNumber)) return 0;
    const { columns } = this.options;
    if (columns === undefined || !needsHeader(columns)) return titleRows(head.map(cellsOf));
    return Math.max(0, namedHeader(head, columns));
  }
}

/** The columns by their headers in a row; undefined if one is missing. */
export function columnsIn({ cells }: SheetRow, columns: ColumnSources): ResolvedColumns | undefined {
  try {
    return resolveColumns(columns, cells);
  } catch {
    return undefined;
  }
}

/** The index of the first row with all headers of the columns, below titles at most; -1: none. */
export function namedHeader(head: readonly SheetRow[], columns: ColumnSources): number {
  return head.slice(0, MOST_TITLES + 1).findIndex((row) => columnsIn(row, columns) !== undefined);
}

function cellsOf(row: SheetRow): string[] {
  return row.cells.map((cell, column) => (column === 0 ? phoneCell(row, column) : cell));
}

function withoutHeader(headerRow: number): FileRefused {
  return new FileRefused({
    code: 'header_row_empty',
    message: `headerRow is ${headerRow}, but that row of the file is empty. Give the number that a spreadsheet program shows beside the header.`,
  });
}
