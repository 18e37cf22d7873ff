import type { Locator, Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, problemsOf } from '../support/console/browser';
import { contactWrites, newPhone, writesOn } from '../support/console/people';
import { startConsoleOnPlatform, stopConsole } from '../support/console/set-up';
import type { Client } from '../support/process/client';
import type { Platform } from '../support/process/platform';
import type { Service } from '../support/process/service';
import { inboundOf, postWebhook } from '../support/process/webhook';

/** Longer than the console waits for the event of a change. */
const SETTLED_MS = 3000;

describe('Messages in the inbox', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, client, browser, platform } = await startConsoleOnPlatform());
  });

  afterAll(stopConsole);

  const list = (page: Page) => page.getByRole('list', { name: 'Conversations' });
  const row = (page: Page, name: string) => list(page).getByRole('listitem').filter({ hasText: name });
  const reply = (page: Page) => page.getByLabel('Your reply');
  const sent = (page: Page) => page.getByRole('article', { name: 'Sent message' });
  const write = (name: string, phone?: string) =>
    contactWrites({ client, platform }, name, `A question of ${name}`, phone);

  /** Counts what the page loads from now on. */
  function loadsOf(page: Page): { list: number; conversation: number; messages: number } {
    const loads = { list: 0, conversation: 0, messages: 0 };
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (request.method() !== 'GET') return;
      if (pathname.endsWith('/conversations') && !searchParams.has('unreadConversations')) loads.list++;
      if (/\/conversations\/[^/]+$/.test(pathname) && !pathname.startsWith('/console')) loads.conversation++;
      if (/\/conversations\/[^/]+\/messages$/.test(pathname)) loads.messages++;
    });
    return loads;
  }

  it('are loaded once for each change', async () => {
    await write('Abe Once');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Abe Once').getByText('unread').waitFor();
    await page.getByText(/^Live, updated/).waitFor();
    await page.waitForTimeout(SETTLED_MS);
    const opened = loadsOf(page);
    await row(page, 'Abe Once').getByRole('link').click();
    await row(page, 'Abe Once').getByText('unread').waitFor({ state: 'detached' });
    await page.waitForTimeout(SETTLED_MS);
    // The event that the conversation is read brings no message.
    expect(opened).toEqual({ list: 1, conversation: 1, messages: 1 });

    let show: () => void = () => undefined;
    const isShown = new Promise<void>((resolve) => (show = resolve));
    // The status of a message without its report is polled.
    await page.route('**/conversations/*/messages*', async (route) => {
      const headers = { ...(await route.request().allHeaders()), 'sec-fetch-site': 'same-origin' };
      const response = await route.fetch({ headers });
      const body = (await response.text()).replaceAll('"Sent"', '"Delivered"');
      if (route.request().method() === 'GET') await isShown;
      await route.fulfill({ response, body });
    });
    const replied = loadsOf(page);
    await reply(page).fill('Once');
    await page.keyboard.press('Enter');
    await sent(page).getByText('Once').waitFor();
    show();
    await row(page, 'Abe Once').getByText('Sent: Once').waitFor();
    await page.waitForTimeout(SETTLED_MS);
    expect(replied).toEqual({ list: 1, conversation: 1, messages: expect.any(Number) });
    // None if the answer to the reply, which is shown as recorded, arrives before its event.
    expect(replied.messages).toBeLessThanOrEqual(1);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('that wait to be sent are marked in the list', async () => {
    const phone = await write('Ada Queued');
    const [{ id }] = (await client.get(`/conversations?search=${phone}`)).body.items as [{ id: string }];
    await client.post(`/conversations/${id}/messages`, { text: 'Soon' });
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Ada Queued').getByText('Sent:').waitFor();
    await page.route(/\/conversations\?/, async (route) => {
      const headers = { ...(await route.request().allHeaders()), 'sec-fetch-site': 'same-origin' };
      const response = await route.fetch({ headers });
      const body = (await response.text()).replaceAll(/"lastStatus":"\w+"/g, '"lastStatus":"Queued"');
      await route.fulfill({ response, body });
    });
    await page.reload();
    await row(page, 'Ada Queued').getByText('Waiting:').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('that failed are written again into the reply field, without what is typed being lost or sent', async () => {
    const phone = await write('Bea Failed', `${newPhone().slice(0, -4)}0003`);
    const [{ id }] = (await client.get(`/conversations?search=${phone}`)).body.items as [{ id: string }];
    const url = 'https://example.com/picture.png';
    await client.post(`/conversations/${id}/messages`, { type: 'Image', mediaUrl: url, text: 'A picture' });
    const page = await browser.signedIn(service, `/conversations?id=${id}`);
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/messages')) {
        keys.push(request.headers()['idempotency-key']);
      }
    });
    await reply(page).fill('On its way');
    await page.keyboard.press('Enter');
    const again = page.getByRole('button', { name: 'Send again' });
    await again.waitFor({ timeout: 20_000 });
    await sent(page).filter({ hasText: 'A picture' }).getByRole('link', { name: 'How to fix it' }).waitFor();
    // A file would have to be chosen again.
    expect(await again.count()).toBe(1);
    await noViolations(page);
    await again.click();
    await reply(page).and(page.locator(':focus')).waitFor();
    expect(await reply(page).inputValue()).toBe('On its way');
    // It is in the field.
    await again.waitFor({ state: 'detached' });
    await reply(page).fill('Hello.');
    await again.click();
    expect(await reply(page).inputValue()).toBe('Hello.\nOn its way');
    await again.waitFor({ state: 'detached' });
    expect(keys).toHaveLength(1);
    await reply(page).fill('On its way');
    await page.keyboard.press('Enter');
    await sent(page).getByText('On its way').nth(1).waitFor();
    expect(new Set(keys).size).toBe(2);
    // Only of the latest attempt.
    await sent(page).filter({ hasText: 'On its way' }).nth(1).getByRole('button', { name: 'Send again' }).waitFor();
    expect(await again.count()).toBe(1);
    expect(problemsOf(page)).toEqual([]);
  });

  it('that fail after Done are reported, with the way back', async () => {
    await write('Bob Next');
    await write('Bea Lost', `${newPhone().slice(0, -5)}90003`);
    const page = await browser.signedIn(service, '/conversations');
    // The platform reports the failure after Done.
    let isDone = false;
    await page.route(/\/conversations\?/, async (route) => {
      const headers = { ...(await route.request().allHeaders()), 'sec-fetch-site': 'same-origin' };
      const response = await route.fetch({ headers });
      const body = (await response.text()).replaceAll(/"lastFailure":"\w+",/g, (failure) => (isDone ? failure : ''));
      await route.fulfill({ response, body });
    });
    await row(page, 'Bea Lost').getByRole('link').click();
    await reply(page).fill('Lost');
    await page.keyboard.press('Enter');
    await sent(page).getByText('Lost').waitFor();
    await page
      .getByRole('region', { name: 'Conversation', exact: true })
      .getByRole('button', { name: 'Done', exact: true })
      .click();
    await page.getByRole('heading', { level: 2, name: 'Bob Next' }).waitFor();
    isDone = true;
    const toast = page.getByRole('dialog').filter({ hasText: 'Your reply to Bea Lost was not delivered' });
    await toast.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { level: 2, name: 'Bea Lost' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    expect(problemsOf(page)).toEqual([]);
  });

  it('show their actions on a tap above the next message', async () => {
    const phone = await write('Tap Once');
    await writesOn(platform, phone, 'A second message');
    const page = await browser.signedIn(service, '/conversations', { width: 390 });
    await page.getByRole('link', { name: 'Tap Once' }).click();
    const messages = page.getByRole('article', { name: 'Received message' });
    await messages.nth(1).waitFor();
    await messages.first().click();
    await page.mouse.move(0, 0);
    const details = page.getByRole('link', { name: 'Details' }).first();
    const { x, y, width, height } = (await details.boundingBox())!;
    expect(await page.evaluate(`document.elementFromPoint(${x + width / 2}, ${y + height - 2}).textContent`)).toBe(
      'Details',
    );
    await details.click();
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  it('leave the reply form where it is while they are loaded', async () => {
    await write('Ula Slow');
    const page = await browser.signedIn(service, '/conversations');
    let load = () => {};
    const isAllowed = new Promise<void>((done) => (load = done));
    await page.route(/\/conversations\/[^/]+\/messages\?/, async (route) => {
      await isAllowed;
      await route.fallback();
    });
    await row(page, 'Ula Slow').getByRole('link').click();
    await page.getByRole('status', { name: 'Loading messages' }).waitFor();
    const before = (await reply(page).boundingBox())!;
    load();
    await page.getByRole('article', { name: 'Received message' }).waitFor();
    expect(await reply(page).boundingBox()).toEqual(before);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('with a place link to a map', async () => {
    const phone = await write('Cem Place');
    const location = { latitude: 52.52, longitude: 13.405, name: 'Parcel shop' };
    await postWebhook(service, inboundOf(phone, { type: 'location', location }));
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Cem Place').getByRole('link').click();
    const map = page.getByRole('article', { name: 'Received message' }).getByRole('link', { name: 'Show on a map' });
    await map.waitFor();
    const attribute = (name: string) => map.getAttribute(name);
    expect(await Promise.all(['href', 'target', 'rel'].map(attribute))).toEqual([
      ...['https://www.openstreetmap.org/?mlat=52.52&mlon=13.405', '_blank', 'noreferrer'],
    ]);
    await noViolations(page);
  });

  it('of templates are searched once a person stops typing', async () => {
    await write('Dan Search');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Dan Search').getByRole('link').click();
    await page.getByRole('button', { name: 'Template', exact: true }).click();
    await page.getByRole('button', { name: /^hello_world / }).waitFor();
    const searches: (string | null)[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/templates')) searches.push(searchParams.get('search'));
    });
    const searched = page.waitForRequest(/templates\?.*search=/);
    await page.getByLabel('Search templates').pressSequentially('order_up', { delay: 20 });
    // Those that are loaded are filtered at once.
    await page.getByRole('button', { name: /^hello_world / }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^order_update / }).waitFor();
    await searched;
    expect(searches).toEqual(['order_up']);
  });

  it('of a colleague are announced to who is writing, and asked for once more before their reply is sent', async () => {
    const phone = await write('Eva Shared');
    const [{ id }] = (await client.get(`/conversations?search=${phone}`)).body.items as [{ id: string }];
    const { body: ana } = await client.post('/api-keys', { name: 'Ana', scopes: ['messaging:manage'] });
    const anaReplies = (text: string) =>
      client.post(`/conversations/${id}/messages`, { text }, { key: ana.key as string });
    const page = await browser.signedIn(service, `/conversations?id=${id}`);
    const note = page.getByRole('status').filter({ hasText: /^Ana replied .+\. Read it before you send\.$/ });
    await reply(page).waitFor();
    await page.getByRole('article', { name: 'Received message' }).waitFor();
    await anaReplies('First');
    await sent(page).getByText('First').waitFor();
    await reply(page).fill('It is');
    expect(await note.count()).toBe(0);
    await anaReplies('Second');
    await note.waitFor();
    await noViolations(page);
    await page.keyboard.type(' here');
    const close = note.getByRole('button', { name: 'Close' });
    const endOf = async (what: Locator) => await what.boundingBox().then((box) => box!.x + box!.width);
    expect((await endOf(note)) - (await endOf(close))).toBeLessThan(40);
    await close.click();
    await note.waitFor({ state: 'detached' });
    expect(await reply(page).inputValue()).toBe('It is here');
    await anaReplies('Third');
    await note.waitFor();
    await reply(page).press('Enter');
    const asked = page.getByRole('status').filter({ hasText: /^Not sent yet: Ana replied .+\. Send again/ });
    await asked.waitFor();
    expect(await sent(page).getByText('It is here').count()).toBe(0);
    expect(await reply(page).inputValue()).toBe('It is here');
    await reply(page).press('Enter');
    await sent(page).getByText('It is here').waitFor();
    await asked.waitFor({ state: 'detached' });
    await reply(page).fill('Another');
    expect(await note.count()).toBe(0);
  });

  it('of someone with the same key are announced, too, but not what this tab sends', async () => {
    const phone = await write('Gil Shared');
    const [{ id }] = (await client.get(`/conversations?search=${phone}`)).body.items as [{ id: string }];
    const page = await browser.signedIn(service, `/conversations?id=${id}`);
    await reply(page).fill('My own');
    await reply(page).press('Enter');
    await sent(page).getByText('My own').waitFor();
    await reply(page).fill('It is');
    const note = page.getByRole('status').filter({ hasText: /replied .+\. Read it before you send\.$/ });
    await page.waitForTimeout(SETTLED_MS);
    expect(await note.count()).toBe(0);
    await client.post(`/conversations/${id}/messages`, { text: 'Of the other' });
    await note.getByText('Someone with your key').waitFor();
    const close = (await note.getByRole('button', { name: 'Close' }).boundingBox())!;
    const words = (await note.getByText('Someone with your key').boundingBox())!;
    expect(close.x).toBeGreaterThan(words.x + words.width);
    expect(Math.abs(close.y - words.y)).toBeLessThan(12);
  });

  it('are still written when a colleague marks the conversation as done, who is announced', async () => {
    const phone = await write('Fay Shared');
    const [{ id }] = (await client.get(`/conversations?search=${phone}`)).body.items as [{ id: string }];
    // Not listed, the conversation stays after Done.
    const page = await browser.signedIn(service, `/conversations?show=keywords&id=${id}`);
    const note = page
      .getByRole('status')
      .filter({ hasText: /^This conversation was marked as done, .* draft is kept/ });
    const open = page.getByRole('button', { name: 'Open again' });
    await reply(page).fill('Half a reply');
    await client.call('PATCH', `/conversations/${id}`, { body: { state: 'Done' } });
    await note.waitFor();
    await noViolations(page);
    expect(await reply(page).inputValue()).toBe('Half a reply');
    await open.click();
    await page.getByText('Opened again').waitFor();
    await note.waitFor({ state: 'detached' });
    // By this tab itself.
    const thread = page.getByRole('region', { name: 'Conversation', exact: true });
    await thread.getByRole('button', { name: 'Done', exact: true }).click();
    await open.waitFor();
    await page.waitForTimeout(SETTLED_MS);
    expect(await note.count()).toBe(0);
  });
});
