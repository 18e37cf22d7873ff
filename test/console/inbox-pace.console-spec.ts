import type { Locator, Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, problemsOf, screenshots } from '../support/console/browser';
import { contactWrites, newPhone, writesOn } from '../support/console/people';
import { startConsoleOnPlatform, stopConsole } from '../support/console/set-up';
import type { Client, Json } from '../support/process/client';
import type { Platform } from '../support/process/platform';
import type { Service } from '../support/process/service';

/** Above this number of quick replies their menu has a search field. */
const MOST_UNSEARCHED = 8;

/** A part of the heading. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
  isCut: boolean;
}

describe('An agent with many conversations', () => {
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
  const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation', exact: true });
  const heading = (page: Page, name: string) => conversation(page).getByRole('heading', { level: 2, name });
  const done = (page: Page) => conversation(page).getByRole('button', { name: 'Done', exact: true });
  const reply = (page: Page) => page.getByLabel('Your reply');
  const focused = (page: Page, what: Locator) => what.and(page.locator(':focus'));
  const keys = (what: Locator) => what.getAttribute('aria-keyshortcuts');
  /** People who write, the last of them at the top of the list. */
  const write = async (...names: string[]) => {
    for (const name of names) await contactWrites({ client, platform }, name, `A question of ${name}`);
  };
  const sent = async () =>
    ((await platform.ledger()) as { type?: string }[]).filter(({ type }) => type === 'text').length;

  it('comes to the next conversation after Done, and back with Undo; on a phone to the list', async () => {
    await write('Ada Below', 'Bo Done', 'Cy Above');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Bo Done').getByRole('link').click();
    await done(page).click();
    await focused(page, heading(page, 'Ada Below')).waitFor();
    await row(page, 'Bo Done').waitFor({ state: 'detached' });
    const toast = page.getByRole('dialog').filter({ hasText: 'Marked as done' });
    await toast.getByText('Bo Done').waitFor();
    await noViolations(page);
    await toast.getByRole('button', { name: 'Undo' }).click();
    await focused(page, heading(page, 'Bo Done')).waitFor();
    await row(page, 'Bo Done').waitFor();
    await done(page).waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await done(page).click();
    await row(page, 'Ada Below').waitFor();
    await row(page, 'Bo Done').waitFor({ state: 'detached' });
    await conversation(page).waitFor({ state: 'hidden' });
    expect(problemsOf(page)).toEqual([]);
  });

  it('works without a mouse: next, previous, reply, done', async () => {
    await write('Di Third', 'Eli Second', 'Flo First');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Flo First').waitFor();
    await page.keyboard.press('j');
    await focused(page, heading(page, 'Flo First')).waitFor();
    await page.keyboard.press('j');
    await focused(page, heading(page, 'Eli Second')).waitFor();
    await page.keyboard.press('k');
    await focused(page, heading(page, 'Flo First')).waitFor();
    expect(await list(page).locator('a[tabindex="0"]').textContent()).toBe('Flo First');
    expect(await keys(done(page))).toBe('E');
    expect(await keys(page.getByRole('region', { name: 'All conversations' }))).toBe('J K');
    expect(await keys(reply(page))).toBe('R');
    await page.keyboard.press('r');
    await focused(page, reply(page)).waitFor();
    await page.keyboard.type('ejk?r');
    expect(await reply(page).inputValue()).toBe('ejk?r');
    await heading(page, 'Flo First').waitFor();
    const messages = page.getByRole('list', { name: 'Messages with Flo First' });
    await messages.waitFor();
    await page.keyboard.press('Escape');
    await focused(page, messages).waitFor();
    for (const key of ['Control+e', 'Alt+j', 'Shift+j']) await page.keyboard.press(key);
    await page.keyboard.press('e');
    await focused(page, heading(page, 'Eli Second')).waitFor();
    await row(page, 'Flo First').waitFor({ state: 'detached' });
    const { items } = (await client.get('/conversations')).body as { items: { contactName: string; state: string }[] };
    expect(items.slice(0, 3).map(({ contactName, state }) => `${contactName}: ${state}`)).toEqual([
      ...['Flo First: Done', 'Eli Second: Open', 'Di Third: Open'],
    ]);
    expect(problemsOf(page)).toEqual([]);
  });

  it('reads only the conversations in which they stay or act', async () => {
    await write('Pat Third', 'Ray Second', 'Sue First');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Sue First').waitFor();
    const read: string[] = [];
    page.on('request', (request) => {
      const id = /conversations\/([^/]+)\/read$/.exec(request.url())?.[1];
      if (id) read.push(id);
    });
    for (const name of ['Sue First', 'Ray Second', 'Pat Third']) {
      await page.keyboard.press('j');
      await focused(page, heading(page, name)).waitFor();
    }
    await row(page, 'Pat Third').getByText('unread').waitFor({ state: 'detached' });
    expect(read).toHaveLength(1);
    await page.keyboard.press('k');
    await focused(page, heading(page, 'Ray Second')).waitFor();
    await page.getByRole('article', { name: 'Received message' }).waitFor();
    const marked = page.waitForRequest('**/read', { timeout: 1000 });
    await reply(page).fill('H');
    await marked;
    await row(page, 'Sue First').getByText('unread').waitFor();
  });

  it('finds the keyboard shortcuts with a question mark, and can turn them off', async () => {
    await write('Gil Keys');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Gil Keys').getByRole('link').click();
    await heading(page, 'Gil Keys').waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Mark as done, or open again').waitFor();
    await noViolations(page);
    await screenshots(page, 'inbox-shortcuts');
    await page.keyboard.press('e');
    await dialog.getByRole('switch', { name: 'Shortcuts of a single key' }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await keys(done(page))).toBeNull();
    for (const key of ['e', 'j', '?']) await page.keyboard.press(key);
    await page.reload();
    await heading(page, 'Gil Keys').waitFor();
    await done(page).waitFor();
    expect(await keys(done(page))).toBeNull();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await dialog.getByRole('switch').click();
    await page.keyboard.press('Escape');
    await page.locator('.button[aria-keyshortcuts=E]').waitFor();
  });

  it('learns with a slash how to add the first quick reply, and sends what starts with one', async () => {
    await write('Gus Slash');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Gus Slash').getByRole('link').click();
    await reply(page).pressSequentially('/');
    await conversation(page).getByText('No quick replies yet. Add one below').last().waitFor();
    await noViolations(page);
    await screenshots(page, 'inbox-slash-first');
    await page.keyboard.press('Escape');
    await conversation(page).getByText('No quick replies yet.').last().waitFor({ state: 'detached' });
    await reply(page).fill('/ 2 pm');
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'Sent message' }).getByText('/ 2 pm').waitFor();
  });

  it('writes quick replies with a slash', async () => {
    await write('Hal Slash');
    const page = await browser.signedIn(service, '/conversations');
    const names = ['Address', 'Closing', 'Delivery', 'Greeting', 'Invoice', 'Opening hours', 'Returns', 'Thanks'];
    for (const name of names) await client.post('/quick-replies', { name, text: `The text of ${name}.` });
    await client.post('/quick-replies', { name: 'Way', text: 'From the station it is open on the left.' });
    await row(page, 'Hal Slash').getByRole('link').click();
    await page.setViewportSize({ width: 360, height: 700 });
    const send = (await page.getByRole('button', { name: 'Send', exact: true }).boundingBox())!;
    expect(send.x + send.width).toBeLessThanOrEqual(360);
    const before = await sent();
    await reply(page).pressSequentially('/');
    const options = page.getByRole('listbox', { name: 'Quick replies' }).getByRole('option');
    await options.nth(5).waitFor();
    await conversation(page).getByText('Showing the first 6 of 9.').last().waitFor();
    await noViolations(page);
    await screenshots(page, 'inbox-slash');
    await reply(page).pressSequentially('open');
    await options.nth(2).waitFor({ state: 'detached' });
    expect(await options.locator('strong').allTextContents()).toEqual(['Opening hours', 'Way']);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Way', selected: true }).waitFor();
    expect(await reply(page).getAttribute('aria-activedescendant')).toBe(
      await page.getByRole('option', { selected: true }).getAttribute('id'),
    );
    await page.keyboard.press('Enter');
    expect(await reply(page).inputValue()).toBe('From the station it is open on the left.');
    expect(await options.count()).toBe(0);
    await reply(page).fill('/xyz');
    await conversation(page).getByText('No quick reply matches.').last().waitFor();
    await page.keyboard.press('Enter');
    expect([await reply(page).inputValue(), await sent()]).toEqual(['/xyz', before]);
    await page.keyboard.press('Escape');
    await focused(page, reply(page)).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'Sent message' }).getByText('/xyz').waitFor();
  });

  it('searches the menu of many quick replies', async () => {
    const { items } = (await client.get('/quick-replies')).body as { items: Json[] };
    expect(items.length).toBeGreaterThan(MOST_UNSEARCHED);
    await write('Ira Menu');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Ira Menu').getByRole('link').click();
    await page.getByRole('button', { name: 'Quick replies' }).click();
    const search = page.getByLabel('Search quick replies');
    await focused(page, search).waitFor();
    await noViolations(page);
    await screenshots(page, 'inbox-quick-reply-menu');
    await search.fill('station');
    await page.getByRole('menuitem', { name: 'Address' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Way', 'Manage quick replies…']);
    await page.keyboard.press('Enter');
    await focused(page, reply(page)).waitFor();
    expect(await reply(page).inputValue()).toBe('From the station it is open on the left.');
  });

  it('fills in the name of a person in quick replies, and sends none without it', async () => {
    await client.post('/quick-replies', { name: 'Hello', text: 'Hello {{name}}, thank you.' });
    await write('Jil Named');
    const unnamed = newPhone();
    await writesOn(platform, unnamed, 'Hello?');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Jil Named').getByRole('link').click();
    const choose = async () => {
      await reply(page).pressSequentially('/hello');
      await page.getByRole('option', { name: 'Hello' }).click();
    };
    await choose();
    expect(await reply(page).inputValue()).toBe('Hello Jil Named, thank you.');
    await page.goto(`/console/conversations?search=${unnamed}`);
    await list(page).getByRole('link').click();
    const before = await sent();
    await choose();
    await page.keyboard.press('Enter');
    const problem = 'The placeholder {{name}} is still in your reply. Replace it before you send.';
    await conversation(page).getByRole('alert').getByText(problem).waitFor();
    await noViolations(page);
    expect(await sent()).toBe(before);
    // It is selected.
    await page.keyboard.type('Ben');
    await conversation(page).getByRole('alert').waitFor({ state: 'detached' });
    expect(await reply(page).inputValue()).toBe('Hello Ben, thank you.');
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'Sent message' }).getByText('Hello Ben, thank you.').waitFor();
    await page.getByRole('button', { name: 'Quick replies' }).click();
    await page.getByRole('menuitem', { name: 'Manage quick replies' }).click();
    await page
      .getByRole('dialog')
      .getByText('{{name}} is replaced with the name of the person, {{first_name}} with')
      .waitFor();
  });

  it('sees the name and the buttons of a conversation in one line on a tablet', async () => {
    await write('Leo Tablet');
    const page = await browser.signedIn(service, '/conversations', { width: 800 });
    await row(page, 'Leo Tablet').getByRole('link').click();
    const more = (await conversation(page).getByRole('button', { name: 'More' }).boundingBox())!;
    expect((await done(page).boundingBox())!.y).toBe(more.y);
    expect((await heading(page, 'Leo Tablet').boundingBox())!.y).toBeLessThan(more.y + more.height);
    await list(page).waitFor({ state: 'hidden' });
  });

  it.each(['en-GB', 'de-DE'])('reads the whole heading of a conversation on a phone (%s)', async (locale) => {
    await write('Nia Phone');
    const [found] = (await client.get('/conversations?search=Nia')).body.items as [{ id: string }];
    const contactName = 'Maximiliane-Theodora Freifrau von Hohenstein-Wittelsbach';
    const page = await browser.signedIn(service, '/', { locale, width: 390 });
    await page.route(new RegExp(`/conversations/${found.id}$`), (route) =>
      route.fulfill({ json: { ...found, contactName, username: '@maximiliane.theodora' } }),
    );
    await page.goto(`/console/conversations?id=${found.id}`);
    await page.getByRole('heading', { level: 2, name: contactName }).waitFor();
    const parts = `['.thread-back', 'h2', '.thread-facts', '.thread-head > .button:not(.thread-back)', '.thread-menu'].map((part) => {
      const shown = document.querySelector(part.startsWith('.thread-head') ? part : '.thread-head ' + part);
      const { left, top, right, bottom } = shown.getBoundingClientRect();
      return { left, top, right, bottom, isCut: shown.scrollWidth > shown.clientWidth + 1 };
    })`;
    await page.getByText('@maximiliane.theodora').waitFor();
    const boxes = await page.evaluate<Box[]>(parts);
    expect(boxes.filter(({ left, right, isCut }) => isCut || left < 0 || right > 390)).toEqual([]);
    const overlaps = boxes.filter((one) =>
      boxes.some(
        (other) =>
          one !== other &&
          one.left < other.right - 1 &&
          other.left < one.right - 1 &&
          one.top < other.bottom - 1 &&
          other.top < one.bottom - 1,
      ),
    );
    expect(overlaps).toEqual([]);
    await noViolations(page);
    await screenshots(page, `inbox-heading-${locale}`);
  });

  it('sees drafts in the list as they are written', async () => {
    await write('Jo Other', 'Kim Draft');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Kim Draft').getByRole('link').click();
    await reply(page).pressSequentially('We will');
    await row(page, 'Kim Draft').getByText('Draft: We will').waitFor();
    await reply(page).pressSequentially(' look');
    await row(page, 'Kim Draft').getByText('Draft: We will look').waitFor();
    await row(page, 'Kim Draft').locator('.unread-count').waitFor({ state: 'detached' });
    await row(page, 'Jo Other').getByRole('link').click();
    await heading(page, 'Jo Other').waitFor();
    await row(page, 'Kim Draft').getByText('Draft: We will look').waitFor();
    expect(await row(page, 'Jo Other').getByText('Draft:').count()).toBe(0);
    await noViolations(page);
    await screenshots(page, 'inbox-draft');
    await row(page, 'Kim Draft').getByRole('link').click();
    await done(page).click();
    const toast = page.getByRole('dialog').filter({ hasText: 'Marked as done' });
    await toast.getByText('Kim Draft: your unsent draft is kept in this conversation.').waitFor();
    await toast.getByRole('button', { name: 'Undo' }).click();
    await heading(page, 'Kim Draft').waitFor();
    expect(await reply(page).inputValue()).toBe('We will look');
    await reply(page).fill('');
    await row(page, 'Kim Draft').getByText('A question of Kim Draft').waitFor();
  });

  it('sends a template while the reply window is open, and keeps the typed reply', async () => {
    await write('Lu Template');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Lu Template').getByRole('link').click();
    await reply(page).fill('Half a reply');
    await page.getByRole('button', { name: 'Template', exact: true }).click();
    await focused(page, page.getByLabel('Search templates')).waitFor();
    await noViolations(page);
    await screenshots(page, 'inbox-template');
    await conversation(page).getByRole('button', { name: 'Cancel' }).click();
    await focused(page, reply(page)).waitFor();
    expect(await reply(page).inputValue()).toBe('Half a reply');
    await page.getByRole('button', { name: 'Template', exact: true }).click();
    await page.getByRole('button', { name: /^order_update / }).click();
    await page.getByLabel('{{1}}').waitFor();
    expect(await page.getByLabel('{{1}}').inputValue()).toBe('Lu Template');
    await page.getByLabel('{{1}}').fill('Lu');
    await page.reload();
    await row(page, 'Lu Template').getByText('Draft: Half a reply').waitFor();
    await page.getByText('Your draft was restored.').waitFor();
    await page.getByLabel('{{2}}').fill('PK-9');
    await page.getByRole('button', { name: 'Send template' }).click();
    await focused(page, reply(page)).waitFor();
    expect(await reply(page).inputValue()).toBe('Half a reply');
    await page.getByRole('article', { name: 'Sent message' }).getByText('PK-9').waitFor();
    expect(problemsOf(page)).toEqual([]);
  });

  it.each(['en-GB', 'de-DE'])('reads every row of the list on a narrow phone (%s)', async (locale) => {
    await write('Mo Narrow');
    const page = await browser.signedIn(service, '/', { locale, width: 360 });
    const long = {
      ...((await client.get('/conversations?search=Mo')).body.items as [object])[0],
      contactName: 'Maximiliane-Theodora Freifrau von Hohenstein-Wittelsbach',
      ...{ unreadCount: 1234, unreadText: 'A question', lastFailure: 'Undelivered' },
    };
    const windows = [null, '2020-01-01T00:00:00Z', new Date(Date.now() + 86_340_000).toISOString()];
    const open = windows.map((windowExpiresAt) => ({ ...long, windowExpiresAt, optedOut: false }));
    const items = [...open, { ...long, optedOut: true }].map((one, index) => ({ ...one, id: `c-${index}` }));
    await page.route(/\/conversations\?/, (route) => route.fulfill({ json: { items, nextCursor: null } }));
    await page.goto('/console/conversations');
    const lines = page.locator('.conversation-row-line');
    await lines.nth(11).waitFor();
    const cut = `[...document.querySelectorAll('.conversation-row-line')].filter((line) => {
      const edge = line.getBoundingClientRect();
      const parts = [...line.querySelectorAll('.badge, .window-left, time, .unread-count')];
      return parts.some((part) => part.scrollWidth > part.clientWidth + 1 || part.getBoundingClientRect().right > edge.right + 1);
    }).map((line) => line.textContent)`;
    expect(await page.evaluate(cut)).toEqual([]);
    await noViolations(page);
    await screenshots(page, `inbox-rows-${locale}`);
  });
});
