import type { FileLimits } from '../file-limits';
import { corrupt, tooLarge } from '../file-refused';
import type { NumberFormats } from '../number-formats';
import type { SheetRow } from '../sheet-row';
import type { CellStyles } from './cell-styles';
import { cellText, type CellContext } from './cell-text';
import type { SharedStrings } from './shared-strings';
import { attribute, decodeXmlText } from './xml-text';
import type { XmlHandler } from './xml-tokenizer';

const LAST_ROW = 1_048_576;
const LAST_COLUMN = 16_384;

/** Collects the rows of a worksheet from its XML, except blank ones. */
export class SheetHandler implements XmlHandler {
  /** Complete rows; the consumer replaces the list by an empty one. */
  rows: SheetRow[] = [];
  hiddenRows = 0;
  formulas = 0;

  private readonly context: CellContext;
  private inSheet = false;
  private row: SheetRow = { rowNumber: 0, cells: [] };
  private rowIsHidden = false;
  private rowIsFilled = false;
  private column = -1;
  private cellAttributes = '';
  private value = '';
  private hasFormula = false;
  private hasValue = false;
  private collecting = false;
  private phoneticDepth = 0;
  private characters = 0;

  constructor(
    strings: SharedStrings,
    styles: CellStyles,
    formats: NumberFormats,
    private readonly limits: FileLimits,
    private readonly keepsNumbers: boolean,
  ) {
    this.context = { strings, styles, formats, maxCharacters: limits.cellCharacters };
  }

  open(name: string, attributes: string): void {
    switch (name) {
      case 'sheetData':
        this.inSheet = true;
        return;
      case 'row':
        if (this.inSheet) this.startRow(attributes);
        return;
      case 'c':
        if (this.inSheet) this.startCell(attributes);
        return;
      case 'v':
      case 't':
        this.hasValue = true;
        this.collecting = this.inSheet && this.phoneticDepth === 0;
        return;
      case 'f':
        this.hasFormula = true;
        return;
      case 'rPh':
        this.phoneticDepth++;
    }
  }

  close(name: string): void {
    switch (name) {
      case 'v':
      case 't':
        this.collecting = false;
        return;
      case 'c':
        if (this.inSheet) this.endCell();
        return;
      case 'row':
        if (this.inSheet) this.endRow();
        return;
      case 'rPh':
        this.phoneticDepth--;
        return;
      case 'sheetData':
        this.inSheet = false;
    }
  }

  text(text: string, literal: boolean): void {
    if (!this.collecting || this.value.length > this.limits.cellCharacters) return;
    this.value += literal ? text : decodeXmlText(text);
  }

  private startRow(attributes: string): void {
    const reference = attribute(attributes, 'r');
    const rowNumber = reference === undefined ? this.row.rowNumber + 1 : Number(reference);
    if (!(Number.isInteger(rowNumber) && rowNumber >= 1 && rowNumber <= LAST_ROW))
      throw corrupt('A row has an invalid number.');
    this.row = { rowNumber, cells: [] };
    this.rowIsFilled = false;
    this.rowIsHidden = attributes.includes('hidden') && ['1', 'true'].includes(attribute(attributes, 'hidden') ?? '');
    this.column = -1;
  }

  private startCell(attributes: string): void {
    const reference = attribute(attributes, 'r');
    this.column = reference === undefined ? this.column + 1 : columnOf(reference);
    if (!(this.column >= 0 && this.column < LAST_COLUMN)) throw corrupt('A cell has an invalid address.');
    this.cellAttributes = attributes;
    this.value = '';
    this.hasFormula = false;
    this.hasValue = false;
  }

  private endCell(): void {
    if (this.hasFormula) this.formulas++;
    else if (this.value === '') return;
    const cell = cellText(this.context, this.cellAttributes, this.hasValue ? this.value : undefined);
    if (cell.text === '' && cell.withoutValue === undefined) return;
    this.characters += cell.text.length;
    if (this.characters > this.limits.textCharacters) {
      throw tooLarge('The texts of its cells are too long.', this.limits.textCharacters);
    }
    if (this.column >= this.limits.columns) {
      throw tooLarge(`It has more than ${this.limits.columns} columns.`, this.limits.columns);
    }
    const { row, column } = this;
    while (row.cells.length < column) row.cells.push('');
    row.cells[column] = cell.text;
    this.rowIsFilled = true;
    if (column === 0) row.firstNumber = cell.number;
    if (this.keepsNumbers && cell.number !== undefined) (row.numbers ??= new Map()).set(column, cell.number);
    if (cell.withoutValue !== undefined) (row.withoutValue ??= new Map()).set(column, cell.withoutValue);
  }

  private endRow(): void {
    if (!this.rowIsFilled) return;
    if (this.rowIsHidden) this.hiddenRows++;
    this.rows.push(this.row);
  }
}

/** The column of an address such as AB12, from 0; negative if there are no letters. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) & 0xdf;
    if (letter < 65 || letter > 90) break;
    column = column * 26 + letter - 64;
  }
  return column - 1;
}
