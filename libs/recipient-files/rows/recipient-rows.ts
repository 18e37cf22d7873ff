import { needsHeader, resolveColumns } from '../columns/resolve-columns';
import { FileRefused } from '../file-refused';
import type {
  AttributeColumn,
  ColumnSources,
  InvalidRow,
  ReadOptions,
  RecipientRow,
  ResolvedColumns,
  RowBatch,
  RowErrorCode,
  SheetLayout,
} from '../recipient-file';
import type { OpenedSheet, SheetRow } from '../sheet-row';
import { isUserId } from './extra-text';
import { PARAMETER_MAX_CHARACTERS, printable, readParameter } from './parameter-text';
import { otherCells, usesOf } from './other-cells';
import { columnName, ERROR_MESSAGES } from './row-messages';
import { DateOrders } from './date-orders';
import { LocalDisplays } from './local-displays';
import { filledCells, firstFilled, phoneCell } from './row-cells';
import { addExtras } from './row-extras';
import { RowIdentities, userIdOf } from './row-identities';
import { type PersonColumns, RowPhones } from './row-phones';
import { SeenRows } from './seen-rows';

const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 1_000_000;
const MAX_HEADER_CHARACTERS = 256;
const NAME_HEADER = 'name';
const ANY_DIGIT = /\p{Nd}/u;

/** Validates the rows of a sheet as recipients and collects the results in batches. */
export class RecipientRows {
  readonly counts = { rows: 0, invalidRows: 0, duplicates: 0 };
  headerCells: string[] | undefined;
  /** Absent: columns by position. */
  columns: ResolvedColumns | undefined;
  attributeColumns: AttributeColumn[] = [];
  /** 0-based index of the name column; -1 if there is none. */
  nameColumn = -1;
  private readonly needsHeader: boolean;
  private readonly defaults: ColumnSources['defaults'];

  private readonly phones: RowPhones;
  private readonly seen = new SeenRows();
  private readonly identities = new RowIdentities();
  private hasAllIdentities = false;
  private batch: RowBatch = { rows: [], invalidRows: [] };
  /** Rows from the first one with a user id on: whether they are duplicates is decided when its number is known. */
  private undecided: RecipientRow[] = [];
  private batchCharacters = 0;
  private filledRows = 0;
  private lastFilledRow = 0;
  private mostColumns = 0;
  private rowsWithCollapsedSpaces = 0;
  private uses: (string | undefined)[] | undefined;
  private columnsNotKept: string[] = [];
  private readonly localDisplays = new LocalDisplays();
  private readonly dateOrders = new DateOrders();

  /**
   * With `identifies`, `identify` must be called for the people in `unidentified` before each `takeBatch`. Throws FileRefused if a
   * column is named by its header, but no row is a header.
   */
  constructor(
    private readonly options: ReadOptions,
    private readonly identifies = false,
  ) {
    const { columns, header } = options;
    this.defaults = columns?.defaults;
    this.needsHeader = columns !== undefined && needsHeader(columns);
    if (columns && !(this.needsHeader && header !== 'absent')) this.columns = resolveColumns(columns, undefined);
    this.phones = new RowPhones(options);
  }

  /** Adds the next row of the sheet. Throws FileRefused at the first row beyond `maxRows`. */
  add(row: SheetRow): void {
    const filled = filledCells(row);
    if (filled === 0) return;
    this.filledRows++;
    this.mostColumns = Math.max(this.mostColumns, filled);
    this.lastFilledRow = Math.max(this.lastFilledRow, row.rowNumber);
    if (this.isHeader(row)) {
      this.headerCells = row.cells.slice(0, filled).map((cell) => printable(cell, MAX_HEADER_CHARACTERS));
      if (this.options.nameColumn) this.nameColumn = nameColumnOf(this.headerCells);
      if (this.options.columns) this.columns = resolveColumns(this.options.columns, this.headerCells);
      this.findAttributeColumns(this.headerCells);
      return;
    }
    this.rejectBeyondMaxRows();
    this.addIdentity(row);
    const outcome = this.check(row, filled);
    if (this.options.otherCells && this.columns) {
      outcome.otherCells = otherCells(row, outcome, (this.uses ??= usesOf(this.columns, this.defaults)));
    }
    if ('code' in outcome) this.addInvalid(outcome);
    else if (this.undecided.length > 0 || (this.identifies && userIdOf(outcome) !== undefined)) {
      this.addUndecided(outcome);
    } else this.addRow(outcome);
  }

