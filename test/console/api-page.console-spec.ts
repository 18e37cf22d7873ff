import type { Page } from 'playwright-core';
import type { ConsoleBrowser } from '../support/console/browser';
import { startConsole, stopConsole } from '../support/console/set-up';
import { KEY, type Service } from '../support/process/service';

const IMPORT = '/api/v1/messaging/bulk-import-messages';
const FILE = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('phone\n4915112345670\n4915112345671\n') };

jest.setTimeout(400_000);

describe('Swagger UI at /docs', () => {
  let service: Service;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, browser } = await startConsole());
  });

  afterAll(stopConsole);

  /** Opens an operation, authorized; its form is ready for input. */
  async function opened(page: Page, tag: string, id: string) {
    // The document is large: resolving it takes a busy processor minutes, longer than an action may take.
    page.setDefaultTimeout(120_000);
    await page.goto('/docs');
    await page.getByRole('button', { name: 'Authorize' }).click();
    const dialog = page.locator('.modal-ux');
    await dialog.getByRole('textbox').fill(KEY);
    await dialog.getByRole('button', { name: 'Apply credentials' }).click();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.locator(`#operations-tag-${tag}`).click();
    const operation = page.locator(`#operations-${tag}-${id}`);
    await operation.locator('.opblock-summary-control').click();
    return operation;
  }

  it('imports a file with the form as it is pre-filled, once file and template are chosen', async () => {
    const page = await browser.open(service);
    const operation = await opened(page, 'Sending', 'importBulkMessages');
    await page.locator('.servers', { hasText: 'messages reach nobody' }).waitFor();
    await operation.locator('input[type=file]').setInputFiles(FILE);
    await operation.locator('tr[data-property-name=templateName] input[type=text]').fill('hello_world');
    const answered = page.waitForResponse((response) => response.url() === `${service.url}${IMPORT}`);
    await operation.getByRole('button', { name: 'Execute' }).click();
    const response = await answered;
    expect({ status: response.status(), body: await response.json() }).toMatchObject({
      status: 202,
      body: { status: 'Queued', totalRecipients: 2 },
    });
  });
});
