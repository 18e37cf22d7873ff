import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { startConsole, stopConsole } from '../support/console/set-up';
import { phones } from '../support/process/bulk';
import type { Client, Json } from '../support/process/client';
import type { Service } from '../support/process/service';

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
    await page.getByLabel('Phone number').fill('0151 23456789');
    await page.getByText('Start with the country code instead of 0').waitFor();
    expect(await send.isDisabled()).toBe(true);
    const [to] = phones(1, 700);
    await page.getByLabel('Phone number').fill(`+${to}`);
    await page.getByText('Germany (+49)').waitFor();
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
    await page.getByText('Invalid rows by reason').waitFor();
    await page.getByLabel('Default for {{1}}').fill('there');
    await page.getByLabel('Default for {{2}}').fill('A-1000');
    await page.getByRole('button', { name: 'Send to 2…' }).waitFor();
    await page.getByRole('article', { name: /^Message to contact/ }).waitFor();
    await noViolations(page);
    await screenshots(page, 'send-group');
    await page.getByRole('button', { name: 'Send to 2…' }).click();
    await page.getByLabel('Number of recipients').fill('2');
    await page.getByRole('button', { name: 'Send 2 messages' }).dblclick();
    await page.waitForURL(/\/console\/jobs\//);
    const { items } = (await client.get('/bulk-jobs')).body as { items: Json[] };
    expect(items).toMatchObject([{ totalRecipients: 2 }]);
  });
});