  /** Whether the batch must be taken before another row is added. */
  isBatchFull(): boolean {
    const { rows, invalidRows } = this.batch;
    return (
      rows.length + invalidRows.length + this.undecided.length >= BATCH_ROWS || this.batchCharacters >= BATCH_CHARACTERS
    );
  }

  /** The user ids of people in the batch. */
  unidentified(): string[] {
    return this.undecided.map(userIdOf).filter((userId) => userId !== undefined);
  }

  /** Whether a row below may state the number of a person in the batch: `numbers` has none, and neither has a row above. */
  mayBeIdentifiedBelow(numbers: Readonly<Record<string, string>>): boolean {
    if (this.userIdColumn() === undefined || this.hasAllIdentities) return false;
    return this.unidentified().some((userId) => numbers[userId] === undefined && !this.identities.has(userId));
  }

  /** Adds the number and user id of every row of the sheet, which is read a second time. */
  async addIdentities(rows: OpenedSheet['rows']): Promise<void> {
    this.hasAllIdentities = true;
    for await (const some of rows) for (const row of some) this.addIdentity(row);
  }

  /** Gives these people their numbers, by user id, and drops duplicates among them; rows with another number are invalid. */
  identify(numbers: Readonly<Record<string, string>>): void {
    const { undecided, batch } = this;
    this.undecided = [];
    const before = batch.invalidRows.length;
    for (const row of undecided) {
      const userId = userIdOf(row);
      const identified = userId === undefined ? row : this.identities.identified(row, userId, numbers[userId]);
      if (identified) this.addRow(identified);
      else this.addInvalid({ ...row, ...this.errorAt(this.userIdColumn()!, 'recipient_ids_differ', 'userId') });
    }
    if (batch.invalidRows.length > before) batch.invalidRows.sort((a, b) => a.rowNumber - b.rowNumber);
  }

  /** Returns the rows added since the last call; undefined if there are none. */
  takeBatch(): RowBatch | undefined {
    const { batch } = this;
    if (batch.rows.length + batch.invalidRows.length === 0) return undefined;
    this.batch = { rows: [], invalidRows: [] };
    this.batchCharacters = 0;
    return this.options.cells ? { ...batch, headerCells: this.headerCells } : batch;
  }

  /** The columns of the sheet, complete after its last row. */
  layout(): SheetLayout {
    const headers = this.headerCells ?? [];
    const columns = Array.from({ length: Math.max(this.mostColumns, headers.length) }, (_, column) => column);
    const uses = this.columns
      ? usesOf(this.columns, this.defaults)
      : columns.map((column) => (column === 0 ? 'phone' : `values.${column - 1}`));
    return {
      titles: columns.map((column) => headers[column] || columnName(column)),
      uses: columns.map((column) => uses[column] ?? null),
    };
  }

  /** Blank rows above the last filled one. */
  emptyRows(): number {
    return Math.max(0, this.lastFilledRow - this.filledRows);
  }

  /** Warnings about missing columns, and about values that were changed. */
  warnings(): string[] {
    const { valueCount, columns } = this.options;
    const warnings: string[] = [];
    if (columns === undefined && valueCount !== 'any' && this.mostColumns <= valueCount) {
      const has = pluralized(this.mostColumns, 'column');
      const needs = `the phone number and ${pluralized(valueCount, 'value')}`;
      warnings.push(
        `The file has ${has}, but the template needs ${valueCount + 1}: ${needs}. Add what is missing, or choose the right template.`,
      );
    }
    if (this.columnsNotKept.length > 0) {
      const { maxCount, maxNameLength } = this.options.attributes!;
      warnings.push(
        `Not kept as attributes: ${this.columnsNotKept.join(', ')}. A header must be unique and have at most ${maxNameLength} characters, and a contact has at most ${maxCount} attributes.`,
      );
    }
    warnings.push(...this.phones.warnings(), ...this.localDisplays.warnings(), ...this.dateOrders.warnings());
    if (this.rowsWithCollapsedSpaces === 0) return warnings;
    const rows = pluralized(this.rowsWithCollapsedSpaces, 'row');
    warnings.push(
      `${rows}: line breaks, tabs or more than 4 spaces in a row inside a value were replaced by one space, because the platform rejects them.`,
    );
    return warnings;
  }

