import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { withoutCountry } from '../support/console/columns';
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
    await page.getByText('No matches').waitFor();
    expect(new URL(page.url()).searchParams.get('errorCode')).toBe('window_closed');
    await page.getByRole('button', { name: 'Clear' }).click();
    await list.getByText('Not delivered').first().waitFor();
  });

  it('reads a number without country code with that of the senders, the chosen one or that of the account', async () => {
    await send('4915112360003', 'order-4', 'Undelivered');
    const page = await browser.signedIn(service, '/messages?reference=order-4');
    const list = page.getByRole('list', { name: 'Messages' });
    const searched = page.getByLabel('Sent to');
    await list.getByText('Not delivered').waitFor();
    await searched.fill('0151 12360003');
    await page.getByText('Read as +49 1511 2360003.').waitFor();
    await page.getByText('Messages to this number').waitFor();
    await list.getByText('Not delivered').waitFor();
    expect(await list.getByRole('listitem').count()).toBe(1);

    await withoutCountry(page);
    await page.getByText('or choose the country of the numbers.').waitFor();
    await page.getByText('The phone number is not complete').waitFor();
    expect(await list.count()).toBe(0);
    await noViolations(page);
    await screenshots(page, 'messages-country');
    const country = page.getByRole('combobox', { name: 'Which country are numbers without a code from?' });
    await country.fill('Germ');
    await page.getByRole('option', { name: 'Germany' }).waitFor();
    await country.press('Enter');
    await list.getByText('Not delivered').waitFor();

    await page.evaluate('localStorage.clear()');
    expect((await client.call('PATCH', '/me', { body: { defaultCountry: 'DE' } })).status).toBe(200);
    await page.reload();
    await list.getByText('Not delivered').waitFor();
    await client.call('PATCH', '/me', { body: { defaultCountry: null } });
  });

  it('lists nothing for a number that is not complete, and says what to do', async () => {
    const page = await browser.signedIn(service, '/messages');
    await page.getByLabel('Sent to').fill('0151 1');
    await page.getByText('Write the whole phone number').waitFor();
    await page.getByText('The phone number is not complete').waitFor();
    expect(await page.getByText('Latest messages').count()).toBe(0);
    await page.getByLabel('Sent to').fill('12360003');
    await page.getByText('Enter the whole number with its country code').waitFor();
    await page.getByText('The phone number is not complete').waitFor();
    expect(await page.getByText('defaultCountry').count()).toBe(0);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Latest messages').waitFor();
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

  it('leads from a message to a person who opted out to the opt-out', async () => {
    const { id } = await send('4915112380003', 'order-6', 'Undelivered');
    await client.post('/opt-outs', { phone: '4915112380003' });
    const page = await browser.signedIn(service, '/messages');
    await page.route(`**/messages/${id as string}`, async (route) => {
      const headers = { ...(await route.request().allHeaders()), 'sec-fetch-site': 'same-origin' };
      const response = await route.fetch({ headers });
      const body = (await response.text()).replace(/"code":"\w+"/, '"code":"opted_out"');
      await route.fulfill({ response, body });
    });
    await page
      .getByRole('list', { name: 'Messages' })
      .getByRole('link', { name: /2380003/ })
      .click();
    await page.getByText('Wait until the person sends START').waitFor();
    await noViolations(page);
    await page.getByRole('link', { name: 'Opt-outs of this person' }).click();
    await page.getByRole('cell', { name: '+49 1511 2380003', exact: true }).waitFor();
    await client.call('DELETE', '/opt-outs/4915112380003');
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('reports an invalid filter with the request id', async () => {
    const page = await browser.signedIn(service, '/messages?jobId=none');
    await page.getByText('Could not load this').waitFor();
    await page.getByRole('button', { name: 'Copy request ID' }).waitFor();
    await page.goto('/console/messages/00000000-0000-7000-8000-000000000000');
    await page.getByText('Message not found').waitFor();
  });
});
