import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { withoutCountry } from '../support/console/columns';
import { startConsole, stopConsole } from '../support/console/set-up';
import { phones } from '../support/process/bulk';
import type { Client, Json } from '../support/process/client';
import type { Service } from '../support/process/service';
import { FIRST_SENDER } from '../support/process/webhook';

/** Records the fields of all forms that are sent; the browser does not report those of forms with files. */
const RECORD_FORMS = `(() => {
  window.formFields = [];
  const { append } = FormData.prototype;
  FormData.prototype.append = function (name, value, ...others) {
    window.formFields = [...window.formFields, value instanceof File ? name : name + '=' + value].sort();
    return append.call(this, name, value, ...others);
  };
})()`;

describe('Sending to one person and to a group in the console', () => {
  let service: Service;
  let browser: ConsoleBrowser;
  let client: Client;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  it('sends one message once on a double click, and shows its status', async () => {
    const page = await browser.signedIn(service, '/send/one');
    await page.getByRole('button', { name: /^order_update / }).click();
    const send = page.getByRole('button', { name: 'Send message' });
    await withoutCountry(page);
    await page.getByLabel('Phone number').fill('0151 23456789');
    await page.getByText('or choose the country of the numbers.').waitFor();
    const [to] = phones(1, 700) as [string];
    await page.getByLabel('Phone number').fill(`+${to}`);
    await page.getByText('Germany (+49)').waitFor();
    await page.getByLabel('Phone number').fill(`0${to.slice(2)}`);
    expect(await send.isDisabled()).toBe(true);
    const country = page.getByRole('combobox', { name: 'Which country are numbers without a code from?' });
    await country.fill('Germ');
    await page.getByRole('option', { name: 'Germany' }).waitFor();
    await country.press('Enter');
    await page.getByText(/^Read as \+49 /).waitFor();
    await page.getByLabel('{{1}}').fill('Mira');
    await page.getByLabel('{{2}}').fill('PK-7');
    await page.getByRole('article', { name: 'Message' }).getByText('PK-7').waitFor();
    await noViolations(page);
    await screenshots(page, 'send-one');
    await send.dblclick();
    await page.getByText(/Delivered to the phone|Read by the person/).waitFor();
    await noViolations(page);
    await screenshots(page, 'send-one-result');
    expect(((await client.get(`/messages?to=${to}`)).body.items as Json[]).length).toBe(1);
  });

  it('suggests contacts by name for the number', async () => {
    const [phone] = phones(1, 720) as [string];
    await client.post('/contacts', { phone, name: 'Zora Suggested' });
    const page = await browser.signedIn(service, '/send/one');
    await page.getByRole('button', { name: /^hello_world / }).click();
    const number = page.getByLabel('Phone number');
    await number.fill('nobody of this name');
    await page.getByText('No contact with a phone number has this name.').waitFor();
    expect(await page.getByRole('button', { name: 'Send message' }).isDisabled()).toBe(true);
    await number.fill('zora');
    await page.getByRole('option', { name: /^Zora Suggested, \+49/ }).waitFor();
    await noViolations(page);
    await number.press('Enter');
    expect(await number.inputValue()).toBe(`+${phone}`);
    await page.getByText('Germany (+49)').waitFor();
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText(/Delivered to the phone|Read by the person/).waitFor();
  });

  it('warns of a number that no numbering plan has, which can be sent to', async () => {
    const page = await browser.signedIn(service, '/send/one');
    await page.getByRole('button', { name: /^hello_world / }).click();
    const warning = page.getByText('This number does not exist in the numbering plan of the country');
    await page.getByLabel('Phone number').fill('+49 151 2345');
    await warning.waitFor();
    await noViolations(page);
    expect(await page.getByRole('button', { name: 'Send message' }).isEnabled()).toBe(true);
    await page.getByLabel('Phone number').fill('+49 151 23456789');
    await warning.waitFor({ state: 'detached' });
  });

  it('shows why a message was rejected, and keeps the form', async () => {
    const page = await browser.signedIn(service, '/send/one');
    await page.getByRole('button', { name: /^hello_world / }).click();
    await page.getByLabel('Phone number').fill('+4915112340002');
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Phone number').inputValue()).toBe('+4915112340002');
  });

  it('sends to a group with defaults for missing values', async () => {
    const [one, two] = phones(2, 800);
    const { body } = await client.post('/groups', { name: 'Stammkundinnen ⭐' });
    await client.post(`/groups/${body.id}/contacts`, {
      contacts: [{ phone: one, parameters: { 1: 'Mira', 2: 'A-1' } }, { phone: two }],
    });
    const page = await browser.signedIn(service, `/send/group?group=${body.id}`);
    await page.getByRole('button', { name: /^order_update / }).click();
    await page.getByText('Invalid contacts by reason').waitFor();
    await page.getByLabel('Default for {{1}}').fill('there');
    await page.getByLabel('Default for {{2}}').fill('A-1000');
    await page.getByRole('button', { name: 'Send to 2 people…' }).waitFor();
    await page.getByRole('article', { name: /^Message to contact/ }).waitFor();
    await noViolations(page);
    await screenshots(page, 'send-group');
    await page.getByRole('button', { name: 'Send to 2 people…' }).click();
    await page.getByRole('button', { name: 'Send 2 messages' }).dblclick();
    await page.waitForURL(/\/console\/jobs\//);
    const { items } = (await client.get('/bulk-jobs')).body as { items: Json[] };
    expect(items).toMatchObject([{ totalRecipients: 2 }]);
  });

  it('sends to several groups by attributes, without members of another and people reached before', async () => {
    const [anna, ben, cleo, dora] = phones(4, 900) as [string, string, string, string];
    const groupOf = async (name: string, contacts: object[]) => {
      const { body } = await client.post('/groups', { name });
      await client.post(`/groups/${body.id}/contacts`, { contacts });
      return body.id as string;
    };
    const berlin = await groupOf('Berlin', [
      { phone: anna, attributes: { 'First name': 'Anna', Starts: '09:30' } },
      { phone: ben, attributes: { 'First name': 'Ben' } },
    ]);
    await groupOf('Bonn', [{ phone: ben }, { phone: cleo, attributes: { Starts: '10:00' } }, { phone: dora }]);
    await groupOf('Blocked', [{ phone: dora }]);
    const { body: earlier } = await client.post('/send-template-to-group', {
      ...{ groupId: berlin, templateName: 'hello_world', name: 'Earlier news', hold: true },
    });
    await client.post(`/bulk-jobs/${earlier.jobId}/cancel`);

    const page = await browser.signedIn(service, `/send/group?group=${berlin}`);
    await page.getByRole('button', { name: /^appointment_note / }).click();
    await page.getByRole('combobox', { name: 'Groups' }).fill('Bon');
    await page.getByRole('option', { name: /^Bonn/ }).click();
    await page.keyboard.press('Escape');
    await page.getByText('Leave people out').click();
    await page.getByRole('combobox', { name: 'Leave out members of' }).fill('Block');
    await page.getByRole('option', { name: /^Blocked/ }).click();
    await page.keyboard.press('Escape');
    // The attribute with the name of the placeholder is chosen.
    expect(await page.getByRole('combobox', { name: 'Contact field for first name' }).innerText()).toBe('First name');
    await page.getByLabel('Default for first name').fill('there');
    // The schedule names the same reason as the values.
    await page.getByText('Choose a contact field or enter a text for each value.').nth(1).waitFor();
    await page.getByRole('combobox', { name: 'Contact field for starts at' }).click();
    await page.getByRole('option', { name: 'Starts' }).click();
    await page.getByLabel('Default for starts at').fill('soon');
    await page.getByRole('button', { name: 'Send to 3 people…' }).waitFor();
    await page.getByRole('combobox', { name: 'Leave out people reached by the jobs' }).fill('Earlier');
    await page.getByRole('option', { name: /^Earlier news/ }).click();
    await page.keyboard.press('Escape');
    // The job was cancelled before it reached anybody.
    await page.locator('.stat', { hasText: 'Left out' }).getByText('1', { exact: true }).waitFor();
    await noViolations(page);
    await screenshots(page, 'send-groups');
    await page.getByRole('button', { name: 'Send to 3 people…' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^To (Berlin, Bonn|Bonn, Berlin)\.$/)
      .waitFor();
    await page.getByRole('button', { name: 'Send 3 messages' }).click();
    await page.waitForURL(/\/console\/jobs\//);
    const jobId = page.url().split('/').at(-1)!;
    const { body: job } = await client.get(`/bulk-jobs/${jobId}`);
    expect(job).toMatchObject({ totalRecipients: 3, audience: { notReachedBy: earlier.jobId } });
    const { items } = (await client.get(`/bulk-jobs/${jobId}/recipients`)).body as { items: Json[] };
    expect(new Map(items.map(({ phone, parameters }: Json) => [phone, parameters]))).toEqual(
      new Map([
        [anna, ['Anna', '09:30']],
        [ben, ['Ben', 'soon']],
        [cleo, ['there', '10:00']],
      ]),
    );
    // The job names its groups, and who was left out.
    await page.getByText('To 2 groups', { exact: true }).waitFor();
    const details = page.getByRole('region', { name: 'Details' });
    await details.getByText('Members of Blocked').waitFor();
    await details.getByRole('link', { name: 'Earlier news' }).waitFor();
    await details.getByRole('link', { name: 'Bonn' }).waitFor();
    await noViolations(page);
    await details.getByRole('link', { name: 'Berlin' }).click();
    await page.waitForURL(`**/groups/${berlin}`);
    await page.goto(`/console/jobs/${earlier.jobId}`);
    await page.getByText('To Berlin', { exact: true }).waitFor();
    await client.call('DELETE', `/groups/${berlin}`);
    await page.goto(`/console/jobs/${jobId}`);
    await details.getByText('a deleted group').waitFor();
  });

  it('sends each contact of a group its name, which is chosen after a greeting', async () => {
    const [one, two] = phones(2, 880);
    const { body: group } = await client.post('/groups', { name: 'Named' });
    const contacts = [{ phone: one, name: 'Ann Lee' }, { phone: two }];
    await client.post(`/groups/${group.id}/contacts`, { contacts });
    const page = await browser.signedIn(service, `/send/group?group=${group.id}`);
    await page.getByRole('button', { name: /^order_update / }).click();
    const source = page.getByRole('combobox', { name: 'Contact field for {{1}}' });
    await source.filter({ hasText: 'Name of the contact' }).waitFor();
    await page.getByLabel('Default for {{1}}').fill('there');
    await page.getByLabel('Text for {{2}}').fill('B-1');
    await page.getByRole('list', { name: 'Use of the contact fields' }).getByText('Hello {{1}}').waitFor();
    await page
      .getByRole('article', { name: /^Message to contact/ })
      .getByText('Ann Lee')
      .waitFor();
    await page.getByRole('button', { name: 'Send to 2 people…' }).waitFor();
    await noViolations(page);
    await screenshots(page, 'send-group-names');
  });

  it('names the people without a value, and the placeholder', async () => {
    const [one, two, three] = phones(3, 870) as [string, string, string];
    const { body: group } = await client.post('/groups', { name: 'Without values' });
    const contacts = [
      { phone: one, attributes: { Vorname: 'Ann', Nr: 'A-1' } },
      { phone: two, name: 'Mira', attributes: { Nr: 'B-2' } },
      { phone: three, attributes: { Nr: 'C-3' } },
    ];
    await client.post(`/groups/${group.id}/contacts`, { contacts });
    const page = await browser.signedIn(service, `/send/group?group=${group.id}`);
    await page.getByRole('button', { name: /^order_update / }).click();
    for (const [value, attribute] of [
      ['{{1}}', 'Vorname'],
      ['{{2}}', 'Nr'],
    ] as const) {
      await page.getByRole('combobox', { name: `Contact field for ${value}` }).click();
      await page.getByRole('option', { name: attribute, exact: true }).click();
    }
    const invalid = page.getByRole('region', { name: 'Invalid contacts' });
    await invalid.getByText('No value for {{1}}.').waitFor();
    await invalid.getByText(`Mira, +${three}`).waitFor();
    expect(await invalid.innerText()).not.toMatch(/values\[|Row/);
  });

  it('keeps the groups as they were changed last, also when none is left', async () => {
    const create = async (name: string) => (await client.post('/groups', { name })).body.id as string;
    const oslo = await create('Oslo');
    await create('Rome');
    const page = await browser.signedIn(service, `/send/group?group=${oslo}`);
    await page.getByRole('button', { name: /^hello_world / }).click();
    const toggle = async (group: string) => {
      await page.getByRole('combobox', { name: 'Groups' }).fill(group);
      await page.getByRole('option', { name: new RegExp(`^${group}`) }).click();
      await page.keyboard.press('Escape');
    };
    const chosen = (group: string) => page.getByRole('button', { name: `Remove ${group}` });
    await toggle('Rome');
    await chosen('Rome').waitFor();
    await chosen('Oslo').click();
    await page.goto('/console/send/group');
    await chosen('Rome').waitFor();
    expect(await chosen('Oslo').count()).toBe(0);
    await chosen('Rome').click();
    await page.goto('/console/send/group');
    // Without groups and texts there is no draft, so the template is chosen again.
    await page.getByRole('button', { name: /^hello_world / }).click();
    await page.getByRole('combobox', { name: 'Groups' }).waitFor();
    expect(await chosen('Rome').count()).toBe(0);
  });

  it('sends each contact of a group the document of an attribute', async () => {
    const [phone] = phones(1, 960);
    const { body: group } = await client.post('/groups', { name: 'Invoices' });
    const attributes = { 'Invoice link': 'https://files.example.com/9.pdf', Customer: 'Anna', Number: 'R-9' };
    await client.post(`/groups/${group.id}/contacts`, { contacts: [{ phone, attributes }] });
    const page = await browser.signedIn(service, `/send/group?group=${group.id}`);
    await page.getByRole('button', { name: /^invoice_ready / }).click();
    for (const [field, attribute] of [
      ['Contact field for {{1}}', 'Customer'],
      ['Contact field for {{2}}', 'Number'],
      ['Link to the header document', 'Invoice link'],
    ]) {
      await page.getByRole('combobox', { name: field!, exact: true }).click();
      await page.getByRole('option', { name: attribute!, exact: true }).click();
    }
    await page.getByRole('switch', { name: 'Create on hold' }).click();
    await page.getByRole('button', { name: 'Create job…' }).click();
    await page.getByRole('button', { name: 'Create job on hold' }).click();
    await page.waitForURL(/\/console\/jobs\//);
    const { body: report } = await client.get(`/bulk-jobs/${page.url().split('/').at(-1)}/report`);
    for (const part of [attributes['Invoice link'], 'Anna', 'R-9']) expect(report).toContain(part);
  });

  it('uploads the header file for the chosen sender', async () => {
    const [account] = (await client.get('/accounts')).body.items as Json[];
    const added = await client.post(`/accounts/${account!.id}/senders`, {
      ...{ phoneNumberId: '700000000000081', businessAccountId: FIRST_SENDER.businessAccountId, skipCheck: true },
      ...{ displayPhoneNumber: '+49 30 5550181' },
    });
    expect(added.status).toBe(201);
    const page = await browser.signedIn(service, '/send/one');
    await page.getByRole('button', { name: /^invoice_ready / }).click();
    await page.getByRole('combobox', { name: 'Send from' }).click();
    await page.getByRole('option').last().click();
    await page.evaluate(RECORD_FORMS);
    const uploaded = page.waitForRequest('**/api/v1/messaging/media');
    const invoice = { name: 'invoice.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') };
    await page.getByLabel('Drop the header document here').setInputFiles(invoice);
    await uploaded;
    expect(await page.evaluate('window.formFields')).toEqual(['file', `senderId=${added.body.id}`]);
  });
});
