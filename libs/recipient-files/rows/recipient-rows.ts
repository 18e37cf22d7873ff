import { PhoneNumbers } from '../../phone-numbers/phone-numbers';
import { readPhoneNumber, readPhoneText } from '../../phone-numbers/phone-text';
import { FileRefused } from '../file-refused';
import type { ReadOptions, RecipientRow, RowBatch, InvalidRow } from '../recipient-file';
import type { SheetRow } from '../sheet-row';
import { PARAMETER_MAX_CHARACTERS, printable, readParameter } from './parameter-text';
import { columnName, ERROR_MESSAGES } from './row-messages';
import { SeenRows } from './seen-rows';

const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 1_000_000;
const MAX_PHONE_CHARACTERS = 64;
const MAX_HEADER_CHARACTERS = 256;
const NAME_HEADER = 'name';
const ANY_DIGIT = /\p{Nd}/u;

/** Validates the rows of a sheet as recipients and collects the results in batches. */
export class RecipientRows {
  readonly counts = { rows: 0, invalidRows: 0, duplicates: 0 };
  headerCells: string[] | undefined;
  /** 0-based index of the name column; -1 if there is none. */
  private nameColumn = -1;

  private readonly phones: PhoneNumbers;
  private readonly seen = new SeenRows();
  private batch: RowBatch = { rows: [], invalidRows: [] };
  private batchCharacters = 0;
  private filledRows = 0;
  private lastFilledRow = 0;
  private columns = 0;
  private rowsWithCollapsedSpaces = 0;

  constructor(private readonly options: ReadOptions) {
    this.phones = new PhoneNumbers(options.defaultCountry);
  }

  /** Adds the next row of the sheet. Throws FileRefused at the first row beyond `maxRows`. */
  add(row: SheetRow): void {
    const filled = filledCells(row);
    if (filled === 0) return;
    this.filledRows++;
    this.columns = Math.max(this.columns, filled);
    this.lastFilledRow = Math.max(this.lastFilledRow, row.rowNumber);
    if (this.isHeader(row)) {
      this.headerCells = row.cells.slice(0, filled).map((cell) => printable(cell, MAX_HEADER_CHARACTERS));
      if (this.options.nameColumn) this.nameColumn = nameColumnOf(this.headerCells);
      return;
    }
    this.rejectBeyondMaxRows();
    const outcome = this.check(row, filled);
    if ('code' in outcome) this.addInvalid(outcome);
    else this.addRow(outcome);
  }

  /** Whether the batch must be taken before another row is added. */
  isBatchFull(): boolean {
    return (
      this.batch.rows.length + this.batch.invalidRows.length >= BATCH_ROWS || this.batchCharacters >= BATCH_CHARACTERS
    );
  }

  /** Returns the rows added since the last call; undefined if there are none. */
  takeBatch(): RowBatch | undefined {
    const { batch } = this;
    if (batch.rows.length + batch.invalidRows.length === 0) return undefined;
    this.batch = { rows: [], invalidRows: [] };
    this.batchCharacters = 0;
    return batch;
  }

  /** Blank rows above the last filled one. */
  emptyRows(): number {
    return Math.max(0, this.lastFilledRow - this.filledRows);
  }

  /** Warnings about missing columns, and about values that were changed. */
  warnings(): string[] {
    const { valueCount } = this.options;
    const warnings: string[] = [];
    if (valueCount !== 'any' && this.columns <= valueCount) {
      const has = counted(this.columns, 'column');
      const needs = `the phone number and ${counted(valueCount, 'value')}`;
      warnings.push(
        `The file has ${has}, but the template needs ${valueCount + 1}: ${needs}. Add what is missing, or choose the right template.`,
      );
    }
    if (this.rowsWithCollapsedSpaces === 0) return warnings;
    const rows = counted(this.rowsWithCollapsedSpaces, 'row');
    warnings.push(
      `${rows}: line breaks, tabs or more than 4 spaces in a row inside a value were replaced by one space, because the platform rejects them.`,
    );
    return warnings;
  }

  private isHeader(row: SheetRow): boolean {
    if (this.options.header === 'absent' || this.headerCells !== undefined) return false;
    // Some programs write rows out of order, so row 1 may be read later.
    if (this.filledRows !== 1 && row.rowNumber !== 1) return false;
    if (this.options.header === 'present') return this.filledRows === 1;
    return !ANY_DIGIT.test(row.cells[0] ?? '') && row.withoutValue?.has(0) !== true;
  }

