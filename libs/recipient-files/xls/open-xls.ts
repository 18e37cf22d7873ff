import { readFile, stat } from 'node:fs/promises';
import type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx';
import type { FileLimits } from '../file-limits';
import { corrupt, encrypted, FileRefused, tooLarge } from '../file-refused';
import { rejectOtherOleFiles } from '../file-type';
import { headOf, sheetToRead } from '../list-sheet';
import { NumberFormats } from '../number-formats';
import { sheetJs } from '../sheetjs';
import type { OpenedSheet, SheetReading, SheetRow } from '../sheet-row';
import { MOST_OTHER_SHEETS, sheetNamed } from '../sheets';

const ROWS_PER_CHUNK = 1_000;

/**
 * Opens the named sheet, or the first visible one with a list, of an old Excel workbook (.xls), which is read into memory completely. Throws
 * FileRefused.
 */
export async function openXls(
  path: string,
  limits: FileLimits,
  { keepsNumbers, sheet: named, cellLanguage, isList }: SheetReading,
): Promise<OpenedSheet> {
  if ((await stat(path)).size > limits.xlsBytes) {
    throw tooLarge('The old .xls format is supported for small files only; save it as .xlsx.', limits.xlsBytes);
  }
  const workbook = parse(await readFile(path));
  const worksheets = worksheetsOf(workbook);
  const [first = worksheets[0], ...more] = worksheets.filter(({ isHidden }) => !isHidden);
  if (first === undefined) throw corrupt('It contains no worksheet.');
  const sheets = named === undefined ? [first, ...more] : [sheetNamed(worksheets, named)];
  const date1904 = workbook.Workbook?.WBProps?.date1904 === true;
  const heads: SheetRow[][] = [];
  for (const { sheet } of sheets.length > 1 ? sheets.slice(0, MOST_OTHER_SHEETS + 1) : []) {
    heads.push(await headOf(readRows(sheet, new NumberFormats(date1904), limits, keepsNumbers)));
  }
  const { index, others } = sheetToRead(sheets, heads, isList);
  const { name, sheet } = sheets[index]!;
  const formats = new NumberFormats(date1904, cellLanguage);
  return {
    fileType: 'xls',
    sheetName: name,
    otherSheets: others,
    isFound: index > 0,
    rows: readRows(sheet, formats, limits, keepsNumbers),
    warnings: () => formats.warnings(),
  };
}

function parse(bytes: Buffer): WorkBook {
  try {
    rejectOtherOleFiles(
      sheetJs()
        .CFB.read(bytes, { type: 'buffer' })
        .FullPaths.map((path) => path.split('/').at(-1) ?? ''),
    );
    return sheetJs().read(bytes, { type: 'buffer', dense: true, cellNF: true, cellText: false, cellFormula: false });
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    if (error instanceof Error && /password|encrypt/i.test(error.message)) throw encrypted();
    throw corrupt('Its contents cannot be read.');
  }
}

function worksheetsOf(workbook: WorkBook): { name: string; sheet: WorkSheet; isHidden: boolean }[] {
  const hidden = new Set(workbook.Workbook?.Sheets?.filter((sheet) => sheet.Hidden).map((sheet) => sheet.name));
  return workbook.SheetNames.flatMap((name) => {
    const sheet = workbook.Sheets[name];
    const type = (sheet as { '!type'?: string } | undefined)?.['!type'] ?? 'sheet';
    return sheet && type === 'sheet' ? [{ name, sheet, isHidden: hidden.has(name) }] : [];
  });
}

function* readRows(
  sheet: WorkSheet,
  formats: NumberFormats,
  limits: FileLimits,
  keepsNumbers: boolean,
): Generator<SheetRow[]> {
  const cells = sheet['!data'] ?? [];
  for (let start = 0; start < cells.length; start += ROWS_PER_CHUNK) {
    const rows: SheetRow[] = [];
    for (let index = start; index < Math.min(start + ROWS_PER_CHUNK, cells.length); index++) {
      const row = sheetRow(cells[index] ?? [], index + 1, formats, limits, keepsNumbers);
      if (row.cells.length > 0) rows.push(row);
    }
    yield rows;
  }
}

function sheetRow(
  stored: (CellObject | undefined)[],
  rowNumber: number,
  formats: NumberFormats,
  limits: FileLimits,
  keepsNumbers: boolean,
): SheetRow {
  const row: SheetRow = { rowNumber, cells: [] };
  for (const [column, cell] of stored.entries()) {
    if (cell?.v === undefined || cell.t === 'z') continue;
    const text = cellText(cell, formats).slice(0, limits.cellCharacters);
    if (text === '') continue;
    if (column >= limits.columns) throw tooLarge(`It has more than ${limits.columns} columns.`, limits.columns);
    while (row.cells.length < column) row.cells.push('');
    row.cells[column] = text;
    if (cell.t === 'e') (row.withoutValue ??= new Map()).set(column, text);
    if (typeof cell.v !== 'number' || cell.t !== 'n') continue;
    if (column === 0) row.firstNumber = cell.v;
    if (keepsNumbers) (row.numbers ??= new Map()).set(column, cell.v);
  }
  return row;
}

/** The text of a cell by its value and number format; SheetJS truncates its own text to the cell's width. */
function cellText(cell: CellObject, formats: NumberFormats): string {
  if (cell.t === 'e') return cell.w ?? errorText(Number(cell.v));
  if (typeof cell.v === 'boolean') return cell.v ? 'TRUE' : 'FALSE';
  if (typeof cell.v === 'number') return formats.text(cell.v, cell.z);
  return String(cell.v);
}

function errorText(code: number): string {
  return ERRORS.get(code) ?? '#ERROR!';
}

const ERRORS = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
]);