  /** Every column but the phone has an attribute, as far as its header can be a name. */
  private findAttributeColumns(headers: readonly string[]): void {
    const { attributes } = this.options;
    if (!attributes) return;
    const names = new Set<string>();
    const phone = this.columns?.phone ?? 0;
    headers.forEach((name, column) => {
      if (column === phone || name === '') return;
      if (names.has(name) || [...name].length > attributes.maxNameLength || names.size >= attributes.maxCount) {
        this.columnsNotKept.push(columnName(column));
      } else {
        names.add(name);
        this.attributeColumns.push({ name, column });
      }
    });
  }

  /** A row with a number and a user id states that both are one person, whatever else is wrong with it. */
  private addIdentity(row: SheetRow): void {
    const column = this.identifies ? this.userIdColumn() : undefined;
    const userId = column === undefined ? '' : (row.cells[column]?.trim() ?? '');
    if (!isUserId(userId)) return;
    const phone = this.phones.read(row, this.personColumns());
    if (!('code' in phone) && !isUserId(phone.number)) this.identities.state(userId, phone.number);
  }

  private isHeader(row: SheetRow): boolean {
    if (this.options.header === 'absent' || this.headerCells !== undefined) return false;
    if (row.isHeader) return true;
    // Some programs write rows out of order, so row 1 may be read later.
    if (this.filledRows !== 1 && row.rowNumber !== 1) return false;
    if (this.options.header === 'present' || this.needsHeader) return this.filledRows === 1;
    const phone = this.columns?.phone ?? 0;
    return !ANY_DIGIT.test(row.cells[phone] ?? '') && row.withoutValue?.has(phone) !== true;
  }

  private rejectBeyondMaxRows(): void {
    const { rows, invalidRows, duplicates } = this.counts;
    const { maxRows } = this.options;
    if (rows + invalidRows + duplicates + this.undecided.length < maxRows) return;
    throw new FileRefused({
      code: 'too_many_rows',
      limit: maxRows,
      message: `The file has more than ${maxRows.toLocaleString('en')} rows, which is the limit. Split it into smaller files.`,
    });
  }

  private addRow(row: RecipientRow): void {
    const { duplicates } = this.options;
    if (duplicates !== 'keep' && !(duplicates === 'skip' ? this.seen.addRow(row) : this.seen.addPerson(row))) {
      this.counts.duplicates++;
      return;
    }
    this.counts.rows++;
    this.batch.rows.push(row);
    this.countCharacters(row);
  }

  private addUndecided(row: RecipientRow): void {
    this.undecided.push(row);
    this.countCharacters(row);
  }

  private countCharacters({ values, otherCells: others, attributes }: Omit<RecipientRow, 'phone'>): void {
    for (const value of values) this.batchCharacters += value.length;
    if (others) for (const cell of others) this.batchCharacters += cell.length;
    for (const { name } of this.attributeColumns) this.batchCharacters += attributes?.[name]?.length ?? 0;
  }

  private addInvalid(row: InvalidRow): void {
    this.counts.invalidRows++;
    this.batch.invalidRows.push(row);
    this.countCharacters(row);
  }

  private check(row: SheetRow, filled: number): RecipientRow | InvalidRow {
    const { columns: mapped } = this;
    const phoneColumn = mapped?.phone ?? 0;
    const phone = this.phones.read(row, this.personColumns());
    if ('code' in phone) return this.withoutPhone(row, filled, phoneColumn, phone.code);
    const { valueCount } = this.options;
    let name = this.nameColumn < 0 ? undefined : '';
    const values: string[] = [];
    let collapsed = false;
    const last = mapped?.values.length ?? (valueCount === 'any' ? filled - 1 : valueCount);
    for (let place = 1; place <= last; place++) {
      const column = mapped ? mapped.values[place - 1]! : place;
      const value = row.withoutValue?.has(column) ? 'formula_without_value' : readParameter(row.cells[column] ?? '');
      if (typeof value === 'string') return this.invalid(row, filled, column, value, this.fieldOf(place));
      const text = value.text || this.defaults?.[place - 1] || '';
      if (text === '' && valueCount !== 'any') {
        return this.invalid(row, filled, column, 'parameter_missing', this.fieldOf(place));
      }
      if (place === this.nameColumn) name = text;
      else values.push(text);
      this.addDisplay(row, column, value.text);
      collapsed ||= value.collapsed;
    }
    if (!mapped && filled - 1 > last) {
      const column = firstFilled(row, last + 1);
      return this.invalid(row, filled, column, 'too_many_columns', this.fieldOf(column));
    }
    const valid: RecipientRow = { rowNumber: row.rowNumber, phone: phone.number, values };
    const [problem] = mapped ? addExtras(valid, row, mapped.extras) : [];
    if (problem) return this.invalid(row, filled, problem.column, problem.code, problem.field, problem.detail);
    if (name !== undefined) valid.name = name;
    const attributes: [string, string][] = [];
    for (const { name: header, column } of this.attributeColumns) {
      const value = row.withoutValue?.has(column) ? 'formula_without_value' : readParameter(row.cells[column] ?? '');
      if (typeof value === 'string') return this.invalid(row, filled, column, value, `attributes.${header}`);
      attributes.push([header, value.text]);
      if (mapped && !mapped.values.includes(column)) this.addDisplay(row, column, value.text);
      collapsed ||= value.collapsed;
    }
    if (attributes.length > 0) valid.attributes = Object.fromEntries(attributes);
    if (collapsed) this.rowsWithCollapsedSpaces++;
    this.phones.count(row, phoneColumn, phone);
    if (this.options.cells) valid.cells = this.cellsOf(row, filled);
    return valid;
  }