  private rejectBeyondMaxRows(): void {
    const { rows, invalidRows, duplicates } = this.counts;
    const { maxRows } = this.options;
    if (rows + invalidRows + duplicates < maxRows) return;
    throw new FileRefused({
      code: 'too_many_rows',
      limit: maxRows,
      message: `The file has more than ${maxRows.toLocaleString('en')} rows, which is the limit. Split it into smaller files.`,
    });
  }

  private addRow(row: RecipientRow): void {
    if (this.options.duplicates === 'skip' && !this.seen.add(row.phone, row.values)) {
      this.counts.duplicates++;
      return;
    }
    this.counts.rows++;
    this.batch.rows.push(row);
    for (const value of row.values) this.batchCharacters += value.length;
  }

  private addInvalid(row: InvalidRow): void {
    this.counts.invalidRows++;
    this.batch.invalidRows.push(row);
    for (const value of row.values) this.batchCharacters += value.length;
  }

  private check(row: SheetRow, filled: number): RecipientRow | InvalidRow {
    const phone = this.phoneOf(row);
    if (typeof phone !== 'string') return this.invalid(row, filled, 0, phone.code);
    const { valueCount } = this.options;
    let name = this.nameColumn < 0 ? undefined : '';
    const values: string[] = [];
    let collapsed = false;
    const lastColumn = valueCount === 'any' ? filled - 1 : valueCount;
    for (let column = 1; column <= lastColumn; column++) {
      if (row.withoutValue?.has(column)) return this.invalid(row, filled, column, 'formula_without_value');
      const value = readParameter(row.cells[column] ?? '');
      if (typeof value === 'string') return this.invalid(row, filled, column, value);
      if (value.text === '' && valueCount !== 'any') return this.invalid(row, filled, column, 'parameter_missing');
      if (column === this.nameColumn) name = value.text;
      else values.push(value.text);
      collapsed ||= value.collapsed;
    }
    if (filled - 1 > lastColumn) {
      return this.invalid(row, filled, firstFilled(row, lastColumn + 1), 'too_many_columns');
    }
    if (collapsed) this.rowsWithCollapsedSpaces++;
    return name === undefined
      ? { rowNumber: row.rowNumber, phone, values }
      : { rowNumber: row.rowNumber, phone, values, name };
  }

  private invalid(row: SheetRow, filled: number, column: number, code: InvalidRow['code']): InvalidRow {
    const phone = row.firstNumber === undefined ? row.cells[0] : String(row.firstNumber);
    return {
      rowNumber: row.rowNumber,
      phone: printable(phone ?? '', MAX_PHONE_CHARACTERS),
      values: row.cells.slice(1, filled).map((cell) => printable(cell, PARAMETER_MAX_CHARACTERS)),
      code,
      field: this.fieldOf(column),
      message: ERROR_MESSAGES[code](columnName(column), row.withoutValue?.get(column)),
    };
  }

  private fieldOf(column: number): string {
    if (column === 0) return 'phone';
    if (column === this.nameColumn) return 'name';
    return `parameter ${this.nameColumn > 0 && this.nameColumn < column ? column - 1 : column}`;
  }

  private phoneOf(row: SheetRow): string | { code: InvalidRow['code'] } {
    // An error such as #N/A has a text; a formula that was never calculated has none.
    if (row.withoutValue?.get(0) === '') return { code: 'formula_without_value' };
    const text = row.firstNumber === undefined ? readPhoneText(row.cells[0] ?? '') : readPhoneNumber(row.firstNumber);
    if (typeof text === 'string') return { code: text };
    return this.phones.resolve(text.digits, text.international) ?? { code: 'phone_invalid' };
  }
}

function counted(count: number, one: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${one}s`;
}

/** The cells up to the last non-blank one. */
function filledCells(row: SheetRow): number {
  let filled = row.cells.length;
  while (filled > 0 && isBlank(row, filled - 1)) filled--;
  return filled;
}

function firstFilled(row: SheetRow, from: number): number {
  let column = from;
  while (isBlank(row, column)) column++;
  return column;
}

function isBlank(row: SheetRow, column: number): boolean {
  const cell = row.cells[column];
  if (cell !== undefined && cell !== '' && cell.trim() !== '') return false;
  return row.withoutValue?.has(column) !== true;
}

function nameColumnOf(headerCells: readonly string[]): number {
  return headerCells.findIndex((cell, column) => column > 0 && cell.trim().toLowerCase() === NAME_HEADER);
}
