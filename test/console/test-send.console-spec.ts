import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, problemsOf, screenshots } from '../support/console/browser';
import { chooseColumn } from '../support/console/columns';
import { dropSpreadsheet } from '../support/console/files';
import { startConsoleOnPlatform, stopConsole } from '../support/console/set-up';
import { phones } from '../support/process/bulk';
import type { Client, Json } from '../support/process/client';
import type { Platform } from '../support/process/platform';
import type { Service } from '../support/process/service';

describe('A test to oneself', () => {
  let platform: Platform;
  let service: Service;
  let browser: ConsoleBrowser;
  let client: Client;

  beforeAll(async () => {
    ({ service, client, browser, platform } = await startConsoleOnPlatform());
  });

  afterAll(stopConsole);

  const choose = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name} `) }).click();
  const ownNumber = (page: Page) => page.getByLabel('Your own number');
  const sendTest = (page: Page) => page.getByRole('button', { name: 'Send a test to myself' });
  const messagesTo = async (phone: string): Promise<Json[]> =>
    (await client.get(`/messages?to=${phone}`)).body.items as Json[];

  it('has exactly the values of the row shown, once on a double click, and its number is remembered', async () => {
    const [own, ...people] = phones(4, 100) as [string, ...string[]];
    const page = await browser.signedIn(service, '/send/campaign');
    await choose(page, 'order_update');
    await dropSpreadsheet(page, [
      'Phone,Name,Parcel',
      ...people.map((phone, index) => `${phone},Zoë ${index},PK-${index}`),
      '1,,',
    ]);
    // The row with a problem cannot be sent; the test beside it is that of another row.
    await page.getByRole('article', { name: 'Message to row 2' }).waitFor();
    for (let row = 2; row < 5; row++) await page.getByRole('button', { name: 'Next message' }).click();
    await page.getByRole('article', { name: 'Message to row 5' }).waitFor();
    await page.getByText('with the values of row 2, the first that can be sent').waitFor();
    for (let row = 5; row > 3; row--) await page.getByRole('button', { name: 'Previous message' }).click();
    await page.getByRole('article', { name: 'Message to row 3' }).waitFor();
    // The country of the sender completes a national number.
    await ownNumber(page).fill('0151 23456789');
    await sendTest(page).and(page.locator(':enabled')).waitFor();
    await ownNumber(page).fill('12');
    await sendTest(page).and(page.locator(':disabled')).waitFor();
    await ownNumber(page).fill(`+${own}`);
    await sendTest(page).dblclick();
    const outcome = page.getByRole('status').filter({ hasText: 'Row 3 to' });
    await outcome.getByText(/^(Delivered|Read)$/).waitFor();
    await noViolations(page);
    await screenshots(page, 'campaign-test');
    const [message, ...others] = await messagesTo(own);
    expect([message.renderedText, others]).toEqual([expect.stringMatching(/Zoë 1.*PK-1/s), []]);
    for (const person of people) expect(await messagesTo(person)).toEqual([]);
    await outcome.getByRole('link', { name: 'Open message' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without sending?' });
    await dialog.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('heading', { level: 1, name: 'Message sent' }).waitFor();

    await page.goto('/console/send/campaign');
    await choose(page, 'order_update');
    await dropSpreadsheet(page, ['Phone,Name,Parcel', `${people[0]},Tom,PK-9`]);
    await page.getByRole('article', { name: 'Message to row 2' }).waitFor();
    expect(await ownNumber(page).inputValue()).toBe(`+${own}`);
    await sendTest(page).click();
    await outcome.or(page.getByRole('status').filter({ hasText: 'Row 2 to' })).waitFor();
    expect(await messagesTo(own)).toHaveLength(2);
    expect(problemsOf(page)).toEqual([]);
  });

  it('completes the number with the country that was chosen for the file', async () => {
    const page = await browser.signedIn(service, '/send/campaign');
    await choose(page, 'order_update');
    await dropSpreadsheet(page, ['Phone,Name,Parcel', '0151 52345678,Mira,PK-1', '4915112345699,Tom,PK-2']);
    const country = page.getByRole('combobox', { name: 'Which country are numbers without a code from?' });
    await country.fill('Germ');
    await page.getByRole('option', { name: 'Germany' }).waitFor();
    await country.press('Enter');
    await page.getByRole('article', { name: 'Message to row 2' }).waitFor();
    await ownNumber(page).fill('0151 62345678');
    await sendTest(page).click();
    await page.getByRole('status').filter({ hasText: 'Row 2 to' }).waitFor();
    expect(await messagesTo('4915162345678')).toHaveLength(1);
  });

  it('has the document of the row', async () => {
    const [own, person] = phones(2, 200) as [string, string];
    const link = 'https://files.example.com/invoice-7.pdf';
    const page = await browser.signedIn(service, '/send/campaign');
    await choose(page, 'invoice_ready');
    await dropSpreadsheet(page, ['Phone,Customer,Number,Invoice', `${person},Anna,R-7,${link}`]);
    for (const [field, header] of [
      ['{{1}}', 'Customer'],
      ['{{2}}', 'Number'],
    ])
      await chooseColumn(page, field!, header!);
    await page.getByText(/^Optional columns/).click();
    await chooseColumn(page, 'Link to the header document', 'Invoice');
    await page.getByRole('article', { name: 'Message to row 2' }).getByText('invoice-7.pdf').waitFor();
    await ownNumber(page).fill(`+${own}`);
    await sendTest(page).click();
    await page.getByRole('status').filter({ hasText: 'Row 2 to' }).waitFor();
    const sent = (await platform.ledger()).filter(({ to }) => to === own);
    expect(JSON.stringify(sent)).toContain('R-7');
    const [message] = await messagesTo(own);
    expect(JSON.stringify((await client.get(`/messages/${message.id}`)).body)).toContain(link);
  });

  it('has the values of the contact shown, and says why it was rejected', async () => {
    const [own, one] = phones(2, 300) as [string, string];
    const { body: group } = await client.post('/groups', { name: 'Testers' });
    const contacts = [{ phone: one, parameters: { 1: 'Mira', 2: 'A-1' } }];
    await client.post(`/groups/${group.id}/contacts`, { contacts });
    const page = await browser.signedIn(service, `/send/group?group=${group.id}`);
    await choose(page, 'order_update');
    await page.getByRole('article', { name: /^Message to contact/ }).waitFor();
    await ownNumber(page).fill(`+${own}`);
    await sendTest(page).click();
    await page.getByRole('status').filter({ hasText: 'Contact 1 to' }).waitFor();
    expect((await messagesTo(own))[0].renderedText).toMatch(/Mira.*A-1/s);
    await client.post('/opt-outs', { phone: own });
    await sendTest(page).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /opted out/ })
      .waitFor();
    await noViolations(page);
    await screenshots(page, 'group-test-rejected');
  });
});