  private addDisplay(row: SheetRow, column: number, text: string): void {
    if (!this.options.cells) return;
    const isNumber = row.numbers?.has(column) === true;
    if (isNumber && this.options.cellLanguage === undefined)
      this.localDisplays.add(row.rowNumber, columnName(column), text);
    this.dateOrders.add(row.rowNumber, columnName(column), text, isNumber);
  }

  /** A row without a valid phone number; if its user id is invalid instead, that is the error. */
  private withoutPhone(row: SheetRow, filled: number, phoneColumn: number, code: RowErrorCode): InvalidRow {
    const column = this.userIdColumn();
    if (code === 'phone_missing' && column !== undefined) {
      const [problem] = addExtras({ phone: '' }, row, [{ field: 'userId', column }]);
      if (problem) return this.invalid(row, filled, column, problem.code, problem.field, problem.detail);
    }
    const detail = code === 'phone_invalid' ? (this.options.defaultCountry ?? '') : undefined;
    return this.invalid(row, filled, phoneColumn, code, 'phone', detail);
  }

  private invalid(
    row: SheetRow,
    filled: number,
    column: number,
    code: RowErrorCode,
    field: string,
    detail = row.withoutValue?.get(column),
  ): InvalidRow {
    const { columns: mapped } = this;
    const phoneColumn = mapped?.phone ?? 0;
    const values = mapped
      ? mapped.values.map((at, index) => row.cells[at] || this.defaults?.[index] || '')
      : row.cells.slice(1, filled);
    const invalid: InvalidRow = {
      rowNumber: row.rowNumber,
      phone: this.phones.userIdOf(row, this.personColumns()) ?? this.phones.textOf(row, phoneColumn),
      values: values.map(printableCell),
      ...this.errorAt(column, code, field, detail),
      ...(this.options.cells && { cells: this.cellsOf(row, filled) }),
    };
    if (mapped) addExtras(invalid, row, mapped.extras);
    return invalid;
  }

  private errorAt(column: number, code: RowErrorCode, field: string, detail?: string) {
    const header = this.columns && this.headerCells?.[column];
    const name = columnName(column) + (header ? ` ("${header}")` : '');
    return { code, field, message: ERROR_MESSAGES[code](name, detail) };
  }

  private cellsOf(row: SheetRow, filled: number): string[] {
    const phone = this.columns?.phone ?? 0;
    return row.cells
      .slice(0, filled)
      .map((cell, column) => printableCell(column === phone ? phoneCell(row, column) : cell));
  }

  private fieldOf(place: number): string {
    if (place === this.nameColumn) return 'name';
    return `parameter ${this.nameColumn > 0 && this.nameColumn < place ? place - 1 : place}`;
  }

  private personColumns(): PersonColumns {
    return { phone: this.columns?.phone ?? 0, userId: this.userIdColumn() };
  }

  private userIdColumn(): number | undefined {
    return this.columns?.extras.find(({ field }) => field === 'userId')?.column;
  }
}

function printableCell(cell: string): string {
  return printable(cell, PARAMETER_MAX_CHARACTERS);
}

function pluralized(count: number, one: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${one}s`;
}

function nameColumnOf(headerCells: readonly string[]): number {
  return headerCells.findIndex((cell, column) => column > 0 && cell.trim().toLowerCase() === NAME_HEADER);
}
