import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { newPhone, writesOn } from '../support/console/people';
import { startConsoleOnPlatform, stopConsole } from '../support/console/set-up';
import { sendTo } from '../support/process/bulk';
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

  /** Opens a conversation from the list. */
  async function open(page: Page, name: string): Promise<void> {
    await page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 2, name }).waitFor();
  }

  const thread = (page: Page) => page.getByRole('list', { name: /^Messages with/ });
  const repliesTo = async (phone: string) =>
    ((await platform.ledger()) as (Accepted & { type: string })[]).filter(
      ({ to, type }) => to.replace('+', '') === phone && type !== 'template',
    );

  it('shows unread conversations, replies once on a double click, and shows new messages live', async () => {
    const phone = newPhone();
    await client.post('/contacts', { phone, name: 'Mira Aydın' });
    await writesOn(platform, phone, 'Where is my *parcel*?');
    await writesOn(platform, newPhone(), 'שלום, מתי אתם פתוחים? 🙂');
    const page = await browser.signedIn(service, '/conversations?show=unread');
    await page.getByText('Where is my *parcel*?').waitFor();
    await open(page, 'Mira Aydın');
    await thread(page).getByText('parcel', { exact: true }).waitFor();
    // Opening the conversation marks it as read.
    await until(
      async () => (await client.get(`/conversations?search=${phone}`)).body.items[0].unreadCount === 0,
      20_000,
      'read',
    );

    await page.getByLabel('Your reply').fill('It arrives on Monday.\nGrüße aus der Kundenbetreuungsabteilung 👋');
    await page.getByRole('button', { name: 'Send' }).dblclick();
    await thread(page).getByText('It arrives on Monday.').waitFor();
    await thread(page)
      .getByRole('img', { name: /Delivered|Read/ })
      .waitFor();
    expect(await page.getByLabel('Your reply').inputValue()).toBe('');
    expect(await repliesTo(phone)).toHaveLength(1);

    await writesOn(platform, phone, 'Thank you!');
    await thread(page).getByText('Thank you!').waitFor();
    await noViolations(page);
    await screenshots(page, 'conversation');

    await page.getByRole('combobox', { name: 'Show' }).click();
    await page.getByRole('option', { name: 'People who wrote' }).click();
    await page.locator('.conversation-row[data-opened] .avatar').waitFor();
    const colours = await page.evaluate(
      `['', ' .avatar'].map((part) => getComputedStyle(document.querySelector('.conversation-row[data-opened]' + part)).backgroundColor)`,
    );
    expect(new Set(colours as string[]).size).toBe(2);
  });

  it('sends with Enter, quotes a message, and keeps the draft after an error', async () => {
    const phone = newPhone();
    await writesOn(platform, phone, 'Do you have it in blue?');
    await until(
      async () => (await client.get(`/conversations?search=${phone}`)).body.items.length === 1,
      20_000,
      'the message has arrived',
    );
    const page = await browser.signedIn(service, `/conversations?search=${phone}`);
    const reply = page.getByLabel('Your reply');
    const focused = reply.and(page.locator(':focus'));
    await page.getByRole('list', { name: 'Conversations' }).getByRole('link').focus();
    await page.keyboard.press('Enter');
    await focused.waitFor();
    await thread(page).getByText('Do you have it in blue?').waitFor();
    await page.getByRole('button', { name: 'Reply to this message' }).click();
    await page.getByRole('form', { name: 'Reply' }).getByText('Their message').waitFor();
    await focused.waitFor();
    await page.keyboard.type('Yes, from Monday on.');
    expect(await reply.inputValue()).toBe('Yes, from Monday on.');
    // The route stays: removing it would race with requests that it still handles.
    let isDown = true;
    await page.route('**/conversations/*/messages', (route) =>
      isDown && route.request().method() === 'POST' ? route.abort() : route.fallback(),
    );
    await page.keyboard.press('Enter');
    await page.getByRole('form', { name: 'Reply' }).getByText('The service is not responding.').waitFor();
    expect(await reply.inputValue()).toBe('Yes, from Monday on.');
    isDown = false;
    await focused.waitFor();
    await page.keyboard.type('!');
    await page.keyboard.press('Backspace');
    await page.getByRole('form', { name: 'Reply' }).getByRole('alert').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await thread(page).getByText('Yes, from Monday on.').waitFor();
    await thread(page).getByText('Their message').waitFor();
    await thread(page)
      .getByRole('img', { name: /Delivered|Read/ })
      .waitFor();
    expect(await repliesTo(phone)).toHaveLength(1);
  });

  it('says that a conversation could not be loaded, also while it is loaded again', async () => {
    const phone = newPhone();
    await writesOn(platform, phone, 'Hello?');
    const listed = async () => (await client.get(`/conversations?search=${phone}`)).body.items as { id: string }[];
    await until(async () => (await listed()).length === 1, 20_000, 'the message has arrived');
    const page = await browser.signedIn(service, '/conversations?search=nobody');
    let isHeld = false;
    const id = /\/conversations\/[0-9a-f-]{36}$/;
    await page.route(id, (route) => (isHeld ? undefined : route.fulfill({ status: 500, json: {} })));
    await page.goto(`/console/conversations?search=nobody&id=${(await listed())[0]!.id}`);
    const failed = page.getByRole('region', { name: 'Conversation', exact: true }).getByText('Could not load this');
    await failed.waitFor();
    isHeld = true;
    const repeated = page.waitForRequest(id);
    await page.getByRole('button', { name: 'Try again' }).click();
    await repeated;
    await page.getByRole('button', { name: 'Try again' }).and(page.locator('[aria-busy=true]')).waitFor();
    expect(await failed.isVisible()).toBe(true);
  });

  it('offers templates once the reply window closes, and sends one', async () => {
    const phone = newPhone();
    await writesOn(platform, phone, 'See you tomorrow');
    const page = await browser.open(service);
    await page.clock.install();
    await page.getByLabel('API key').fill('e2e-bootstrap-key-0123456789abcdef');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Conversations' }).first().click();
    await open(page, `+${phone}`);
    await page.getByLabel('Your reply').fill('Half a sent');
    await page.clock.fastForward('24:00:05');
    await page.getByText('is more than 24 hours old').waitFor();
    expect(await page.getByLabel('Your reply').count()).toBe(0);
    await page.getByLabel('Search templates').fill('order_up');
    await page.getByRole('button', { name: /^order_update / }).click();
    await page.getByLabel('{{1}}', { exact: true }).fill('Mira');
    await page.getByLabel('{{2}}', { exact: true }).fill('PK-1');
    await noViolations(page);
    await screenshots(page, 'conversation-closed');
    await page.setViewportSize({ width: 1280, height: 560 });
    const scrolled = () => page.evaluate<number>(`document.querySelector('.answer').scrollTop`);
    await page.getByRole('button', { name: 'Send template' }).scrollIntoViewIfNeeded();
    expect(await scrolled()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Send template' }).dblclick();
    await until(async () => (await platform.accepted()).includes(phone), 20_000, 'the template is sent');
    await page.getByText('Template sent').first().waitFor();
    await thread(page).and(page.locator(':focus')).waitFor();
    await page.getByLabel('Search templates').waitFor();
    expect(await scrolled()).toBe(0);
    expect((await platform.accepted()).filter((to) => to === phone)).toHaveLength(1);
  });

  it('offers templates where the platform finds the reply window closed, and keeps the reply for the next', async () => {
    const phone = newPhone();
    await writesOn(platform, phone, 'When does it arrive?');
    const page = await browser.signedIn(service, `/conversations?search=${phone}`);
    await open(page, `+${phone}`);
    const reply = page.getByLabel('Your reply');
    await reply.fill('On Monday');
    // More than one: the read receipt may take the first.
    await platform.configure({ refuseNext: { code: 131047, count: 5 } });
    await page.keyboard.press('Enter');
    await page.getByText('Your reply was not sent: the last message from').waitFor();
    await platform.configure({ refuseNext: { code: 131047, count: 0 } });
    await page.getByLabel('Search templates').and(page.locator(':focus')).waitFor();
    expect(await page.getByText('POST /').count()).toBe(0);
    await page.keyboard.press('Escape');
    await thread(page).and(page.locator(':focus')).waitFor();
    await page.locator('.thread-facts').getByText('Reply window closed').waitFor();
    // Once the list has been read again, the failure of the reply is shown instead.
    const listed = page.getByRole('list', { name: 'Conversations' }).getByText(/^(Reply window closed|Failed)$/);
    await listed.first().waitFor();
    expect(await page.getByRole('button', { name: 'Reply to this message' }).count()).toBe(0);
    // Also after it was left.
    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
    await page.goBack();
    await page.getByText('Your reply was not sent: the last message from').waitFor();
    expect(await reply.count()).toBe(0);
    const writesAgain = async () => {
      await writesOn(platform, phone, 'Hello?');
      return (await reply.count()) === 1;
    };
    await until(writesAgain, 20_000, 'the window is open again');
    expect(await reply.inputValue()).toBe('On Monday');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await until(async () => (await repliesTo(phone)).length === 1, 20_000, 'the reply is sent');
  });

  it('sends a picture and enforces file type and size limits', async () => {
    const phone = newPhone();
    const png = Buffer.from(PIXEL, 'base64');
    const page = await browser.signedIn(service, '/conversations');
    await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor();
    await writesOn(platform, phone, 'Look');
    await open(page, `+${phone}`);
    await page
      .getByLabel('Attachment')
      .setInputFiles({ name: 'a.exe', mimeType: 'application/x-msdownload', buffer: png });
    await page.getByText('has an unsupported file type').waitFor();
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    const large = Buffer.alloc(6_000_000, 1);
    await page.getByLabel('Attachment').setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: large });
    await page.getByText('“big.png” is 6 MB; the limit for a picture is 5 MB.').waitFor();
    await page.getByLabel('Attachment').setInputFiles({ name: 'pixel.png', mimeType: 'image/png', buffer: png });
    await page.getByLabel('Your reply').fill('Here it is');
    await noViolations(page);
    await page.getByRole('button', { name: 'Send' }).dblclick();
    await thread(page).getByText('Here it is').waitFor();
    await thread(page)
      .getByRole('img', { name: /Delivered|Read/ })
      .waitFor();
    expect(await repliesTo(phone)).toHaveLength(1);
    const picture = thread(page).getByRole('button', { name: 'Open picture' });
    await picture.click();
    const dialog = page.getByRole('dialog', { name: 'Picture' });
    await dialog.getByRole('img', { name: 'Here it is' }).waitFor();
    await noViolations(page);
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toMatch(/^picture-\d{4}-\d\d-\d\d-\d{4}\.png$/);
    await page.keyboard.press('Escape');
    await picture.and(page.locator(':focus')).waitFor();
  });

  it('uploads a picture for the sender of the conversation', async () => {
    const path = `/accounts/${(await client.get('/me')).body.account.id as string}/senders`;
    const other = { phoneNumberId: '700000000000002', businessAccountId: '700000000000003', skipCheck: true };
    const { body: added } = await client.post(path, other);
    const phone = newPhone();
    await writesOn(platform, phone, 'Look');
    const page = await browser.signedIn(service, '/conversations');
    await open(page, `+${phone}`);
    const [{ senderId }] = (await client.get(`/conversations?search=${phone}`)).body.items as [{ senderId: string }];
    const png = Buffer.from(PIXEL, 'base64');
    await page.getByLabel('Attachment').setInputFiles({ name: 'pixel.png', mimeType: 'image/png', buffer: png });
    // Requests with files have no readable body in Playwright.
    await page.evaluate(`
      fields = [];
      const append = FormData.prototype.append;
      FormData.prototype.append = function (...field) { fields.push(field); return append.apply(this, field); }`);
    const uploaded = page.waitForRequest((request) => request.url().endsWith('/media'));
    await page.getByRole('button', { name: 'Send' }).click();
    await uploaded;
    expect(await page.evaluate('fields')).toContainEqual(['senderId', senderId]);
    await client.call('DELETE', `${path}/${added.id as string}`);
  });

  it('shows no reply controls to a read-only key', async () => {
    const phone = newPhone();
    await writesOn(platform, phone, 'Hello');
    const { body } = await client.post('/api-keys', { name: 'Reader', scopes: ['messaging:read'] });
    const page = await browser.signedIn(service, '/conversations', { key: body.key as string });
    await open(page, `+${phone}`);
    await thread(page).getByText('Hello').waitFor();
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0);
    expect(await page.getByLabel('Your reply').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Reply to this message' }).count()).toBe(0);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Export as CSV' }).waitFor();
    expect(await page.getByRole('menuitem', { name: /Erase|Opt out/ }).count()).toBe(0);
    // A read-only key does not mark it as read.
    expect((await client.get(`/conversations?search=${phone}`)).body.items[0].unreadCount).toBe(1);
  });

  it('opts the person out of messages, and in again', async () => {
    const phone = newPhone();
    const fields = { City: 'Köln', Order: '4711', Product: 'A very long name of a product that fills the line' };
    await client.post('/contacts', { phone, name: 'Olga Out', attributes: fields });
    const jobId = await sendTo(client, [phone], { name: 'Autumn mailing' });
    await writesOn(platform, phone, 'Please stop writing');
    const page = await browser.signedIn(service, `/conversations?search=${phone}`);
    await open(page, 'Olga Out');
    await page.locator('.thread-contact').getByText('City: Köln, Order: 4711').waitFor();
    await page.getByRole('button', { name: 'More details' }).click();
    await page.getByRole('button', { name: 'Less', expanded: true }).waitFor();
    const job = thread(page).getByRole('link', { name: 'Autumn mailing' });
    expect(await job.getAttribute('href')).toMatch(new RegExp(`/jobs/${jobId}$`));
    const optedOut = page.locator('.thread-facts').getByText('Opted out', { exact: true });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Opt out…' }).click();
    await dialog.getByRole('heading', { name: 'Opt this person out?' }).waitFor();
    await dialog.getByRole('radio', { name: /^Only advertising/ }).check();
    await noViolations(page);
    await dialog.getByRole('button', { name: 'Opt out' }).click();
    await page.locator('.thread-facts').getByText('Opted out of marketing').waitFor();
    expect((await client.get('/opt-outs')).body.items).toMatchObject([{ phone, scope: 'Marketing', source: 'Api' }]);
    await page.getByLabel('Your reply').waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Opt out…' }).click();
    await dialog.getByText('Nothing will be sent to Olga Out').waitFor();
    await noViolations(page);
    await dialog.getByRole('button', { name: 'Opt out' }).click();
    await optedOut.waitFor();
    const scopes = ((await client.get('/opt-outs')).body.items as { scope: string }[]).map(({ scope }) => scope);
    expect(scopes.sort()).toEqual(['All', 'Marketing']);
    await page.getByText('You can answer them once they write again').waitFor();
    expect(await page.getByLabel('Your reply').count()).toBe(0);

    await writesOn(platform, phone, 'But where is my parcel?');
    await page.getByText(/^Olga Out opted out .*, but wrote to you since\./).waitFor();
    expect(await page.getByRole('button', { name: 'Template' }).count()).toBe(0);
    await noViolations(page);
    await page.getByLabel('Your reply').fill('It arrives today');
    await page.getByRole('button', { name: 'Send' }).click();
    await thread(page).getByText('It arrives today').waitFor();
    const [answer] = (await client.get(`/messages?to=${phone}`)).body.items as object[];
    expect(answer).toMatchObject({ renderedText: 'It arrives today', error: null });

    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Opt in…' }).click();
    await dialog.getByRole('button', { name: 'Opt in' }).click();
    await optedOut.waitFor({ state: 'detached' });
    expect((await client.get('/opt-outs')).body.items).toEqual([]);
  });

  it('erases a conversation only after typing the confirmation', async () => {
    const phone = newPhone();
    await writesOn(platform, phone, 'Forget me');
    const page = await browser.signedIn(service, `/conversations?search=${phone}`);
    await open(page, `+${phone}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: /Erase/ }).click();
    const erase = page.getByRole('button', { name: 'Erase permanently' });
    expect(await erase.isDisabled()).toBe(true);
    await page.getByLabel('Confirmation').fill('erase');
    await erase.click();
    await page.getByText('No matches').waitFor();
    expect((await client.get(`/conversations?search=${phone}`)).body.items).toEqual([]);
  });

  it('says that erasing a conversation keeps the contact, and leads to it', async () => {
    const phone = newPhone();
    await client.post('/contacts', { phone, name: 'Ida Contact' });
    await writesOn(platform, phone, 'Delete all my data');
    const page = await browser.signedIn(service, `/conversations?search=${phone}`);
    const choose = async () => {
      await open(page, 'Ida Contact');
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: /Erase/ }).click();
    };
    const dialog = page.getByRole('dialog', { name: 'Erase this conversation?' });
    await choose();
    await dialog.getByText('The contact, with name, number and user ID, is kept.').waitFor();
    await dialog.getByLabel('Confirmation').and(page.locator(':focus')).waitFor();
    await noViolations(page);
    await dialog.getByRole('link', { name: 'contact' }).click();
    await page.getByRole('button', { name: 'Delete or erase…' }).waitFor();
    await page.goBack();
    await choose();
    await page.getByLabel('Confirmation').fill('erase');
    await page.keyboard.press('Enter');
    const toast = page.getByRole('dialog').filter({ hasText: 'Conversation erased' });
    await toast.getByText('The contact, with name, number and user ID, is kept.').waitFor();
    await toast.getByRole('button', { name: 'Contact' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ida Contact' }).waitFor();
  });
});

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
