import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, problemsOf } from '../support/console/browser';
import { newPhone, writes } from '../support/console/people';
import { startConsole, stopConsole } from '../support/console/set-up';
import type { Client } from '../support/process/client';
import type { Service } from '../support/process/service';
import { inboundOf, postWebhook } from '../support/process/webhook';

const OBSERVED_MS = 3000;
const LATE_MS = 2500;
/** The best of this many loads counts: a service without processors sends its first states as if they were changes. */
const ATTEMPTS = 4;

describe('The inbox', () => {
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  const reply = (page: Page) => page.getByLabel('Your reply');
  const messages = (page: Page) => page.getByRole('list', { name: /^Messages with/ }).getByRole('article');
  const rows = (page: Page) => page.getByRole('list', { name: 'Conversations' }).getByRole('listitem');
  const opened = async (phone: string) => {
    const page = await browser.signedIn(service, `/conversations?search=${phone}`);
    await rows(page).getByRole('link').click();
    await messages(page).first().waitFor();
    return page;
  };
  /** The requests of the page from now on that `pattern` matches. */
  const requestsOf = (page: Page, pattern: RegExp) => {
    const urls: string[] = [];
    page.on('request', (request) => {
      if (pattern.test(request.url())) urls.push(request.url());
    });
    return urls;
  };

  it('requests its list and all its code in parallel, and the number of unread conversations once', async () => {
    await writes(service, newPhone(), 'Is it there?');
    const page = await browser.signedIn(service, '/conversations');
    await page.route('**/assets/conversations-*.js', () => undefined);
    const lists = requestsOf(page, /conversations\?.*lastStatus/);
    const scripts = requestsOf(page, /\.js$/);
    await Promise.all([page.waitForRequest('**/conversations?*lastStatus=true*'), page.reload()]);
    const requested = scripts.length;
    await page.unrouteAll();
    const counts = requestsOf(page, /unread/);
    for (let n = 0; n < ATTEMPTS && !(counts.length === 1 && lists.length === 1); n++) {
      counts.length = 0;
      lists.length = 0;
      await page.reload();
      await page.getByText(/^Live, updated/).waitFor();
      await page.waitForTimeout(OBSERVED_MS);
    }
    expect(counts).toEqual([expect.stringContaining('limit=1')]);
    expect(lists).toHaveLength(1);
    // All that the blocked file imports.
    expect(requested).toBeGreaterThan(10);
  });

  it('requests that number once, too, if a busy service sends the first states late', async () => {
    await writes(service, newPhone(), 'Is it late?');
    const page = await browser.signedIn(service, '/conversations');
    await page.addInitScript(`const send = window.fetch;
      window.fetch = async (...request) => {
        const response = await send(...request);
        if (!String(request[0]).includes('/events?')) return response;
        const transform = async (chunk, stream) => {
          await new Promise((resolve) => setTimeout(resolve, ${LATE_MS}));
          stream.enqueue(chunk);
        };
        return new Response(response.body.pipeThrough(new TransformStream({ transform })), response);
      }`);
    const counts = requestsOf(page, /unread/);
    await page.reload();
    await page.getByText(/^Live, updated/).waitFor();
    await page.waitForTimeout(LATE_MS + OBSERVED_MS);
    expect(counts).toHaveLength(1);
    await writes(service, newPhone(), 'One more');
    await page.waitForRequest(/unread/);
  });

  it('loads its list at most every three seconds while messages arrive', async () => {
    const page = await browser.signedIn(service, '/conversations');
    await page.getByText(/^Live, updated/).waitFor();
    await page.waitForTimeout(OBSERVED_MS);
    const lists = requestsOf(page, /conversations\?.*lastStatus/);
    const started = Date.now();
    while (Date.now() - started < 6000) await writes(service, newPhone(), 'One of many');
    expect(lists.length).toBeGreaterThan(0);
    expect(lists.length).toBeLessThanOrEqual(1 + Math.ceil((Date.now() - started) / 3000));
  });

  it('says that it is offline, and that a reply can be sent once it is not', async () => {
    const phone = newPhone();
    await writes(service, phone, 'Are you there?');
    const page = await opened(phone);
    await page.getByText(/^Live, updated/).waitFor();
    await page.context().setOffline(true);
    await page.getByText('Offline. Typed text is kept').waitFor();
    expect(await page.getByText(/^Live, updated/).count()).toBe(0);
    await reply(page).fill('I am');
    await page.keyboard.press('Enter');
    const failed = page.getByRole('form', { name: 'Reply' }).getByRole('alert');
    await failed.getByText('No network connection').waitFor();
    expect(await page.getByText('The service is not responding').count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByText('The connection is back. You can send your reply now.').waitFor();
    expect(await failed.count()).toBe(0);
    await page.getByText(/^Live, updated/).waitFor();
    expect(await page.getByText('Offline.').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'Sent message' }).getByText('I am').waitFor();
    await page.getByText('The connection is back.').waitFor({ state: 'detached' });
  });

  it('says of a conversation that is opened offline that there is no network, and loads it once there is', async () => {
    const phone = newPhone();
    await writes(service, phone, 'Is anyone there?');
    const page = await browser.signedIn(service, `/conversations?search=${phone}`);
    const row = page.getByRole('list', { name: 'Conversations' }).getByRole('link');
    await row.waitFor();
    await page.getByText(/^Live, updated/).waitFor();
    await page.context().setOffline(true);
    await page.getByText('Offline. Typed text is kept').waitFor();
    await row.click();
    const conversation = page.getByRole('region', { name: 'Conversation', exact: true });
    await conversation.getByText('No network connection').waitFor();
    expect(await page.getByText(/may be restarting/).count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.context().setOffline(false);
    await conversation.getByRole('article', { name: 'Received message' }).waitFor();
  });

  it('prints the whole conversation, and only that', async () => {
    const phone = newPhone();
    for (let n = 1; n <= 40; n++) await writes(service, phone, `Message ${n} of forty`);
    const page = await opened(phone);
    const shown = await messages(page).count();
    await page.emulateMedia({ media: 'print' });
    await page.getByText('Message 1 of forty').waitFor();
    expect(shown).toBeLessThan(40);
    expect(await messages(page).count()).toBe(40);
    for (const hidden of [page.getByRole('navigation'), reply(page), rows(page).first()]) {
      expect(await hidden.isVisible()).toBe(false);
    }
    const clipped = `[...document.querySelectorAll('.content, .thread-scroller')]
      .filter((part) => getComputedStyle(part).overflowY !== 'visible' || part.scrollHeight > part.clientHeight + 1).length`;
    expect(await page.evaluate(clipped)).toBe(0);
    await page.goto('/console/jobs');
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    expect(await page.locator('.sidebar').isVisible()).toBe(false);
  });

  it('plays a voice message with one click, which keeps the focus, and explains another file', async () => {
    const phone = newPhone();
    const audio = { type: 'audio', audio: { id: '7', mime_type: 'audio/ogg', sha256: 'x' } };
    for (let n = 0; n < 2; n++) expect((await postWebhook(service, inboundOf(phone, audio))).ok).toBe(true);
    const types = ['audio/ogg', 'application/octet-stream'];
    const page = await browser.signedIn(service, `/conversations?search=${phone}`);
    await page
      .context()
      .addInitScript('HTMLMediaElement.prototype.play = async function () { this.dataset.plays = ""; }');
    await page.reload();
    await page.route('**/media*', (route) => route.fulfill({ contentType: types.shift(), body: 'OggS' }));
    await rows(page).getByRole('link').click();
    const play = page.getByRole('button', { name: 'Play the voice message' });
    await play.nth(1).click();
    await page.locator('audio[data-plays]:focus').waitFor();
    await play.click();
    const note = page.locator('.media-note').filter({ hasText: 'its content is not of the type that it is declared' });
    await note.and(page.locator(':focus')).waitFor();
    await noViolations(page);
    expect(problemsOf(page)).toEqual([]);
    expect((await client.get(`/conversations?search=${phone}`)).body.items).toHaveLength(1);
  });
});
