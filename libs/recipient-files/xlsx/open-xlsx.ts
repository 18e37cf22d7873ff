import type { FileLimits } from '../file-limits';
import { NumberFormats } from '../number-formats';
import type { OpenedSheet, SheetRow } from '../sheet-row';
import { readCellStyles } from './cell-styles';
import { SharedStrings, SharedStringsHandler } from './shared-strings';
import { SheetHandler } from './sheet-handler';
import { drain, findWorkbook, type Workbook } from './workbook';
import { ZipPackage } from './zip-package';

/**
 * Opens the first visible sheet of an Excel workbook (.xlsx, .xlsm, .xltx); rows are read on demand. `keepsNumbers`: rows have `numbers`.
 * Throws FileRefused.
 */
export async function openXlsx(path: string, limits: FileLimits, keepsNumbers: boolean): Promise<OpenedSheet> {
  const zip = await ZipPackage.open(path, limits);
  try {
    const workbook = await findWorkbook(zip);
    const { stylesPart, sharedStringsPart } = workbook;
    const strings = new SharedStrings(limits);
    // Some programs list missing parts; a cell that refers to one is reported later.
    if (sharedStringsPart && zip.has(sharedStringsPart)) {
      const reading = new SharedStringsHandler(strings, limits.cellCharacters);
      await drain(zip.parse(sharedStringsPart, limits.sharedStringsBytes, reading));
    }
    const styles = stylesPart && zip.has(stylesPart) ? await readCellStyles(zip, stylesPart) : [];
    const handler = new SheetHandler(strings, styles, new NumberFormats(workbook.date1904), limits, keepsNumbers);
    return {
      fileType: 'xlsx',
      sheetName: workbook.sheetName,
      rows: readRows(zip, workbook.sheetPart, handler, limits),
      warnings: () => warningsOf(handler, workbook),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function* readRows(
  zip: ZipPackage,
  part: string,
  handler: SheetHandler,
  limits: FileLimits,
): AsyncGenerator<SheetRow[]> {
  try {
    for await (const { rows } of zip.parse(part, limits.sheetBytes, handler)) {
      if (rows.length === 0) continue;
      handler.rows = [];
      yield rows;
    }
  } finally {
    zip.close();
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
