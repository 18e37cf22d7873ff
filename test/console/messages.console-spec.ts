import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { startConsoleOnPlatform, stopConsole } from '../support/console/set-up';
import type { Client, Json } from '../support/process/client';
import { type Service, until } from '../support/process/service';

describe('Message search in the console', () => {
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsoleOnPlatform());
  });

  afterAll(stopConsole);

  async function send(to: string, reference: string, expected: string): Promise<Json> {
    const { body } = await client.post('/send-template', { to, templateName: 'hello_world', reference });
    let message: Json;
    const settled = async () => {
      message = (await client.get(`/messages/${body.messageId}`)).body;
      return message.status === expected;
    };
    await until(settled, 20_000, `the message is ${expected}`);
    return message;
  }

  it('finds the messages of one number, with status history, error and remedy', async () => {
    await send('4915112345610', 'order-1', 'Delivered');
    await send('4915112340003', 'order-2', 'Undelivered');
    const page = await browser.signedIn(service, '/messages');
    const list = page.getByRole('list', { name: 'Messages' });
    await list.getByText('Not delivered').waitFor();
    expect(await list.getByRole('listitem').count()).toBe(2);
    await noViolations(page);
    await screenshots(page, 'messages');

    await page.getByLabel('Sent to').fill('+49 1511 2340003');
    await page.keyboard.press('Enter');
    await page.getByText('Messages to this number').waitFor();
    await list.getByRole('listitem').nth(1).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('to')).toBe('+49 1511 2340003');
    await list.getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Why it failed' }).waitFor();
    await page.getByText('How to fix it:').waitFor();
    const steps = page.getByRole('region', { name: 'Status' });
    await steps.getByText('Not delivered', { exact: true }).waitFor();
    await steps.getByText('Sent', { exact: true }).waitFor();
    await noViolations(page);
    await screenshots(page, 'message');
  });

  it('filters by reference, status and error, and keeps the filters in the URL', async () => {
    await send('4915112350003', 'order-3', 'Undelivered');
    const page = await browser.signedIn(service, '/messages?reference=order-3');
    const list = page.getByRole('list', { name: 'Messages' });
    await list.getByText('Not delivered').waitFor();
    expect(await list.getByRole('listitem').count()).toBe(1);
    await page.getByRole('combobox', { name: 'Error' }).fill('window');
    await page.getByRole('option', { name: 'Window closed' }).click();
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await page.getByText('No matches').waitFor();
    expect(new URL(page.url()).searchParams.get('errorCode')).toBe('window_closed');
    await page.getByRole('button', { name: 'Clear' }).click();
    await list.getByText('Not delivered').first().waitFor();
  });

  it('asks at the field for the country code, and lists no messages; with a default country it needs none', async () => {
    await send('4915112360003', 'order-4', 'Undelivered');
    const page = await browser.signedIn(service, '/messages?reference=order-4');
    const list = page.getByRole('list', { name: 'Messages' });
    await list.getByText('Not delivered').waitFor();
    const search = async (text: string) => {
      await page.getByLabel('Sent to').fill(text);
      await page.keyboard.press('Enter');
    };
    await search('0151 12360003');
    await page.getByText('Start with the country code instead of 0').waitFor();
    await search('12360003');
    await page.getByText('Enter the whole number with its country code').waitFor();
    await noViolations(page);
    await page.getByText('Complete the phone number.').waitFor();
    expect(await list.getByRole('listitem').count()).toBe(0);
    await page.goto('/console/messages?to=0151+12360003');
    await page.getByText('Start with the country code instead of 0').waitFor();
    await page.getByText('Complete the phone number.').waitFor();
    expect(await page.getByText('defaultCountry').count()).toBe(0);

    expect((await client.call('PATCH', '/me', { body: { defaultCountry: 'DE' } })).status).toBe(200);
    await search('0151 12360003');
    await page.getByText('Messages to this number').waitFor();
    await list.getByText('Not delivered').waitFor();
    expect(await list.getByRole('listitem').count()).toBe(1);
    await client.call('PATCH', '/me', { body: { defaultCountry: null } });
  });

  it('leads from a message to the conversation with its person', async () => {
    const { id, conversationId } = await send('4915112370003', 'order-5', 'Undelivered');
    const page = await browser.signedIn(service, `/messages/${id as string}`);
    await page
      .getByRole('definition')
      .getByRole('link', { name: /^\+49 1511/ })
      .click();
    await page.waitForURL(`**/console/conversations?id=${conversationId as string}`);
  });

  it('reports an invalid filter with the request id', async () => {
    const page = await browser.signedIn(service, '/messages?jobId=none');
    await page.getByText('Could not load this').waitFor();
    await page.getByRole('button', { name: 'Copy request ID' }).waitFor();
    await page.goto('/console/messages/00000000-0000-7000-8000-000000000000');
    await page.getByText('Message not found').waitFor();
  });
});
