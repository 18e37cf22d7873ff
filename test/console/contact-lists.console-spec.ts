import { type ConsoleBrowser, noViolations } from '../support/console/browser';
import { csvFile } from '../support/console/files';
import { startConsole, stopConsole } from '../support/console/set-up';
import type { Client, Json } from '../support/process/client';
import type { Service } from '../support/process/service';

describe('The lists of contacts and opt-outs in the console', () => {
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  it('import a file from the list of contacts, into a new group or one that exists', async () => {
    const page = await browser.signedIn(service, '/contacts');
    const imports = async (rows: readonly string[]) => {
      const dialog = page.getByRole('dialog', { name: 'Import file' });
      await dialog.getByLabel('Drop an Excel or CSV file here').setInputFiles(csvFile(['Phone', ...rows]));
      await dialog.getByRole('button', { name: 'Import 1 contact' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.waitForURL(({ search }) => search === '');
    };
    await page.getByRole('button', { name: 'Import contacts' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('From contacts');
    await page.keyboard.press('Enter');
    await imports(['+4915112345680']);
    await page.goto('/console/contacts');
    await page.getByRole('button', { name: 'Import contacts' }).first().click();
    await noViolations(page);
    await page.getByRole('combobox', { name: 'Group' }).fill('From con');
    await page.getByRole('option', { name: 'From contacts (1 contact)' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Choose a file' }).click();
    await imports(['+4915112345681']);
    const { items } = (await client.get('/groups?search=From contacts')).body as { items: Json[] };
    expect(items).toMatchObject([{ name: 'From contacts', contactCount: 2 }]);
  });

  it('find opted-out contacts by a part of their name or number, and others by the whole number', async () => {
    const phone = '4915112345690';
    await client.post('/contacts', { phone, name: 'Nils Stopped' });
    await client.post('/contacts', { phone: '4915112345691', name: 'Nils Reachable' });
    for (const stopped of [phone, '4915112345692']) await client.post('/opt-outs', { phone: stopped });
    const page = await browser.signedIn(service, '/opt-outs');
    const rows = page.getByRole('table', { name: 'Opt-outs' }).getByRole('row');
    await rows.filter({ hasText: '5692' }).waitFor();
    await rows.filter({ hasText: 'Nils Stopped' }).filter({ hasText: '5690' }).waitFor();
    for (const part of ['nils', '5690']) {
      await page.getByLabel('Search opt-outs').fill(part);
      await rows.filter({ hasText: '5692' }).waitFor({ state: 'detached' });
      await rows.filter({ hasText: 'Nils Stopped' }).waitFor();
      // With that of the columns.
      expect(await rows.count()).toBe(2);
    }
    await noViolations(page);
    await page.getByLabel('Search opt-outs').fill('5692');
    await page.getByText('No matches').waitFor();
    await page.getByLabel('Search opt-outs').fill('+4915112345692');
    await rows.filter({ hasText: '5692' }).waitFor();
    await page.getByLabel('Search opt-outs').fill('nils');
    await page.getByRole('button', { name: 'Opt in Nils Stopped' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Opt in' }).click();
    await page.getByText('No matches').waitFor();
    expect((await client.get('/opt-outs')).body.totalCount).toBe(1);
  });
});
