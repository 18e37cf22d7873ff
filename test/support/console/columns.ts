import type { Page } from 'playwright-core';

/** Chooses the column of a file for a field. */
export async function chooseColumn(page: Page, field: string, header: string): Promise<void> {
  await page.getByRole('combobox', { name: `Column for ${field}`, exact: true }).click();
  await page.getByRole('option', { name: header, exact: true }).click();
}
