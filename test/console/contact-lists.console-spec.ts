import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { csvFile } from '../support/console/files';
import { startConsole, stopConsole } from '../support/console/set-up';
import type { Client, Json } from '../support/process/client';
import { type Service, until } from '../support/process/service';

const SHOWN_MS = 10_000;

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
    const first = page.getByRole('dialog', { name: 'Import contacts: first a group for them' });
    await first.getByText('Next, you choose the file.').waitFor();
    await first.getByLabel('Name', { exact: true }).fill('From contacts');
    await first.getByRole('button', { name: 'Create and choose a file' }).click();
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

  it('opt out the people of a file', async () => {
    const page = await browser.signedIn(service, '/opt-outs');
    await client.post('/opt-outs', { phone: '4915112345601' });
    await page.getByRole('button', { name: 'Import file' }).click();
    const dialog = page.getByRole('dialog', { name: 'Opt out the people of a file' });
    const rows = ['Customer,Mobile', 'Ann,+4915112345600', 'Ben,+4915112345601', 'Cem,12'];
    await dialog.getByLabel('Drop an Excel or CSV file here').setInputFiles(csvFile(rows));
    await dialog.locator('.stat', { hasText: 'New opt-outs' }).getByText('1', { exact: true }).waitFor();
    await dialog.locator('.stat', { hasText: 'Already opted out' }).getByText('1', { exact: true }).waitFor();
    await dialog.locator('td[data-wrong]', { hasText: '12' }).waitFor();
    await dialog.getByText('Not used: Customer.').waitFor();
    await noViolations(page);
    await screenshots(page, 'opt-outs-import');
    await dialog.getByRole('button', { name: 'Opt out 2 people' }).click();
    await page.getByText('1 person opted out').waitFor();
    const { items } = (await client.get('/opt-outs?person=4915112345600')).body as { items: Json[] };
    expect(items).toMatchObject([{ scope: 'All', source: 'Api' }]);
  });

  it('find opted-out contacts by a part of their name or number, and others by the whole number', async () => {
    const phone = '4915112345690';
    await client.post('/contacts', { phone, name: 'Nils Stopped' });
    await client.post('/contacts', { phone: '4915112345691', name: 'Nils Reachable' });
    for (const stopped of [phone, '4915112345692']) await client.post('/opt-outs', { phone: stopped });
    const optOuts = async () => (await client.get('/opt-outs')).body.totalCount as number;
    const before = await optOuts();
    const page = await browser.signedIn(service, '/opt-outs');
    const rows = page.getByRole('table', { name: 'Opt-outs' }).getByRole('row');
    await rows.filter({ hasText: '5692' }).waitFor();
    await rows.filter({ hasText: 'Nils Stopped' }).filter({ hasText: '5690' }).waitFor();
    for (const part of ['nils', '5690']) {
      await page.getByLabel('Search opt-outs').fill(part);
      await rows.filter({ hasText: '5692' }).waitFor({ state: 'detached' });
      await rows.filter({ hasText: 'Nils Stopped' }).waitFor();
      await until(async () => (await rows.count()) === 2, SHOWN_MS, 'the row and that of the columns are shown');
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
    expect(await optOuts()).toBe(before - 1);
  });

  it('show the columns that have contents, and the values of templates where there are no fields', async () => {
    const { body: group } = await client.post('/groups', { name: 'Columns' });
    const members = `/groups/${group.id}/contacts`;
    const people = [
      { phone: '4915112345700', name: 'Mira Falk', attributes: { Vorname: 'Mira', Ort: 'Ulm', Kurs: 'B1' } },
      { phone: '4915112345701', name: 'Jan', parameters: { 1: 'Jan', 2: 'A-0' } },
    ];
    await client.post(members, { contacts: people });
    const page = await browser.signedIn(service, `/groups/${group.id}`);
    const rows = page.getByRole('list', { name: 'Contacts of the group' }).getByRole('listitem');
    await rows.first().waitFor();
    const heads = page.locator('.list-head > span');
    expect((await heads.allInnerTexts()).filter(Boolean)).toEqual(['Contact', 'Contact fields']);
    const cells = await page.locator('.virtual .contact-row-attributes bdi').allInnerTexts();
    expect(cells.sort()).toEqual(['Kurs: B1, Ort: Ulm', 'Value 1: Jan, Value 2: A-0']);
    // Screen readers cannot read the heads.
    await rows.filter({ hasText: 'Contact fields: Kurs: B1, Ort: Ulm' }).waitFor();
    await page.getByText('2 in total', { exact: true }).waitFor();
    await noViolations(page);
    await screenshots(page, 'group-fields');
    await client.call('DELETE', `/groups/${group.id}`);
  });

  it('cut a long name off with an ellipsis, and in a conversation on a phone after two lines', async () => {
    const phone = '4915112345702';
    const name =
      'Wilhelmine-Charlotte Freifrau von Hohenstein-Wolkenberg zu Donaudampfschifffahrt und zu Sankt Blasien';
    await client.post('/contacts', { phone, name, attributes: { Ort: 'Ulm' } });
    for (const width of [390, 1280]) {
      const page = await browser.signedIn(service, '/contacts?search=wilhelmine', { width });
      const [who, shown] = [page.locator('.virtual-row .contact-row-who'), page.locator('.virtual-row .row-link .cut')];
      const [column, text] = [(await who.boundingBox())!, (await shown.boundingBox())!];
      expect(text.x + text.width).toBeLessThanOrEqual(column.x + column.width);
    }
    await client.post('/send-template', { to: phone, templateName: 'hello_world' });
    const { body } = await client.get(`/conversations?search=${phone}`);
    const page = await browser.signedIn(service, `/conversations?id=${body.items[0].id}`, { width: 390 });
    const heading = page.getByRole('heading', { level: 2, name });
    expect((await heading.boundingBox())!.height).toBeLessThanOrEqual(48);
    await noViolations(page);
  });
});
