import type { Page } from 'playwright-core';

/** A file to choose. */
export interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** A CSV file with these lines. */
export function csvFile(lines: readonly string[], name = 'people.csv'): ChosenFile {
  return { name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) };
}

/** Chooses the file of a campaign: a CSV file with these lines, or another one. */
export async function dropSpreadsheet(page: Page, file: ChosenFile | readonly string[]): Promise<void> {
  const chosen = 'buffer' in file ? file : csvFile(file);
  await page.getByLabel('Drop your spreadsheet here').setInputFiles(chosen);
}
