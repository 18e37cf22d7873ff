import type { Page } from 'playwright-core';

/** Chooses a template of a campaign by its name, or by name and language. */
export function chooseTemplate(page: Page, template: string): Promise<void> {
  const templates = page.getByRole('list', { name: 'Approved templates' });
  return templates.getByRole('button', { name: new RegExp(`^${template} `) }).click();
}

/** Chooses the column of a file for a field. */
export async function chooseColumn(page: Page, field: string, header: string): Promise<void> {
  await page.getByRole('combobox', { name: `Column for ${field}`, exact: true }).click();
  await page.getByRole('option', { name: header, exact: true }).click();
}

/** Reloads the page of an account whose senders' country is unknown, so that the country of numbers without a code is not preset. */
export async function withoutCountry(page: Page): Promise<void> {
  await page.route('**/api/v1/messaging/senders*', (route) => route.fulfill({ json: { items: [] } }));
  await page.reload();
}

/** Each field of the columns with its example, column and mark. */
export async function pairs(page: Page): Promise<string[]> {
  const rows = page.getByRole('list', { name: 'Use of the columns' }).getByRole('listitem');
  return (await rows.allInnerTexts()).map((text) => {
    const parts = text.split(/\s*\n\s*/);
    // Neither labels nor the words around the placeholder.
    return parts.filter((part) => !/^(Column|Default|Text) for|^[^{].*\{\{/.test(part)).join(' | ');
  });
}
