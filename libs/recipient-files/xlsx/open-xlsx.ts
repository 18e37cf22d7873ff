import type { FileLimits } from '../file-limits';
import { NumberFormats } from '../number-formats';
import type { OpenedSheet, SheetRow } from '../sheet-row';
import { readCellStyles } from './cell-styles';
import { SharedStrings, SharedStringsHandler } from './shared-strings';
import { SheetHandler } from './sheet-handler';
import { findWorkbook, type Workbook } from './workbook';
import { XmlTokenizer } from './xml-tokenizer';
import { ZipPackage } from './zip-package';

/** Opens the first visible sheet of an Excel workbook (.xlsx, .xlsm, .xltx); rows are read on demand. Throws FileRefused. */
export async function openXlsx(path: string, limits: FileLimits): Promise<OpenedSheet> {
  const zip = await ZipPackage.open(path, limits);
  try {
    const workbook = await findWorkbook(zip, limits);
    const { stylesPart, sharedStringsPart } = workbook;
    const strings = new SharedStrings(limits);
    // Some programs list parts that do not exist; a cell that needs one is an error later.
    if (sharedStringsPart && zip.has(sharedStringsPart))
      await readSharedStrings(zip, sharedStringsPart, strings, limits);
    const styles = stylesPart && zip.has(stylesPart) ? await readCellStyles(zip, stylesPart, limits) : [];
    const handler = new SheetHandler(strings, styles, new NumberFormats(workbook.date1904), limits);
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
    const tokenizer = new XmlTokenizer(handler, limits.xmlTokenCharacters);
    for await (const piece of zip.text(part, limits.sheetBytes)) {
      tokenizer.write(piece);
      if (handler.rows.length === 0) continue;
      const { rows } = handler;
      handler.rows = [];
      yield rows;
    }
    tokenizer.end();
  } finally {
    zip.close();
  }
}

async function readSharedStrings(
  zip: ZipPackage,
  part: string,
  strings: SharedStrings,
  limits: FileLimits,
): Promise<void> {
  const tokenizer = new XmlTokenizer(
    new SharedStringsHandler(strings, limits.cellCharacters),
    limits.xmlTokenCharacters,
  );
  for await (const piece of zip.text(part, limits.sharedStringsBytes)) tokenizer.write(piece);
  tokenizer.end();
}

function warningsOf(handler: SheetHandler, workbook: Workbook): string[] {
  const warnings: string[] = [];
  if (handler.hiddenRows > 0) {
    warnings.push(`Hidden rows were read like all others: ${handler.hiddenRows}. Delete them if they are not meant.`);
  }
  if (handler.formulas > 0 && workbook.calculatesOnLoad) {
    warnings.push(
      'The program that wrote the file did not calculate its formulas. Open and save it in a spreadsheet program if values look wrong.',
    );
  }
  return warnings;
}
