import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { chooseColumn, withoutCountry } from '../support/console/columns';
import { newPhone, writes } from '../support/console/people';
import { csvFile } from '../support/console/files';
import { startConsole, stopConsole } from '../support/console/set-up';
import type { Client, Json } from '../support/process/client';
import { type Service, until } from '../support/process/service';
import { bodyOf, FIRST_SENDER, postWebhook } from '../support/process/webhook';

describe('People in the console', () => {
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

  it('are imported into a new group from a file, after a check that lists invalid rows with reasons', async () => {
    const page = await browser.signedIn(service, '/groups');
    await page.getByText('No groups yet').waitFor();
    await noViolations(page);
    await button(page, 'New group').first().click();
    await page.getByLabel('Name').fill('Donaudampfschifffahrtsgesellschaftskundinnen');
    await button(page, 'Create').dblclick();
    await page.getByRole('heading', { level: 1, name: /^Donaudampf/ }).waitFor();
    expect((await client.get('/groups')).body.totalCount).toBe(1);
    expect(await page.locator('.toast-title', { hasText: 'Group created' }).count()).toBeLessThan(2);

    await button(page, 'Import file').first().click();
    await page
      .getByLabel('Drop an Excel or CSV file here')
      .setInputFiles(
        csvFile([
          'City,Handy,Kunde',
          'Berlin,4915112345610,Mira Aydın',
          'Bonn,12,Too short',
          'Ulm,4915112345611,שרה',
          'Kiel,4915112345610,Twice',
        ]),
      );
    const sheet = page.getByRole('region', { name: 'Bad rows, as in the file' });
    await sheet.getByRole('cell', { name: 'Mistake: 12' }).waitFor();
    expect(await sheet.getByRole('rowheader').allInnerTexts()).toEqual(['3']);
    await page.getByText('Only kept as contact fields: City and Kunde.').waitFor();
    await chooseColumn(page, 'Name', 'Kunde');
    await noViolations(page);
    await screenshots(page, 'group-import');
    const started = page.waitForEvent('download');
    await page.getByRole('region', { name: 'Invalid rows' }).getByRole('button', { name: 'CSV' }).click();
    const download = await started;
    expect(download.suggestedFilename()).toMatch(/-bad-rows\.csv$/);
    const parts: Buffer[] = [];
    for await (const part of await download.createReadStream()) parts.push(part as Buffer);
    expect(Buffer.concat(parts).toString()).toMatch(
      /^\uFEFF"Problem","Row","City","Handy","Kunde"\r\n".+","3","Bonn","12","Too short"\r\n$/,
    );
    // The check does not add anyone to the group.
    const [group] = (await client.get('/groups')).body.items;
    expect(group.contactCount).toBe(0);
    await button(page, 'Import 2 contacts').dblclick();
    await page.locator('.toast-title', { hasText: '2 contacts added' }).waitFor();
    await page.getByRole('list', { name: 'Contacts of the group' }).getByRole('link', { name: 'Mira Aydın' }).waitFor();
    expect((await client.get(`/groups/${group.id}`)).body.contactCount).toBe(2);
    await page.getByText('City: Berlin', { exact: true }).waitFor();
    await noViolations(page);
    await screenshots(page, 'group');
    expect(await page.locator('.toast-title', { hasText: '0 contacts added' }).count()).toBe(0);

    await button(page, 'Add people').click();
    await page.getByRole('textbox', { name: 'People' }).fill('0151 12345612, Tom\nnot a number\n, Ben');
    const country = page.getByRole('combobox', { name: 'Which country are numbers without a code from?' });
    expect(await country.inputValue()).toBe('Germany');
    await button(page, 'Add 3 people').click();
    const lines = page.getByRole('dialog').getByRole('listitem');
    await lines.first().waitFor();
    // What to do, not the message of the service, which names its fields.
    expect(await lines.allInnerTexts()).toEqual([
      'Line 2, “not a number”: Phone number invalid: Correct it, or write it with its country code, such as 4915112345678.',
      'Line 3, “Ben”: Phone number missing: Write the number at the start of the line.',
    ]);
    await button(page, 'Done').click();
    await button(page, 'Remove Tom from the group').click();
    await button(page, 'Remove').click();
    await page.getByText('Tom removed from the group').first().waitFor();
    expect((await client.get(`/groups/${group.id}`)).body.contactCount).toBe(2);
    await page.getByText('2 contacts', { exact: true }).waitFor();

    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    expect(await button(page, 'Delete group').isDisabled()).toBe(true);
    await page.getByLabel('Group name').fill('donaudampfschifffahrtsgesellschaftskundinnen');
    await button(page, 'Delete group').click();
    await page.getByRole('heading', { level: 1, name: 'Groups' }).waitFor();
    expect((await client.get('/groups')).body.totalCount).toBe(0);
  });

  it('get an error for a file that is not a spreadsheet', async () => {
    const { body: group } = await client.post('/groups', { name: 'Wrong files' });
    const page = await browser.signedIn(service, `/groups/${group.id}`);
    await button(page, 'Import file').first().click();
    const pdf = { name: 'people.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%\u00e2\u00e3') };
    await page.getByLabel('Drop an Excel or CSV file here').setInputFiles(pdf);
    await page.getByRole('alert').waitFor();
    expect(await button(page, 'Import').isDisabled()).toBe(true);
  });

  it('of a group stand in columns, with their other groups', async () => {
    const { body: group } = await client.post('/groups', { name: 'Aligned' });
    const { body: other } = await client.post('/groups', { name: 'Another' });
    const [one, two] = [newPhone(), newPhone()];
    const contacts = [one, two].map((phone) => ({ phone, attributes: { Ort: 'Ulm' } }));
    await client.post(`/groups/${group.id}/contacts`, { contacts });
    await client.post(`/groups/${other.id}/contacts`, { contacts });
    await client.post('/opt-outs', { phone: one });
    const page = await browser.signedIn(service, `/groups/${group.id}`);
    const rows = page.getByRole('list', { name: 'Contacts of the group' }).getByRole('listitem');
    await rows.getByText('Opted out').waitFor();
    const lefts = async (column: string) =>
      Promise.all((await page.locator(column).all()).map(async (cell) => Math.round((await cell.boundingBox())!.x)));
    for (const column of ['.contact-row-attributes', '.contact-row-groups']) {
      expect(new Set(await lefts(column)).size).toBe(1);
    }
    expect(await page.locator('.contact-row-groups').allInnerTexts()).toEqual([
      'Other groups',
      ...Array(2).fill(expect.stringMatching(/^Other groups:\s+Another$/)),
    ]);
    await client.call('DELETE', `/opt-outs/${one}`);
  });

  it('are found by a last name of their file', async () => {
    const { body: group } = await client.post('/groups', { name: 'Whole names' });
    const page = await browser.signedIn(service, `/groups/${group.id}`);
    await button(page, 'Import file').first().click();
    const rows = csvFile(['Vorname,Nachname,Handy', 'Mira,Köhler,0151 12345629']);
    await page.getByLabel('Drop an Excel or CSV file here').setInputFiles(rows);
    await page.getByRole('combobox', { name: 'Column for Last name' }).waitFor();
    await button(page, 'Import 1 contact').click();
    await page.locator('.toast-title', { hasText: '1 contact added' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('köhler');
    await page.getByRole('dialog').getByRole('option', { name: 'Mira Köhler' }).first().waitFor();
  });

  it('have a first name as name if their file has no other, which the import confirms', async () => {
    const { body: group } = await client.post('/groups', { name: 'First names' });
    const page = await browser.signedIn(service, `/groups/${group.id}`);
    await button(page, 'Import file').first().click();
    const rows = csvFile(['Vorname,Handy', 'Mira,0151 12345619']);
    await page.getByLabel('Drop an Excel or CSV file here').setInputFiles(rows);
    await button(page, 'Use these columns').waitFor();
    await page.getByText('The import also confirms the columns marked “Please check”.').waitFor();
    await button(page, 'Import 1 contact').click();
    const contacts = page.getByRole('list', { name: 'Contacts of the group' });
    await contacts.getByRole('link', { name: 'Mira' }).waitFor();

    await button(page, 'Import file').first().click();
    const noPhones = csvFile(['Vorname,Ort', 'Mira,Ulm']);
    await page.getByLabel('Drop an Excel or CSV file here').setInputFiles(noPhones);
    await page.getByText('Choose the column of the phone numbers first.').waitFor();
    expect(await button(page, 'Import').last().isDisabled()).toBe(true);
  });

  it('are opted out by a national number only with its country', async () => {
    const page = await browser.signedIn(service, '/opt-outs');
    await withoutCountry(page);
    await button(page, 'Opt out a number').click();
    await page.getByLabel('Phone number').fill('0151 12345618');
    await page.getByText('Numbers such as 0151 12345678 need a country').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Opt out' }).click();
    await page.getByText('or choose the country of the numbers.').waitFor();
  });

  it('are found, opted out and in again, and erased only after typing the number', async () => {
    const phone = newPhone();
    await client.post('/contacts', { phone, name: 'Zoë Müller-Lüdenscheidt', parameters: { 1: 'PK-1' } });
    await client.post('/send-template', { to: phone, templateName: 'hello_world' });
    await writes(service, phone, 'Please forget me');
    const page = await browser.signedIn(service, '/contacts');
    await page.getByLabel('Search contacts').fill('lüdenscheidt');
    await page.getByRole('link', { name: 'Zoë Müller-Lüdenscheidt' }).click();
    await page.getByRole('heading', { level: 1, name: 'Zoë Müller-Lüdenscheidt' }).waitFor();
    await page
      .getByRole('link', { name: /Hello World/i })
      .first()
      .waitFor();
    await page.getByRole('table', { name: 'Messages with this contact' }).getByText('Please forget me').waitFor();
    await noViolations(page);
    await screenshots(page, 'contact');
    await button(page, 'Opt out').first().click();
    await page.getByRole('dialog').getByText('Choose what Zoë Müller-Lüdenscheidt asked for.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Opt out' }).click();
    await button(page, 'Opt in').click();
    await button(page, 'Opt in').last().click();
    await page.getByText('Not opted out.').waitFor();
    expect((await client.get('/opt-outs')).body.items).toEqual([]);

    await button(page, 'Delete or erase…').click();
    await button(page, 'Erase the person').click();
    const erase = button(page, 'Erase permanently');
    expect(await erase.isDisabled()).toBe(true);
    await page.getByText(/^Type \+49 [\d ]+ to confirm/).waitFor();
    await page.getByLabel('Phone number').fill(phone.slice(0, -1));
    expect(await erase.isDisabled()).toBe(true);
    await page.getByLabel('Phone number').fill(phone);
    await noViolations(page);
    await screenshots(page, 'contact-erase');
    await erase.click();
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).and(page.locator(':focus')).waitFor();
    const isErased = async () => {
      const [contacts, conversations] = await Promise.all([
        client.get(`/contacts?phone=${phone}`),
        client.get(`/conversations?search=${phone}`),
      ]);
      return contacts.body.items.length + conversations.body.items.length === 0;
    };
    await until(isErased, 20_000, 'the person is erased');
    await noViolations(page);
    await screenshots(page, 'contacts');
  });

  it('show numbers in groups and errors in words, not as the platform writes them', async () => {
    const phone = '4915112340003';
    const { body: contact } = await client.post('/contacts', { phone });
    const { body } = await client.post('/send-template', { to: phone, templateName: 'hello_world' });
    const hasFailed = async () => (await client.get(`/messages/${body.messageId}`)).body.status === 'Undelivered';
    await until(hasFailed, 20_000, 'the message is not delivered');
    const page = await browser.signedIn(service, `/contacts/${contact.id}`);
    await page.getByRole('heading', { level: 1, name: '+49 1511 2340003' }).waitFor();
    const messages = page.getByRole('table', { name: 'Messages with this contact' });
    await messages.getByText('Recipient unreachable').waitFor();
    expect(await messages.getByText('(#').count()).toBe(0);
  });

  it('are added and edited, with an error for an invalid number', async () => {
    const page = await browser.signedIn(service, '/contacts');
    await button(page, 'Add contact').first().click();
    await page.getByLabel('Phone number').fill('12');
    await button(page, 'Add').last().click();
    await page.getByRole('dialog').locator('.field-error').waitFor();
    const phone = newPhone();
    await page.getByLabel('Phone number').fill(`0${phone.slice(2)}`);
    await page.getByText(/^Read as \+49 /).waitFor();
    await page.getByRole('dialog').getByLabel('Name').fill('Kim');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Kim' }).waitFor();
    await button(page, 'Edit').click();
    await button(page, 'Add value').click();
    await page.getByLabel('Value 1', { exact: true }).fill('PK-9');
    await button(page, 'Add contact field').click();
    await page.getByLabel('Contact field 1', { exact: true }).fill('Stadt');
    await page.getByLabel('Stadt is').fill('Köln');
    await button(page, 'Add contact field').click();
    await page.getByLabel('Contact field 2', { exact: true }).fill('Tarif');
    await page.getByLabel('Tarif is').fill('Gold');
    await noViolations(page);
    await screenshots(page, 'contact-form');
    await button(page, 'Save').click();
    await page.getByText('PK-9').waitFor();
    const attributes = page.getByRole('region', { name: 'Contact fields' });
    await attributes.getByText('Köln').waitFor();
    await noViolations(page);
    await screenshots(page, 'contact-attributes');
    const stored = async (): Promise<Json> => (await client.get(`/contacts?phone=${phone}`)).body.items[0];
    expect(await stored()).toMatchObject({
      ...{ name: 'Kim', parameters: { 1: 'PK-9' } },
      attributes: { Stadt: 'Köln', Tarif: 'Gold' },
    });
    await button(page, 'Edit').click();
    await button(page, 'Remove contact field Stadt').click();
    await button(page, 'Save').click();
    await page.getByRole('dialog', { name: 'Edit contact' }).waitFor({ state: 'detached' });
    await attributes.getByText('Gold').waitFor();
    expect(await attributes.getByText('Köln').count()).toBe(0);
    expect((await stored()).attributes).toEqual({ Tarif: 'Gold' });
  });

  it('who hide their number are shown by user id, and can be opted out', async () => {
    await client.post('/contacts', { userId: 'DE.7700123', attributes: { City: 'Ulm' } });
    const page = await browser.signedIn(service, '/contacts');
    await page.getByRole('link', { name: 'DE.7700123' }).click();
    await page.getByRole('heading', { level: 1, name: 'DE.7700123' }).waitFor();
    await page.getByText('Hidden by the person').waitFor();
    await button(page, 'Opt out').first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Opt out' }).click();
    await button(page, 'Opt in').waitFor();
    expect((await client.get('/opt-outs')).body.items).toContainEqual(
      expect.objectContaining({ phone: null, userId: 'DE.7700123' }),
    );
    await page.goto('/console/opt-outs');
    await page.getByText('DE.7700123').first().waitFor();
    await client.call('DELETE', '/opt-outs/DE.7700123');
  });

  it('who stopped marketing only are shown as such, and can be opted out of everything', async () => {
    const phone = newPhone();
    const { body: contact } = await client.post('/contacts', { phone, name: 'Nora News' });
    await writes(service, phone, 'No more offers, please');
    const { phoneNumberId, businessAccountId } = FIRST_SENDER;
    const timestamp = Math.floor(Date.now() / 1000);
    const value = {
      ...{ messaging_product: 'whatsapp', metadata: { phone_number_id: phoneNumberId }, contacts: [{ wa_id: phone }] },
      user_preferences: [{ wa_id: phone, category: 'marketing_messages', value: 'stop', timestamp }],
    };
    await postWebhook(service, bodyOf([{ id: businessAccountId, changes: [{ field: 'user_preferences', value }] }]));
    const hasStopped = async () => (await client.get('/opt-outs')).body.items[0]?.phone === phone;
    await until(hasStopped, 20_000, 'the opt-out is recorded');
    const page = await browser.signedIn(service, `/contacts/${contact.id}`);
    await page.getByText('Opted out of marketing messages').waitFor();
    expect(await page.getByText('Not opted out').count()).toBe(0);
    await button(page, 'Opt out of all messages').waitFor();
    await noViolations(page);
    await screenshots(page, 'contact-marketing');
    await page.getByRole('link', { name: 'Open conversation' }).click();
    await page.locator('.thread-facts').getByText('Opted out of marketing').waitFor();
    await client.call('DELETE', `/opt-outs/${phone}`);
  });

  it('who opted out are listed with the source, added and removed', async () => {
    const [manual, keyword] = [newPhone(), newPhone()];
    await writes(service, keyword, 'Abmelden');
    const isOptedOut = async () => (await client.get('/opt-outs')).body.totalCount === 1;
    await until(isOptedOut, 20_000, 'the keyword is applied');
    const page = await browser.signedIn(service, '/opt-outs');
    await page.getByText('Keyword or button from the person').waitFor();
    await button(page, 'Opt out a number').click();
    await page.getByLabel('Phone number').fill(`0${manual.slice(2)}`);
    await page.getByText(/^Read as \+49/).waitFor();
    const country = page.getByRole('combobox', { name: 'Which country are numbers' });
    expect(await country.inputValue()).toBe('Germany');
    await noViolations(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Opt out' }).click();
    await page.getByText('Console or API').waitFor();
    await noViolations(page);
    await screenshots(page, 'opt-outs');
    const rows = page.getByRole('table', { name: 'Opt-outs' }).getByRole('row');
    await page.getByLabel('Search opt-outs').fill(`0${manual.slice(2)}`);
    await page.getByText('Keyword or button from the person').waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(2);
    await page.getByLabel('Search opt-outs').fill(newPhone());
    await page.getByText(/^\+49 .* has not opted out\./).waitFor();
    await page.getByLabel('Search opt-outs').fill('nobody');
    await page.getByText('No matches').waitFor();
    await noViolations(page);
    await screenshots(page, 'opt-outs-search');
    await page.getByLabel('Search opt-outs').fill('');
    await page.getByText('Keyword or button from the person').waitFor();
    await button(page, new RegExp(`^Opt in \\+49 ${[...manual.slice(2)].join(' ?')}$`)).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Opt in' }).click();
    await page.getByText('Console or API').waitFor({ state: 'detached' });
    expect((await client.get('/opt-outs')).body.items).toMatchObject([{ phone: keyword, source: 'Keyword' }]);
    await page.getByText('STOP, STOPALL, STOPP, ABMELDEN, ABBESTELLEN').waitFor();
    await button(page, 'Edit keywords').click();
    await page.getByRole('dialog').getByText('ABMELDEN').waitFor();
    await page.getByLabel('Opt-out keywords', { exact: true }).fill('STOP\nHALT');
    await button(page, 'Save').click();
    await page.getByText('STOP, HALT').waitFor();
  });

  it('cannot be changed with a read-only key', async () => {
    const { body: group } = await client.post('/groups', { name: 'Read only' });
    const phone = newPhone();
    const { body: contact } = await client.post('/contacts', { phone, name: 'Read only' });
    await client.post('/opt-outs', { phone: newPhone() });
    const { body: key } = await client.post('/api-keys', { name: 'Reader', scopes: ['groups:read'] });
    const page = await browser.signedIn(service, `/groups/${group.id}`, { key: key.key as string });
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
    const actions = async () =>
      (await page.locator('main').getByRole('button').allTextContents()).filter((text) => text !== '');
    await heading('Read only');
    await page.getByText('Your key cannot add contacts.').waitFor();
    expect(await actions()).toEqual([]);
    await page.goto(`/console/contacts/${contact.id}`);
    await heading('Read only');
    await page.getByText('Not opted out.').waitFor();
    expect(await actions()).toEqual([]);
    await page.goto('/console/opt-outs');
    await page.getByRole('table', { name: 'Opt-outs' }).waitFor();
    expect(await actions()).toEqual([]);
    await page.goto('/console/conversations');
    await page.getByText('Your key has no access').waitFor();
    await noViolations(page);
  });
});
