import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { startConsole, stopConsole } from '../support/console/set-up';
import { ended, phones, sendTo } from '../support/process/bulk';
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

  it('has an empty state', async () => {
    const page = await browser.signedIn(service);
    await page.getByText('No messages in this period').waitFor();
    expect(await page.getByRole('table', { name: 'Recent jobs' }).count()).toBe(0);
    await noViolations(page);
    await screenshots(page, 'overview-empty');
  });

  it('fits the full navigation on a screen of 800 pixels', async () => {
    const page = await browser.signedIn(service);
    const lowest = await page.getByRole('button', { name: 'Sign out' }).boundingBox();
    expect(lowest!.y + lowest!.height).toBeLessThanOrEqual(800);
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
    // Sending now, waiting, paused, scheduled, unread.
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

  it('compares the last seven days with the seven before', async () => {
    const page = await browser.signedIn(service);
    const week = page.getByRole('region', { name: 'Last 7 days' });
    const json = (await client.get('/overview')).body;
    let isKept = true;
    await page.route('**/messaging/overview?*', async (route) => {
      const before = { sent: 1000, delivered: 960, read: 500, undelivered: 9, failed: 3, received: 80 };
      const last = { ...before, sent: 1240, delivered: 1178, read: 620, received: 40 };
      await route.fulfill({ json: { ...json, weeks: { last, before: isKept ? before : null } } });
    });
    await page.reload();
    await week.getByText('1,240').waitFor();
    expect(await week.locator('dl > div').allInnerTexts()).toEqual([
      expect.stringMatching(/^Sent\s+1,240 \+24%\s+1,000 before$/),
      expect.stringMatching(/^Delivered\s+95% -1 points\s+1,178 of sent messages\s+96% before$/),
      expect.stringMatching(/^Read\s+50% 0 points\s+620 of sent messages\s+50% before$/),
      expect.stringMatching(/^Received\s+40 -50%\s+80 before$/),
    ]);
    await noViolations(page);
    await screenshots(page, 'overview-week');
    // With a retention of less than two weeks.
    isKept = false;
    await page.reload();
    await week.getByText('1,240').waitFor();
    expect(await week.locator('dl > div').allInnerTexts()).toEqual([
      expect.stringMatching(/^Sent\s+1,240$/),
      expect.stringMatching(/^Delivered\s+95%\s+1,178 of sent messages$/),
      expect.stringMatching(/^Read\s+50%\s+620 of sent messages$/),
      expect.stringMatching(/^Received\s+40$/),
    ]);
    expect(await week.getByText('before').count()).toBe(0);
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
