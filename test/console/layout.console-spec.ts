import type { Locator } from 'playwright-core';
import { type ConsoleBrowser, nothingCutOff, screenshots } from '../support/console/browser';
import { newPhone } from '../support/console/people';
import { startConsole, stopConsole } from '../support/console/set-up';
import { ended, phones, sendTo } from '../support/process/bulk';
import type { Client } from '../support/process/client';
import type { Service } from '../support/process/service';

const WIDTHS = [1280, 800, 400];

describe('The layout of the console, in German', () => {
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  const boxOf = async (one: Locator) => (await one.boundingBox())!;

  it.each(WIDTHS)('has the reset of the message search below its fields, at %d px', async (width) => {
    const page = await browser.signedIn(service, '/messages?status=Failed', { width, locale: 'de-DE' });
    // The time of the list moves the fields when it appears.
    await page.getByText('Stand:').waitFor();
    const form = page.getByRole('main').getByRole('search');
    if (width === 400) await form.getByText('Filter (1)', { exact: true }).click();
    const reset = await boxOf(form.getByRole('button', { name: 'Zurücksetzen' }));
    for (const field of await form.locator('.field').all()) {
      const { y, height } = await boxOf(field);
      expect(y + height).toBeLessThanOrEqual(reset.y);
    }
  });

  it.each(WIDTHS)('has labels above all filters of the jobs, and each value on one line, at %d px', async (width) => {
    const page = await browser.signedIn(service, '/jobs', { width, locale: 'de-DE' });
    const filters = page.getByRole('search', { name: 'Aufträge filtern' });
    await filters.getByText('Dateien und Gruppen').waitFor();
    const labels = await filters.locator('.field-label').allTextContents();
    expect(labels).toEqual(['Name', 'Status', 'Art', 'Referenz']);
    const heights = await Promise.all((await filters.locator('.input').all()).map(boxOf));
    expect(new Set(heights.map(({ height }) => Math.round(height))).size).toBe(1);
  });

  it('has the words of opt-outs beside their names, on a phone too', async () => {
    const page = await browser.signedIn(service, '/opt-outs', { width: 390, locale: 'de-DE' });
    await page.getByText('Wiederanmeldung', { exact: true }).waitFor();
    const overprinted = `[...document.querySelectorAll('.facts dt')].filter((one) => one.scrollWidth > one.clientWidth).length`;
    expect(await page.evaluate(overprinted)).toBe(0);
  });

  it('has buttons large enough for fingers in a conversation on a phone', async () => {
    const to = newPhone();
    await client.post('/send-template', { to, templateName: 'hello_world' });
    const page = await browser.signedIn(service, `/conversations?search=${to}&show=all`, { width: 400, touch: true });
    await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().click();
    await page.locator('.thread-message').first().waitFor();
    const buttons = page.locator('.button:visible');
    const sizes = await Promise.all((await buttons.all()).map(boxOf));
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.min(...sizes.flatMap(({ width, height }) => [width, height]))).toBeGreaterThanOrEqual(40);
    await nothingCutOff(page);
  });

  it('names the key in the navigation in full, which needs no scrolling', async () => {
    const page = await browser.signedIn(service, '/', { locale: 'de-DE' });
    await page.locator('.sidebar .key-name').waitFor();
    const hidden = `['.key-name', '.sidebar-inner'].map((part) => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.querySelector('.sidebar ' + part);
      return [scrollWidth - clientWidth, scrollHeight - clientHeight];
    })`;
    expect(await page.evaluate(hidden)).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it('names the key beside the way out, on a screen of 768 pixels too', async () => {
    const page = await browser.signedIn(service, '/', { locale: 'de-DE' });
    await page.setViewportSize({ width: 1366, height: 768 });
    const [key, out] = [page.locator('.sidebar .key-name'), page.getByRole('button', { name: 'Konsole verlassen' })];
    const { y, height } = await boxOf(out);
    expect(y + height).toBeLessThanOrEqual(768);
    expect((await boxOf(key)).width).toBeGreaterThanOrEqual(100);
    expect(await page.getByRole('button', { name: 'Abmelden', exact: true }).count()).toBe(0);
    await screenshots(page, 'sidebar-768');
  });

  it('heads the groups of the navigation with smaller and softer texts than its links', async () => {
    const page = await browser.signedIn(service, '/jobs', { locale: 'de-DE' });
    const styles = `['.nav-task', '.nav-entry[data-nested]', '.sidebar .hint'].map((part) => {
      const { color, fontSize } = getComputedStyle(document.querySelector(part));
      return { color, fontSize };
    })`;
    const [head, link, soft] = await page.evaluate<{ color: string; fontSize: string }[]>(styles);
    expect([head, link]).toEqual([
      { color: soft!.color, fontSize: '12px' },
      { color: expect.not.stringContaining(soft!.color) as string, fontSize: '14px' },
    ]);
    const sending = page.getByRole('group', { name: 'Senden' });
    expect(await sending.getByRole('link').allInnerTexts()).toContain('Absender');
  });

  it('has room for the names of jobs, in rows of at most two lines', async () => {
    const people = [...phones(6, 61_000), '4915112340002', '4915112340003', 'nobody'];
    await client.post('/opt-outs', { phone: people[0] });
    const name = 'Frühlingsaktion 2027: Einladung für Stammkunden in Köln';
    const jobId = await sendTo(client, people, { name });
    await ended(client, jobId);
    await sendTo(client, phones(2, 61_100), { name: 'Herbst', hold: 'true' });
    for (const locale of ['de-DE', 'en-GB']) {
      const page = await browser.signedIn(service, '/jobs', { locale });
      const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
      // What makes the figures of the row as high as they get.
      await rows.getByText(locale === 'de-DE' ? '1 nicht zugestellt' : '1 not delivered').waitFor();
      for (const row of await rows.all()) expect((await boxOf(row)).height).toBeLessThanOrEqual(60);
      // A finished job has no bar.
      expect(await rows.filter({ hasText: name }).getByRole('progressbar').count()).toBe(0);
      expect(await rows.filter({ hasText: 'Herbst' }).getByRole('progressbar').count()).toBe(1);
      const notes = rows.filter({ hasText: name }).locator('td .cell-sub');
      // Those who opted out are recipients, and have not failed.
      expect(await notes.nth(1).innerText()).toMatch(/^plus 1 \p{L}+ · 1 (abgemeldet|opted out)$/u);
      const heights = async () => Promise.all((await notes.all()).map(async (note) => (await boxOf(note)).height));
      expect((await heights()).filter((height) => height > 17)).toEqual([]);
      await page.setViewportSize({ width: 1920, height: 1080 });
      expect((await heights()).filter((height) => height > 17)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole('main').locator('a[href$="/send/campaign"]').waitFor();
      await screenshots(page, `jobs-notes-${locale}`);
      await page.goto(`/console/jobs/${jobId}`);
      const actions = page.locator('.page-header-side');
      await actions.getByRole('button').nth(1).waitFor();
      const [words, side] = [await boxOf(page.locator('.page-header-words')), await boxOf(actions)];
      expect([side.y, side.x + side.width]).toEqual([words.y, 1248]);
      await screenshots(page, `job-header-${locale}`);
    }
  });

  it('fits the header and the tabs of jobs, and shows their figures in the list, on a tablet and on a phone', async () => {
    const jobId = await sendTo(client, [...phones(9, 61_200), '4915112340002', '4915112340003']);
    await ended(client, jobId);
    const held = await sendTo(client, phones(1500, 62_000), { name: 'Angehalten', hold: 'true' });
    for (const width of [820, 360]) {
      const page = await browser.signedIn(service, '/jobs', { width, locale: 'de-DE' });
      await page.getByText('10 gesendet').first().waitFor();
      await page
        .getByText(/% zugestellt, .*% gelesen/)
        .first()
        .waitFor();
      await nothingCutOff(page);
      for (const one of [jobId, held]) {
        await page.goto(`/console/jobs/${one}`);
        await page.getByRole('button', { name: 'Bericht' }).waitFor();
        await nothingCutOff(page);
        const edges = await Promise.all((await page.locator('.page-header-side .button, .job-tab').all()).map(boxOf));
        for (const { x, width: own } of edges) expect(x + own).toBeLessThanOrEqual(width);
        await screenshots(page, `job-${width}-${one === held ? 'held' : 'ended'}`);
      }
    }
  });

  it('fits the opt-outs on a narrow screen, and shows a shadow where a table continues', async () => {
    await client.post('/opt-outs', { phone: newPhone() });
    const page = await browser.signedIn(service, '/opt-outs', { width: 400, locale: 'de-DE' });
    const table = page.locator('.table-scroll');
    await table
      .getByRole('button', { name: /^Wieder zulassen/ })
      .first()
      .waitFor();
    const edges = 'getComputedStyle(document.querySelector(".table-scroll")).backgroundAttachment';
    expect(await page.evaluate(edges)).toBe('local, local, scroll, scroll');
    await screenshots(page, 'opt-outs-german');
  });

  it('uses a wide screen for tables, not for forms', async () => {
    const page = await browser.signedIn(service, '/jobs', { width: 1920, locale: 'de-DE' });
    expect((await boxOf(page.locator('.panel').first())).width).toBeGreaterThan(1500);
    await page.goto('/console/send/one');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect((await boxOf(page.getByRole('main'))).width).toBeLessThanOrEqual(1240);
  });

  it('lists messages on the first screen of a phone, below the search and the closed filters in two columns', async () => {
    await client.post('/send-template', { to: newPhone(), templateName: 'hello_world' });
    const page = await browser.signedIn(service, '/messages', { width: 390, locale: 'de-DE' });
    const first = page.getByRole('list', { name: 'Nachrichten' }).getByRole('listitem').first();
    await first.waitFor();
    expect((await boxOf(first)).y).toBeLessThan(420);
    await page.getByText('Filter', { exact: true }).click();
    const [status, error] = [
      page.getByRole('combobox', { name: 'Status' }),
      page.getByRole('combobox', { name: 'Fehler' }),
    ];
    expect((await boxOf(status)).y).toBe((await boxOf(error)).y);
    await screenshots(page, 'messages-filters');
  });

  it('shows the values of a job larger than their names, and prints it with its date and without buttons', async () => {
    const jobId = await sendTo(client, phones(1, 63_900));
    await ended(client, jobId);
    const page = await browser.signedIn(service, `/jobs/${jobId}`, { locale: 'de-DE' });
    await page.locator('.facts .time').first().waitFor();
    const styles = `['dt', 'dd', 'dd .time'].map((part) => {
      const { fontSize, color } = getComputedStyle(document.querySelector('.facts ' + part));
      return [fontSize, color];
    })`;
    const [name, value, time] = await page.evaluate<[string, string][]>(styles);
    expect([name![0], value![0], time]).toEqual(['13px', '14px', value]);
    expect(name![1]).not.toBe(value![1]);
    await page.emulateMedia({ media: 'print' });
    await page.getByText('Live, Stand:').waitFor({ state: 'hidden' });
    expect(await page.locator('main .button:visible').count()).toBe(0);
    const printed = `getComputedStyle(document.querySelector('.as-of'), '::after').content`;
    expect(await page.evaluate(printed)).toMatch(/^"\d{1,2}\.\d{1,2}\.\d{4}, [\d:]+"$/);
  });
});
