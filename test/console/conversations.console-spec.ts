import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { newPhone, writesOn } from '../support/console/people';
import { startConsoleOnPlatform, stopConsole } from '../support/console/set-up';
import type { Client } from '../support/process/client';
import type { Accepted, Platform } from '../support/process/platform';
import { type Service, until } from '../support/process/service';

describe('Conversations in the console', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, client, browser, platform } = await startConsoleOnPlatform());
  });

  afterAll(stopConsole);

  /** Opens the conversation of a person from the list. */
  async function open(page: Page, name: string): Promise<void> {
    await page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 2, name }).waitFor();
  }

  const thread = (page: Page) => page.getByRole('list', { name: /^Messages with/ });
  const repliesTo = async (phone: string) =>
    ((await platform.ledger()) as (Accepted & { type: string })[]).filter(
      ({ to, type }) => to.replace('+', '') === phone && type !== 'template',
    );

  it('shows who waits for an answer, answers once on a double click, and shows what comes by itself', async () => {
    const phone = newPhone();
    await client.post('/contacts', { phone, name: 'Mira Aydın' });
    await writesOn(platform, phone, 'Where is my *parcel*?');
    await writesOn(platform, newPhone(), 'שלום, מתי אתם פתוחים? 🙂');
    const page = await browser.signedIn(service, '/conversations?show=unread');
    await page.getByText('Where is my *parcel*?').waitFor();
    await open(page, 'Mira Aydın');
    await thread(page).getByText('parcel', { exact: true }).waitFor();
    // Seen is read.
    await until(
      async () => (await client.get(`/conversations?search=${phone}`)).body.items[0].unreadCount === 0,
      20_000,
      'read',
    );

    await page.getByLabel('Your answer').fill('It arrives on Monday.\nGrüße aus der Kundenbetreuungsabteilung 👋');
    await page.getByRole('button', { name: 'Send' }).dblclick();
    await thread(page).getByText('It arrives on Monday.').waitFor();
    await thread(page)
      .getByRole('img', { name: /Delivered|Read/ })
      .waitFor();
    expect(await page.getByLabel('Your answer').inputValue()).toBe('');
    expect(await repliesTo(phone)).toHaveLength(1);

    await writesOn(platform, phone, 'Thank you!');
    await thread(page).getByText('Thank you!').waitFor();
    await noViolations(page);
    await screenshots(page, 'conversation');

    await page.getByText('All', { exact: true }).click();
    await page.locator('.conversation-row[data-opened] .avatar').waitFor();
    const colours = await page.evaluate(
      `['', ' .avatar'].map((part) => getComputedStyle(document.querySelector('.conversation-row[data-opened]' + part)).backgroundColor)`,
    );
    expect(new Set(colours as string[]).size).toBe(2);
  });

  it('sends by Enter, quotes a message, and keeps what was written where the service refuses it', async () => {
    const phone = newPhone();
    await writesOn(platform, phone, 'Do you have it in blue?');
    const page = await browser.signedIn(service, `/conversations?search=${phone}`);
    await page.getByRole('list', { name: 'Conversations' }).getByRole('link').focus();
    await page.keyboard.press('Enter');
    await thread(page).getByText('Do you have it in blue?').waitFor();
    await page.getByRole('button', { name: 'Answer this message' }).click();
    await page.keyboard.type('Yes, from Monday on.');
    await page.route('**/conversations/*/messages', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.fallback(),
    );
    await page.keyboard.press('Enter');
    await page.getByText('The service does not answer.').first().waitFor();
    expect(await page.getByLabel('Your answer').inputValue()).toBe('Yes, from Monday on.');
    await page.unroute('**/conversations/*/messages');
    await page.keyboard.press('Enter');
    await thread(page).getByText('Yes, from Monday on.').waitFor();
    await thread(page).getByText('Their message').waitFor();
    await thread(page)
      .getByRole('img', { name: /Delivered|Read/ })
      .waitFor();
    expect(await repliesTo(phone)).toHaveLength(1);
  });

  it('offers templates instead of a field once the window closes, and sends one', async () => {
    const phone = newPhone();
    await writesOn(platform, phone, 'See you tomorrow');
    const page = await browser.open(service);
    await page.clock.install();
    await page.getByLabel('API key').fill('e2e-bootstrap-key-0123456789abcdef');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Conversations' }).first().click();
    await open(page, `+${phone}`);
    await page.getByLabel('Your answer').fill('Half a sent');
    await page.clock.fastForward('24:00:05');
    await page.getByText('wrote more than 24 hours ago').waitFor();
    expect(await page.getByLabel('Your answer').count()).toBe(0);
    await page.getByLabel('Search the templates').fill('order_up');
    await page.getByRole('button', { name: /^order_update / }).click();
    await page.getByLabel('{{1}}', { exact: true }).fill('Mira');
    await page.getByLabel('{{2}}', { exact: true }).fill('PK-1');
    await noViolations(page);
    await screenshots(page, 'conversation-closed');
    await page.getByRole('button', { name: 'Send the template' }).dblclick();
    await until(async () => (await platform.accepted()).includes(phone), 20_000, 'the template is sent');
    await page.getByText('The template is sent').first().waitFor();
    expect((await platform.accepted()).filter((to) => to === phone)).toHaveLength(1);
  });

  it('shows a picture that somebody sent, and takes a file with its limits', async () => {
    const phone = newPhone();
    const png = Buffer.from(PIXEL, 'base64');
    const page = await browser.signedIn(service, '/conversations');
    await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor();
    await writesOn(platform, phone, 'Look');
    await open(page, `+${phone}`);
    await page
      .getByLabel('File to attach')
      .setInputFiles({ name: 'a.exe', mimeType: 'application/x-msdownload', buffer: png });
    await page.getByText('is of a kind that cannot be sent').waitFor();
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    const large = Buffer.alloc(6_000_000, 1);
    await page.getByLabel('File to attach').setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: large });
    await page.getByText('“big.png” has 6 MB; a picture may have 5 MB at most.').waitFor();
    await page.getByLabel('File to attach').setInputFiles({ name: 'pixel.png', mimeType: 'image/png', buffer: png });
    await page.getByLabel('Your answer').fill('Here it is');
    await noViolations(page);
    await page.getByRole('button', { name: 'Send' }).dblclick();
    await thread(page).getByText('Here it is').waitFor();
    await thread(page)
      .getByRole('img', { name: /Delivered|Read/ })
      .waitFor();
    expect(await repliesTo(phone)).toHaveLength(1);
  });

  it('shows a key that may only read no way to write', async () => {
    const phone = newPhone();
    await writesOn(platform, phone, 'Hello');
    const { body } = await client.post('/api-keys', { name: 'Looks only', scopes: ['messaging:read'] });
    const page = await browser.signedIn(service, '/conversations', { key: body.key as string });
    await open(page, `+${phone}`);
    await thread(page).getByText('Hello').waitFor();
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0);
    expect(await page.getByLabel('Your answer').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Answer this message' }).count()).toBe(0);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Save as CSV' }).waitFor();
    expect(await page.getByRole('menuitem', { name: /Erase/ }).count()).toBe(0);
    // Nobody with the right to it has seen it: it stays unread.
    expect((await client.get(`/conversations?search=${phone}`)).body.items[0].unreadCount).toBe(1);
  });

  it('erases a conversation only when somebody types it', async () => {
    const phone = newPhone();
    await writesOn(platform, phone, 'Forget me');
    const page = await browser.signedIn(service, `/conversations?search=${phone}`);
    await open(page, `+${phone}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: /Erase/ }).click();
    const erase = page.getByRole('button', { name: 'Erase for good' });
    expect(await erase.isDisabled()).toBe(true);
    await page.getByLabel('Confirmation').fill('erase');
    await erase.click();
    await page.getByText('Nobody fits').waitFor();
    expect((await client.get(`/conversations?search=${phone}`)).body.items).toEqual([]);
  });
});

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
