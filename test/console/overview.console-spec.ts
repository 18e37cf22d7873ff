import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { startConsole, stopConsole } from '../support/console/set-up';
import { detailOf, ended, phones, sendTo } from '../support/process/bulk';
import type { Client } from '../support/process/client';
import type { Service } from '../support/process/service';

describe('The overview of the console', () => {
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  it('has an empty state with the first steps, and which of them are done', async () => {
    const page = await browser.signedIn(service);
    const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem');
    await steps.filter({ hasText: 'Have an approved template' }).getByText('Done').waitFor();
    await steps.filter({ hasText: 'Import contacts' }).getByText('To do').waitFor();
    expect(await steps.getByRole('link').allInnerTexts()).toEqual([
      ...['Have an approved template', 'Send yourself a message'],
      ...['Import contacts', 'Give colleagues their own keys'],
    ]);
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['First steps']);
    await noViolations(page);
    await screenshots(page, 'overview-empty');
  });

  it('says on every screen, a narrow one too, that the messages of a sandbox reach nobody', async () => {
    const page = await browser.signedIn(service);
    const note = page.getByText('Test mode: messages reach nobody');
    await note.waitFor();
    await page.getByRole('link', { name: 'Message search' }).click();
    await page.getByRole('heading', { level: 1, name: 'Message search' }).waitFor();
    expect(await note.isVisible()).toBe(true);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.locator('.topbar').getByText('Test mode', { exact: true }).waitFor();
    await noViolations(page);
    await screenshots(page, 'test-mode');
    // As the page of a service with a real platform.
    await page.route('**/console/messages', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace(' data-sandbox', '') });
    });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Message search' }).waitFor();
    expect(await page.getByText('Test mode').count()).toBe(0);
  });

  it('fits the full navigation on a screen of 800 pixels', async () => {
    const page = await browser.signedIn(service);
    const lowest = await page.getByRole('button', { name: 'Sign out' }).boundingBox();
    expect(lowest!.y + lowest!.height).toBeLessThanOrEqual(800);
    await page.setViewportSize({ width: 1366, height: 768 });
    const lower = await page.getByRole('button', { name: 'Sign out' }).boundingBox();
    expect(lower!.y + lower!.height).toBeLessThanOrEqual(768);
  });

  it('opens the navigation of a narrow screen, by keyboard too, and returns the focus', async () => {
    const page = await browser.signedIn(service, '/', { width: 390 });
    const menu = page.getByRole('button', { name: 'Menu' });
    await menu.focus();
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    await drawer.getByRole('link', { name: 'Jobs' }).waitFor();
    await noViolations(page);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await menu.and(page.locator(':focus')).waitFor();
    await menu.click();
    await drawer.getByRole('link', { name: 'Jobs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    await drawer.waitFor({ state: 'detached' });
  });

  it('shows activity, failures, and jobs that need attention', async () => {
    await ended(client, await sendTo(client, [...phones(40), '4917771000002', '4917771010002']));
    const held = await sendTo(client, phones(1200, 100), { hold: 'true' });
    const page = await browser.signedIn(service);
    await page.getByText('Recipient unreachable').waitFor();
    await page.getByText('Nothing has been sent to its 1,200 recipients').waitFor();
    // In progress, waiting, paused, scheduled, unread.
    expect(await page.locator('.current strong').allInnerTexts()).toEqual(['0', '0', '1', '0', '0']);
    const figures = page.getByRole('table', { name: 'Messages over time' });
    await figures.waitFor({ state: 'attached' });
    expect(await figures.getByRole('columnheader').allTextContents()).toEqual([
      'Time',
      'Sent',
      'Delivered',
      'Read',
      'Failed or not delivered',
    ]);
    await noViolations(page);
    await screenshots(page, 'overview');
    expect(await page.getByRole('link', { name: 'Waiting' }).getAttribute('href')).toMatch(
      /\/jobs\?status=Processing$/,
    );
    await page.getByRole('region', { name: 'Needs your attention' }).getByRole('link', { name: 'hello_world' }).click();
    await page.waitForURL(`**/console/jobs/${held}`);
  });

  it('lists the newest jobs as they are now, with a link to all', async () => {
    for (let n = 1; n <= 5; n++) await sendTo(client, phones(1, 100 * n), { name: `Campaign ${n}`, hold: 'true' });
    const jobId = await sendTo(client, [...phones(2, 900), '4917771000002', 'nobody'], {
      name: 'Spring',
      hold: 'true',
    });
    const page = await browser.signedIn(service);
    const jobs = page.getByRole('table', { name: 'Recent jobs' });
    await jobs.getByRole('row').nth(5).waitFor();
    expect(await jobs.getByRole('link').allInnerTexts()).toEqual([
      'Spring',
      ...[5, 4, 3, 2].map((n) => `Campaign ${n}`),
    ]);
    const cells = jobs.getByRole('row', { name: /Spring/ }).getByRole('cell');
    await client.post(`/bulk-jobs/${jobId}/resume`);
    await cells.getByText('Completed').waitFor();
    expect((await cells.allInnerTexts()).slice(2, 7)).toEqual([
      ...[expect.stringMatching(/^3\s+plus 1 invalid$/), '2'],
      ...[expect.stringMatching(/^[\d.]+%\s+\d$/), expect.stringMatching(/^[\d.]+%\s+\d$/), '1'],
    ]);
    await noViolations(page);
    await screenshots(page, 'overview-jobs');
    await page.getByRole('link', { name: 'All jobs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
  });

  it('names jobs of the last day that reached nobody', async () => {
    const jobId = await sendTo(client, ['4915112340002', '4915112350002'], { name: 'To nobody' });
    await ended(client, jobId);
    await ended(client, await sendTo(client, [...phones(1, 960), '4915112340002'], { name: 'To one' }));
    const page = await browser.signedIn(service);
    const attention = page.getByRole('region', { name: 'Needs your attention' });
    const job = attention.getByRole('listitem').filter({ hasText: 'To nobody' });
    await job.getByText('None reached').waitFor();
    await job.getByText('The message did not reach any of 2 recipients.').waitFor();
    expect(await job.getByText('not sent yet').count()).toBe(0);
    await page.getByRole('table', { name: 'Recent jobs' }).getByText('To one').waitFor();
    expect(await attention.getByText('To one').count()).toBe(0);
    await noViolations(page);
    await screenshots(page, 'overview-nobody');
  });

  it('asks for no action for a job that waits for confirmations, and names its status as its screen does', async () => {
    const { page, jobId } = await routedJob('All sent', {
      ...{ status: 'Processing', successfullySent: 2, unknown: 1, pauseReason: null, allowedActions: ['pause'] },
      throttled: { reason: 'unknown_outcomes', until: new Date(Date.now() + 600_000).toISOString() },
      ...{ pending: 1, ratePerSecond: 0, startedAt: new Date().toISOString() },
      estimatedCompletionAt: new Date(Date.now() + 5_000).toISOString(),
    });
    const row = page.getByRole('table', { name: 'Recent jobs' }).getByRole('row').filter({ hasText: 'All sent' });
    await row.getByText('Waiting for confirmation').waitFor();
    const attention = page.getByRole('region', { name: 'Needs your attention' });
    await attention.getByText('To nobody').waitFor();
    expect(await attention.getByText('All sent').count()).toBe(0);
    await page.goto(`/console/jobs/${jobId}`);
    await page.getByText('All messages have been sent; some are not confirmed yet. Completes by').waitFor();
    await page.getByRole('main').getByText('Waiting for confirmation').waitFor();
    expect(await page.locator('.job-percent').innerText()).toBe('All messages sent');
    expect(await page.getByText('Ends in').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
    expect(await page.getByText(/\d\/s/).count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('says of a job in an outage when the next attempt is, not that figures are about to appear', async () => {
    const { page, jobId } = await routedJob('In an outage', {
      ...{ status: 'Processing', pauseReason: null, startedAt: new Date().toISOString() },
      throttled: { reason: 'platform_outage', until: new Date(Date.now() + 600_000).toISOString() },
    });
    const attention = page.getByRole('region', { name: 'Needs your attention' });
    await attention.getByText(/^WhatsApp reports errors\. Next attempt at .* \(in \d+ minutes\)\.$/).waitFor();
    await page.goto(`/console/jobs/${jobId}`);
    await page.getByText(/^WhatsApp reports errors\. Next attempt at/).waitFor();
    await page.getByText('Nothing sent yet').waitFor();
    await page.getByRole('region', { name: 'Pace' }).waitFor({ state: 'detached' });
    expect(await page.getByText('0% processed').count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
  });

  /** The overview with a job on hold, which the service reports with these values in its lists and its details. */
  async function routedJob(name: string, values: Record<string, unknown>): Promise<{ page: Page; jobId: string }> {
    const jobId = await sendTo(client, phones(3, 970), { name, hold: 'true' });
    const page = await browser.signedIn(service, '/templates');
    await page.route(/\/messaging\/events\?/, (route) => route.abort());
    const detail = await detailOf(client, jobId);
    await page.route(`**/bulk-jobs/${jobId}`, (route) => route.fulfill({ json: { ...detail, ...values } }));
    await page.route('**/bulk-jobs?*', async (route) => {
      const { search, searchParams } = new URL(route.request().url());
      const listed = (await client.get(`/bulk-jobs${search}`)).body as { items: { jobId: string }[] };
      const items = listed.items.map((job) => (job.jobId === jobId ? { ...job, ...values } : job));
      const open = searchParams.get('status') === values.status ? [{ ...detail, ...values }] : items;
      await route.fulfill({ json: { ...listed, items: open } });
    });
    await page.goto('/console/');
    return { page, jobId };
  }

  it('compares the last seven days with the seven before', async () => {
    const page = await browser.signedIn(service);
    const week = page.getByRole('region', { name: 'Last 7 days' });
    const json = (await client.get('/overview')).body;
    const none = { sent: 0, delivered: 0, read: 0, undelivered: 0, failed: 0, received: 0 };
    let earlier: 'kept' | 'deleted' | 'none' = 'kept';
    await page.route('**/messaging/overview?*', async (route) => {
      const before = { sent: 1000, delivered: 960, read: 500, undelivered: 9, failed: 3, received: 80 };
      const last = { ...before, sent: 1240, delivered: 1178, read: 620, failed: 6, received: 40 };
      const shown = { kept: before, deleted: null, none }[earlier];
      await route.fulfill({ json: { ...json, weeks: { last, before: shown } } });
    });
    await page.reload();
    await week.getByText('1,240').waitFor();
    expect(await week.locator('dl > div').allInnerTexts()).toEqual([
      expect.stringMatching(/^Sent\s+1,240 \+24%\s+9 not delivered\s+1,000 in the 7 days before$/),
      expect.stringMatching(/^Delivered\s+95% -1 points\s+1,178 of sent messages\s+96% in the 7 days before$/),
      expect.stringMatching(/^Read\s+50% 0 points\s+620 of sent messages\s+50% in the 7 days before$/),
      expect.stringMatching(/^Failed\s+6 \+100%\s+3 in the 7 days before$/),
      expect.stringMatching(/^Received\s+40 -50%\s+80 in the 7 days before$/),
    ]);
    expect(await week.getByRole('link', { name: 'Failed' }).getAttribute('href')).toMatch(/\/messages\?status=Failed$/);
    await noViolations(page);
    await screenshots(page, 'overview-week');
    // With a retention of less than two weeks, and for an account without earlier messages.
    for (const which of ['deleted', 'none'] as const) {
      earlier = which;
      await page.reload();
      await week.getByText('1,240').waitFor();
      expect(await week.locator('dl > div').allInnerTexts()).toEqual([
        expect.stringMatching(/^Sent\s+1,240\s+9 not delivered$/),
        expect.stringMatching(/^Delivered\s+95%\s+1,178 of sent messages$/),
        expect.stringMatching(/^Read\s+50%\s+620 of sent messages$/),
        expect.stringMatching(/^Failed\s+6$/),
        expect.stringMatching(/^Received\s+40$/),
      ]);
      expect(await week.getByText('before').count()).toBe(0);
    }
  });

  it('shows each series of every hour, and the last hour on the axis, though more was reported than sent', async () => {
    const page = await browser.signedIn(service);
    const json = (await client.get('/overview')).body as { totals: object; series: { at: string }[] };
    const totals = { ...json.totals, sent: 50, delivered: 50 };
    const hours = [
      { sent: 10, delivered: 10, read: 10 },
      { sent: 10, delivered: 20, read: 30 },
      { sent: 30, delivered: 20, read: 10 },
    ];
    const series = json.series.map((one, index) => ({ ...one, ...hours[index % hours.length], failed: 0 }));
    await page.route('**/messaging/overview?*', async (route) => route.fulfill({ json: { ...json, totals, series } }));
    await page.reload();
    await page
      .getByRole('region', { name: 'Messages', exact: true })
      .locator('svg title')
      .first()
      .waitFor({ state: 'attached' });
    const { hidden, axis } = await page.evaluate<{ hidden: string[]; axis: string[] }>(HIDDEN_BARS);
    expect(hidden).toEqual([]);
    expect(axis.at(-1)).toBe(
      new Intl.DateTimeFormat('en-GB', { ...TIME, timeZone: 'Europe/Berlin' }).format(new Date(series.at(-1)!.at)),
    );
  });

  it('leads from the unread conversations to the list of only these', async () => {
    const page = await browser.signedIn(service);
    await page.getByRole('link', { name: 'Unread conversations' }).click();
    await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor();
    await page.getByRole('combobox', { name: 'Show' }).getByText('Unread').waitFor();
  });

  it('shows only what the scopes of the key allow', async () => {
    const { body } = await client.post('/api-keys', { name: 'Reads', scopes: ['messaging:read'] });
    const page = await browser.signedIn(service, '/', { key: body.key as string });
    await page.getByText('Unread conversations').waitFor();
    expect(await page.getByText('Paused').count()).toBe(0);
    expect(await page.getByRole('table', { name: 'Recent jobs' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'New campaign' }).count()).toBe(0);
  });
});

const TIME = { hour: '2-digit', minute: '2-digit' } as const;

/** The bars of the chart that those drawn after them cover, and the labels below it. */
const HIDDEN_BARS = `(() => {
  const svg = document.querySelector('.chart svg');
  const hidden = [...svg.querySelectorAll('g:has(> rect > title)')].flatMap((hour) => {
    const bars = [...hour.querySelectorAll('g > g > rect')].map((one) => one.getBBox());
    return bars.flatMap((one, index) => {
      const isCovered = bars.slice(index + 1).some((later) =>
        later.x <= one.x && later.x + later.width >= one.x + one.width && later.y <= one.y);
      return isCovered ? [hour.querySelector('title').textContent] : [];
    });
  });
  const labels = [...svg.querySelectorAll(':scope > text')].map((one) => one.textContent);
  return { hidden, axis: labels };
})()`;
