import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, problemsOf } from '../support/console/browser';
import { contactWrites, writesOn } from '../support/console/people';
import { startConsoleOnPlatform, stopConsole } from '../support/console/set-up';
import type { Client } from '../support/process/client';
import type { Platform } from '../support/process/platform';
import { type Service, until } from '../support/process/service';

/** More than the rows that a virtual list holds around the visible ones. */
const PEOPLE = 45;

/** The names of the buttons and fields of the page that a toast covers. */
const COVERED_BY_TOASTS = `(() => {
  const toast = document.querySelector('.toast').getBoundingClientRect();
  return [...document.querySelectorAll('button, input, textarea, select')]
    .filter((control) => !control.closest('.toasts') && control.checkVisibility({ visibilityProperty: true }))
    .filter((control) => {
      const rect = control.getBoundingClientRect();
      return rect.left < toast.right && toast.left < rect.right && rect.top < toast.bottom && toast.top < rect.bottom;
    })
    .map((control) => control.ariaLabel ?? control.textContent);
})()`;

describe('A long inbox', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, client, browser, platform } = await startConsoleOnPlatform());
    for (let n = 1; n <= PEOPLE; n++) {
      // The platform's times have whole seconds.
      if (n === 2 || n === PEOPLE) await setTimeout(1100);
      await contactWrites({ client, platform }, `Person ${n} of many`, `Question ${n}`);
    }
  });

  afterAll(stopConsole);

  const list = (page: Page) => page.getByRole('list', { name: 'Conversations' });
  const row = (page: Page, n: number) =>
    list(page)
      .getByRole('listitem')
      .filter({ hasText: `Person ${n} of many` });
  const focused = (page: Page, n: number) => row(page, n).locator('a:focus');
  const show = async (page: Page, label: string, what: string) => {
    await page.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: what }).click();
  };

  const scrolled = (page: Page) => list(page).evaluate(({ scrollTop }: { scrollTop: number }) => scrollTop);

  it('lists who waits longest first, with the time waited, also when it is opened again', async () => {
    const page = await browser.signedIn(service, '/conversations');
    await show(page, 'Show', 'Waiting for a reply');
    await row(page, 1)
      .getByText(/^waiting \d+ (s|min)$/)
      .waitFor();
    expect(await list(page).getByRole('listitem').first().innerText()).toContain('Person 1 of many');
    await show(page, 'Order', 'Latest first');
    await row(page, PEOPLE).waitFor();
    expect(await list(page).getByRole('listitem').first().innerText()).toContain(`Person ${PEOPLE} of many`);
    await show(page, 'Order', 'Longest wait first');
    await row(page, 1).waitFor();
    expect(await list(page).getByRole('listitem').first().innerText()).toContain('Person 1 of many');
    await noViolations(page);
    await page.goto('/console/conversations?show=waiting');
    await row(page, 1).waitFor();
    expect(await list(page).getByRole('listitem').first().innerText()).toContain('Person 1 of many');
    await show(page, 'Show', 'People who wrote');
    await row(page, PEOPLE).waitFor();
    expect(
      await list(page)
        .getByText(/^waiting /)
        .count(),
    ).toBe(0);
    expect(problemsOf(page)).toEqual([]);
  });

  it('starts at its top after a choice, which the next visit has, though a conversation is open', async () => {
    const page = await browser.signedIn(service, '/conversations');
    await row(page, PEOPLE).getByRole('link').click();
    await page.getByRole('heading', { level: 2, name: `Person ${PEOPLE} of many` }).waitFor();
    await show(page, 'Show', 'Waiting for a reply');
    await row(page, 1).waitFor();
    expect(await scrolled(page)).toBe(0);
    await row(page, 1).getByRole('link').click();
    await page.getByRole('heading', { level: 2, name: 'Person 1 of many' }).waitFor();
    await show(page, 'Order', 'Latest first');
    await row(page, PEOPLE).waitFor();
    expect(await scrolled(page)).toBe(0);
    await show(page, 'Order', 'Longest wait first');
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Conversations/ })
      .click();
    await page.getByText('Select a conversation').waitFor();
    await row(page, 1)
      .getByText(/^waiting /)
      .waitFor();
    // A link says what it shows.
    await page.goto('/console/conversations?show=wrote');
    await row(page, PEOPLE).waitFor();
    expect(await page.getByRole('combobox', { name: 'Show' }).innerText()).toContain('People who wrote');
  });

  it.each([
    [1280, 'en-GB'],
    [1280, 'de-DE'],
    [390, 'en-GB'],
    [390, 'de-DE'],
  ])('has its choices in one line, at %d px in %s', async (width, locale) => {
    const page = await browser.signedIn(service, '/conversations?show=waiting&order=longestWaiting', { width, locale });
    const choices = page.locator('.conversation-shown .select');
    await page.getByRole('link', { name: 'Person 1 of many' }).waitFor();
    const [show, order] = [(await choices.first().boundingBox())!, (await choices.last().boundingBox())!];
    expect([order.y - show.y, order.height - show.height, show.height < 44]).toEqual([0, 0, true]);
    const cut = `[...document.querySelectorAll('.conversation-shown .select, .conversation-shown')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length`;
    expect(await page.evaluate(cut)).toBe(0);
  });

  it('moves the focus with Home and End, and keeps it in a row that is scrolled away', async () => {
    const page = await browser.signedIn(service, '/conversations');
    await row(page, PEOPLE).getByRole('link').focus();
    await page.keyboard.press('End');
    await focused(page, 1).waitFor();
    await page.keyboard.press('ArrowUp');
    await focused(page, 2).waitFor();
    await page.keyboard.press('Home');
    await focused(page, PEOPLE).waitFor();
    await list(page).evaluate((scroller: { scrollTop: number }) => (scroller.scrollTop = 1e6));
    await row(page, 1).waitFor();
    expect(await focused(page, PEOPLE).count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2, name: `Person ${PEOPLE} of many` }).waitFor();
  });

  it('opens at the first unread message, and marks as read what was shown', async () => {
    const phone = await contactWrites({ client, platform }, 'Una Unread', 'Read before');
    const page = await browser.signedIn(service, '/conversations');
    const una = list(page).getByRole('listitem').filter({ hasText: 'Una Unread' });
    await una.getByRole('link').click();
    await una.locator('.unread-count').waitFor({ state: 'detached' });
    await row(page, PEOPLE).getByRole('link').click();
    for (let n = 1; n <= 30; n++) await writesOn(platform, phone, `Line ${n} of a long story\n\n\nthat continues`);
    await una.getByText('30 unread').waitFor();
    await una.getByRole('link').click();
    const thread = page.getByRole('list', { name: /^Messages with/ });
    await thread.getByText('Unread messages').waitFor();
    await thread.getByText('Line 1 of').waitFor();
    const top = (await thread.boundingBox())!.y;
    expect((await thread.getByText('Unread messages').boundingBox())!.y - top).toBeLessThan(80);
    // Some are read, the others wait below.
    await una
      .locator('.unread-count')
      .filter({ hasText: /^(\d|[12]\d) unread/ })
      .waitFor();
    await page.getByRole('button', { name: 'Latest' }).click();
    await una.locator('.unread-count').waitFor({ state: 'detached' });
    await noViolations(page);
  });

  it('notifies of a message in a hidden tab, once that is turned on', async () => {
    const page = await browser.signedIn(service, '/conversations');
    await page.evaluate(`
      window.shown = [];
      window.Notification = class {
        static permission = 'default';
        static async requestPermission() { return (this.permission = 'granted'); }
        constructor(title, { body }) { window.shown.push(title + ': ' + body); this.close = () => {}; window.last = this; }
      };`);
    await row(page, PEOPLE).waitFor();
    await page.getByRole('button', { name: 'Alerts' }).click();
    await page.getByRole('menuitem', { name: /^Notifications/ }).click();
    const hide = (state: string) =>
      page.evaluate(`
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
        document.dispatchEvent(new Event('visibilitychange'));`);
    const known = page.waitForResponse(/unread=true.*limit=20/);
    await hide('hidden');
    await known;
    await contactWrites({ client, platform }, 'Nora Notified', 'Anyone there?');
    await until(async () => (await page.evaluate<string[]>('window.shown')).length > 0, 30_000, 'it is shown');
    expect(await page.evaluate('window.shown')).toEqual(['Nora Notified: Anyone there?']);
    await hide('visible');
    await page.evaluate('window.last.onclick()');
    await page.getByRole('heading', { level: 2, name: 'Nora Notified' }).waitFor();
  });

  it('has its facts, and room for messages, on a screen of 800 pixels at twice the size', async () => {
    const page = await browser.signedIn(service, '/conversations');
    await page.setViewportSize({ width: 640, height: 400 });
    const boxOf = async (what: string) => (await page.locator(what).boundingBox())!;
    const [menu, count, brand] = [
      await boxOf('.topbar .icon-button >> nth=0'),
      await boxOf('.topbar .unread-count'),
      await boxOf('.topbar .brand'),
    ];
    expect([count.x >= menu.x + menu.width, brand.x >= count.x + count.width]).toEqual([true, true]);
    await row(page, PEOPLE).getByRole('link').click();
    const conversation = page.getByRole('region', { name: 'Conversation', exact: true });
    for (const fact of ['Contact', /^\+49/, /left$/]) await conversation.getByText(fact).first().waitFor();
    const { height } = (await page.locator('.thread-scroller').boundingBox())!;
    expect(height).toBeGreaterThan(180);
    const send = (await page.getByRole('button', { name: 'Send' }).boundingBox())!;
    expect(send.y + send.height).toBeLessThanOrEqual(400);
  });

  it('finds people who hide their number with their username', async () => {
    const { items } = (await client.get('/conversations?search=Person 3 of')).body as { items: object[] };
    const found = { ...items[0], contactPhone: null, username: '@person.three' };
    const page = await browser.signedIn(service, '/conversations');
    await page.route(/conversations\?.*search=/, (route) =>
      route.fulfill({ json: { items: [found], nextCursor: null } }),
    );
    await page.getByLabel('Search conversations').fill('Person 3');
    await list(page).getByRole('link', { name: 'Person 3 of many @person.three' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Person 3');
    await page.getByRole('option', { name: /Person 3 of many.*@person\.three, Question 3/ }).waitFor();
  });

  it.each([1280, 800, 390])('shows toasts beside all buttons and fields, at %d px', async (width) => {
    const [{ id }] = (await client.get('/conversations?search=Person 9 of many')).body.items as [{ id: string }];
    await client.call('PATCH', `/conversations/${id}`, { body: { state: 'Done' } });
    const page = await browser.signedIn(service, `/conversations?id=${id}`, { width });
    await page.getByRole('button', { name: 'Open again' }).click();
    await page.getByRole('dialog').filter({ hasText: 'Opened again' }).waitFor();
    expect(await page.evaluate<string[]>(COVERED_BY_TOASTS)).toEqual([]);
  });
});
