import type { FileLimits } from '../file-limits';
import { headOf, sheetToRead } from '../list-sheet';
import { NumberFormats } from '../number-formats';
import type { OpenedSheet, SheetReading, SheetRow } from '../sheet-row';
import { MOST_OTHER_SHEETS } from '../sheets';
import { readCellStyles } from './cell-styles';
import { SharedStrings, SharedStringsHandler } from './shared-strings';
import { SheetHandler } from './sheet-handler';
import { drain, findWorkbook, type Workbook } from './workbook';
import { ZipPackage } from './zip-package';

/**
 * Opens the named sheet, or the first visible one with a list, of an Excel workbook (.xlsx, .xlsm, .xltx); rows are read on demand. Throws
 * FileRefused.
 */
export async function openXlsx(
  path: string,
  limits: FileLimits,
  { keepsNumbers, sheet: sheetName, cellLanguage, isList }: SheetReading,
): Promise<OpenedSheet> {
  const zip = await ZipPackage.open(path, limits);
  try {
    const workbook = await findWorkbook(zip, sheetName);
    const { stylesPart, sharedStringsPart } = workbook;
    const strings = new SharedStrings(limits);
    // Some programs list missing parts; a cell that refers to one is reported later.
    if (sharedStringsPart && zip.has(sharedStringsPart)) {
      const reading = new SharedStringsHandler(strings, limits.cellCharacters);
      await drain(zip.parse(sharedStringsPart, limits.sharedStringsBytes, reading));
    }
    const styles = stylesPart && zip.has(stylesPart) ? await readCellStyles(zip, stylesPart) : [];
    const handlerOf = (formats: NumberFormats) => new SheetHandler(strings, styles, formats, limits, keepsNumbers);
    const heads: SheetRow[][] = [];
    for (const { part } of workbook.sheets.length > 1 ? workbook.sheets.slice(0, MOST_OTHER_SHEETS + 1) : []) {
      heads.push(await headOf(rowsOf(zip, part, handlerOf(new NumberFormats(workbook.date1904)), limits)));
    }
    const { index, others } = sheetToRead(workbook.sheets, heads, isList);
    const { name, part } = workbook.sheets[index]!;
    const formats = new NumberFormats(workbook.date1904, cellLanguage);
    const handler = handlerOf(formats);
    return {
      fileType: 'xlsx',
      sheetName: name,
      otherSheets: others,
      isFound: index > 0,
      rows: readRows(zip, part, handler, limits),
      warnings: () => [...formats.warnings(), ...warningsOf(handler, workbook)],
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** The rows of the sheet that is read; closes the file at their end. */
async function* readRows(...sheet: Parameters<typeof rowsOf>): AsyncGenerator<SheetRow[]> {
  const [zip] = sheet;
  try {
    yield* rowsOf(...sheet);
  } finally {
    zip.close();
  }
}

/** The rows of each chunk of a sheet. */
async function* rowsOf(
  zip: ZipPackage,
  part: string,
  handler: SheetHandler,
  limits: FileLimits,
): AsyncGenerator<SheetRow[]> {
  for await (const { rows } of zip.parse(part, limits.sheetBytes, handler)) {
    handler.rows = [];
    yield rows;
  }
}

function warningsOf(handler: SheetHandler, workbook: Workbook): string[] {
  const warnings: string[] = [];
  if (handler.hiddenRows > 0) {
    warnings.push(
      `Hidden rows were read like all others: ${handler.hiddenRows}. Delete them if they should not be included.`,
    );
  }
  if (handler.formulas > 0 && workbook.calculatesOnLoad) {
    warnings.push(
      'The program that wrote the file did not calculate its formulas. Open and save it in a spreadsheet program if values look wrong.',
    );
  }
  return warnings;
}
