import { FileRefused } from './file-refused';

/** Sheets that are looked into and named in a message; a workbook may have thousands. */
export const MOST_OTHER_SHEETS = 50;

const FOUND = ', the first with phone numbers or the named columns';

/** Finds a sheet by its name: exact, then ignoring case and spacing. Throws FileRefused if there is none. */
export function sheetNamed<T extends { name: string }>(sheets: readonly T[], name: string): T {
  const found =
    sheets.find((sheet) => sheet.name === name) ?? sheets.find((sheet) => sheetKey(sheet.name) === sheetKey(name));
  if (found) return found;
  const names = quoted(sheets.slice(0, MOST_OTHER_SHEETS).map((sheet) => sheet.name));
  throw new FileRefused({
    code: 'sheet_not_found',
    message: `sheet is ${JSON.stringify(name)}, but the file has no such sheet. Its sheets are: ${names}.`,
  });
}

/** The refusal of a named sheet for a file without sheets. */
export function withoutSheets(name: string): FileRefused {
  return new FileRefused({
    code: 'sheet_not_found',
    message: `sheet is ${JSON.stringify(name)}, but a CSV file has no sheets. Omit sheet.`,
  });
}

/** The warning that only one of several sheets with rows was read; `isFound`: it is not the first. */
export function otherSheetsWarnings(
  sheetName: string | undefined,
  others: readonly string[] = [],
  isFound = false,
): string[] {
  if (sheetName === undefined || others.length === 0) return [];
  return [
    `other_sheets: Only the sheet ${JSON.stringify(sheetName)} was read${isFound ? FOUND : ''}. Other sheets with rows: ${quoted(others)}. To read one of them, ` +
      'send its name as sheet.',
  ];
}

/** Names as a list of JSON texts, since they may contain quotation marks and commas. */
export function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}

function sheetKey(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
