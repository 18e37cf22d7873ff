import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { startConsole, stopConsole } from '../support/console/set-up';
import { detailOf, ended, phones, sendTo } from '../support/process/bulk';
import type { Client } from '../support/process/client';
import { type Service, until } from '../support/process/service';

const SOON = { timeout: 30_000 };

describe('A named job in the console', () => {
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const later = () => new Date(Date.now() + 49 * 3_600_000).toISOString();

  it('has its name everywhere, and is found by a part of it', async () => {
    const name = 'Frühling in Köln 🌷';
    const jobId = await sendTo(client, phones(2, 100), { name, scheduledAt: later() });
    await sendTo(client, phones(1, 110), { name: 'Autumn', hold: 'true' });
    const page = await browser.signedIn(service, '/jobs');
    await page.getByRole('searchbox', { name: 'Name' }).fill('KÖLN');
    await page.waitForURL((url) => url.searchParams.get('search') === 'KÖLN');
    await page.getByText('Autumn').waitFor({ state: 'detached' });
    const row = page.getByRole('row').filter({ hasText: name });
    expect(await row.locator('.cell-sub').innerText()).toBe('hello_world, From a file, en_US');
    await noViolations(page);
    await screenshots(page, 'jobs-named');
    await page.getByRole('link', { name }).click();
    await heading(page, name);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Cancel job' }).click();
    await page.getByRole('dialog').getByText(`“${name}”: 2 recipients`).waitFor();
    await page.getByRole('button', { name: 'Keep job' }).click();

    await page.goto('/console/');
    await page.getByRole('region', { name: 'Needs your attention' }).getByRole('link', { name: 'Autumn' }).waitFor();
    await page.goto('/console/audit');
    await page.getByRole('table', { name: 'Audit log' }).getByRole('link', { name }).click();
    await heading(page, name);
    expect(page.url()).toContain(jobId);
  });

  it('names the job of a message, and finds its messages', async () => {
    const jobId = await sendTo(client, phones(1, 200), { name: 'Winter news' });
    await ended(client, jobId);
    const page = await browser.signedIn(service, '/messages');
    await page.getByRole('combobox', { name: 'Job' }).fill('Winter');
    await page
      .getByRole('option', { name: /^Winter news, / })
      .first()
      .click();
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    const list = page.getByRole('list', { name: 'Messages' });
    await list.getByRole('listitem').first().waitFor();
    expect(await list.getByRole('listitem').count()).toBe(1);
    await list.getByRole('link').first().click();
    await page.getByRole('link', { name: 'Winter news' }).click();
    await heading(page, 'Winter news');
  });

  it('starts early with the confirmation of a send: scheduled, or on hold with a schedule', async () => {
    const timing = { scheduledAt: later() };
    const scheduled = await sendTo(client, phones(2, 300), { ...timing, name: 'Early' });
    const held = await sendTo(client, phones(3, 310), { ...timing, name: 'Held', hold: 'true' });
    for (const [jobId, people] of [
      [scheduled, 2],
      [held, 3],
    ] as const) {
      const page = await browser.signedIn(service, `/jobs/${jobId}`);
      await page.getByRole('button', { name: 'Send now…' }).click();
      const dialog = page.getByRole('dialog', { name: `Send up to ${people} messages?` });
      await dialog.getByText('starting now').waitFor();
      await dialog.getByText('People who have opted out are skipped.').waitFor();
      await dialog.getByRole('button', { name: `Send up to ${people} messages` }).dblclick();
      await page.getByText(`${people} of ${people} processed`).waitFor(SOON);
      expect(await page.getByRole('button', { name: 'Send now…' }).count()).toBe(0);
    }
  });

  it('that is started outside its sending hours says when they begin', async () => {
    const hour = (hours: number) => `${String((new Date().getUTCHours() + hours) % 24).padStart(2, '0')}:00`;
    const sendWindow = { from: hour(3), until: hour(5), timeZone: 'UTC' };
    const timing = { scheduledAt: later(), sendWindow };
    const jobId = await sendTo(client, phones(2, 330), { ...timing, name: 'Closed', hold: 'true' });
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByRole('button', { name: 'Send now…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send up to 2 messages?' });
    await dialog.getByText('starting now or, outside the sending hours, when they begin').waitFor();
    await dialog.getByRole('button', { name: 'Send up to 2 messages' }).click();
    await page.getByText(/^Sending starts at .*:00/).waitFor(SOON);
    await page.getByText(/^Outside the sending hours of this job\. Continues at .*:00/).waitFor(SOON);
    await client.post(`/bulk-jobs/${jobId}/cancel`);
  });

  it('can also keep its schedule when it is released', async () => {
    const jobId = await sendTo(client, phones(1, 320), { scheduledAt: later(), name: 'Released', hold: 'true' });
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByRole('button', { name: 'Send as scheduled' }).click();
    await page.getByText('Scheduled', { exact: true }).waitFor();
    expect(await detailOf(client, jobId)).toMatchObject({ status: 'Scheduled' });
  });

  it('is confirmed by typing its number of recipients above 1,000', async () => {
    const jobId = await sendTo(client, phones(1_001, 20_000), { hold: 'true' });
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByRole('button', { name: 'Send now…' }).click();
    const send = page.getByRole('button', { name: 'Send up to 1,001 messages' });
    expect(await send.isDisabled()).toBe(true);
    await page.getByLabel('Number of messages').fill('1001');
    expect(await send.isDisabled()).toBe(false);
  });

  it('is not rescheduled to an empty date', async () => {
    const jobId = await sendTo(client, phones(1, 400), { scheduledAt: later() });
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Change schedule' }).click();
    const dialog = page.getByRole('dialog', { name: 'Schedule' });
    await dialog.getByLabel('Starts at').fill('');
    await dialog.getByText('Enter a start date and time.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await noViolations(page);
    await screenshots(page, 'job-schedule-empty');
    await dialog.getByLabel('Starts at').fill('2020-01-01T10:00');
    await dialog.getByText('The start time is in the past. Choose a later time.').waitFor();
    expect((await detailOf(client, jobId)).status).toBe('Scheduled');
  });

  it.each(['Completed', 'Cancelled', 'Failed'] as const)('has nothing left to do once it is %s', async (status) => {
    const jobId = await sendTo(client, phones(2, 760), { hold: 'true' });
    const page = await browser.signedIn(service);
    const running = { status: 'Processing', pauseReason: null, totalRecipients: 40, pending: 36, failed: 4 };
    const estimatedCompletionAt = new Date(Date.now() + 30 * 60_000).toISOString();
    const earlier = { ...running, allowedActions: ['pause', 'cancel'], estimatedCompletionAt };
    let json = { ...(await detailOf(client, jobId)), ...earlier, startedAt: new Date().toISOString() };
    await page.route('**/api/v1/messaging/events', (route) => route.abort());
    await page.route(`**/bulk-jobs/${jobId}`, (route) => route.fulfill({ json }));
    await page.goto(`/console/jobs/${jobId}`);
    await page.getByText(/of 40 processed, ends in about 30 min/).waitFor();
    await page.getByText('36 not sent yet').waitFor();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    // The status of an event, with the details before it.
    json = { ...json, status };
    await page.locator('.badge', { hasText: status }).waitFor();
    expect(await page.getByText(/not sent yet|ends in/).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
    if (status === 'Completed') await page.getByText('Nothing was sent', { exact: true }).waitFor();
  });

  it('fetches the last figures of its pace after it has ended', async () => {
    const jobId = await sendTo(client, phones(2, 770), { hold: 'true' });
    const page = await browser.signedIn(service);
    let isStored = false;
    await page.route(`**/bulk-jobs/${jobId}/pace`, (route) =>
      isStored ? route.continue() : route.fulfill({ json: { stepSeconds: 1, nominal: null, items: [] } }),
    );
    await page.goto(`/console/jobs/${jobId}`);
    await page.getByText('This job is on hold.').waitFor();
    await client.post(`/bulk-jobs/${jobId}/resume`, {});
    await page.locator('.badge', { hasText: 'Completed' }).waitFor();
    await page.getByText('The first figures appear within seconds.').waitFor();
    isStored = true;
    await page.getByRole('table', { name: 'Messages per second' }).waitFor({ state: 'attached' });
  });

  it('counts people who opted out apart from failures', async () => {
    const people = [...phones(3, 500), '4915112340002', 'nobody'];
    await client.post('/opt-outs', { phone: people[0] });
    const jobId = await sendTo(client, people, { name: 'With opt-outs' });
    await ended(client, jobId);
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByText('4 of 4 processed').waitFor();
    const lost = page.getByRole('list', { name: 'From recipients to readers' }).locator('.funnel-losses').first();
    expect(await lost.getByRole('listitem').allInnerTexts()).toEqual(['1 invalid row', '1 failed', '1 opted out']);
    await page
      .getByRole('link', { name: '1 opted out' })
      .and(page.locator('[href$="/recipients?status=Skipped"]'))
      .waitFor();
    await noViolations(page);
    await screenshots(page, 'job-opted-out');
    await page.getByRole('link', { name: 'Not reached 3' }).click();
    const group = (title: RegExp) => page.getByRole('region', { name: title });
    await group(/^Correct the number or the row: 2 people/)
      .getByText('How to fix it:')
      .first()
      .waitFor();
    await group(/^Nothing to do: 1 person/)
      .getByText('The recipient has opted out of messages.')
      .waitFor();
    expect(await page.locator('.stat', { hasText: 'Opted out' }).innerText()).toMatch(/^Opted out\s+1\s/);
    await noViolations(page);
    await screenshots(page, 'job-failure-groups');
    await page.goto('/console/jobs?search=opt-outs');
    const cells = page.getByRole('row').filter({ hasText: 'With opt-outs' }).getByRole('cell');
    await cells.first().waitFor();
    expect((await cells.allInnerTexts()).slice(3, 6)).toEqual([
      expect.stringMatching(/^5\s+1 invalid row$/),
      '2',
      expect.stringMatching(/^1\s+1 opted out$/),
    ]);
  });

  it('is retried by outcome: the dialog counts who can be reached, and why others cannot', async () => {
    const jobId = await sendTo(client, [...phones(1, 600), '4915112340002', '4915122340003', 'nobody'], {
      name: 'Spring',
    });
    await ended(client, jobId);
    await until(async () => (await detailOf(client, jobId)).undelivered === 1, 30_000, 'it is reported');
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByRole('button', { name: 'Retry failed' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry recipients' });
    await dialog.getByText('A new job sends Spring again').waitFor();
    await dialog.getByRole('button', { name: 'Retry 1' }).waitFor();
    await dialog.getByText('Phone invalid').waitFor();
    await dialog.getByText('1 recipient has to be corrected first').waitFor();
    await dialog.getByRole('button', { name: 'Retry 1 anyway' }).waitFor();
    await dialog.getByRole('combobox', { name: 'Recipients' }).click();
    await page.getByRole('option', { name: 'Unconfirmed' }).click();
    await dialog.getByText('0 recipients can be retried.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Retry', exact: true }).isDisabled()).toBe(true);
    await dialog.getByRole('combobox', { name: 'Recipients' }).click();
    await page.getByRole('option', { name: 'All' }).click();
    await dialog.getByRole('button', { name: 'Retry 2' }).waitFor();
    await noViolations(page);
    await screenshots(page, 'job-retry-all');
    await dialog.getByRole('button', { name: 'Retry 2' }).click();
    await page.waitForURL((url) => url.pathname.includes('/jobs/') && !url.pathname.includes(jobId));
    await heading(page, 'Retry of Spring');
    await page.getByRole('link', { name: 'Spring', exact: true }).waitFor();
    const retryId = page.url().split('/').at(-1)!;
    expect((await detailOf(client, retryId)).retryOf).toBe(jobId);
    // Nobody got it: it does not look like a success.
    await page.getByText('None reached', { exact: true }).waitFor({ timeout: 30_000 });
    await page.goto('/console/jobs?search=Spring');
    const row = (id: string) => page.getByRole('row').filter({ has: page.locator(`a[href$="${id}"]`) });
    await row(retryId).getByText('Retry of Spring', { exact: true }).waitFor();
    // A retry by the API has the name of its job.
    const again = (await client.post(`/bulk-jobs/${jobId}/retry`, { scope: 'undelivered' })).body.jobId as string;
    await row(again).getByText('Retry', { exact: true }).waitFor();
    expect(await row(jobId).getByText('Retry', { exact: true }).count()).toBe(0);
    await page.goto(`/console/jobs/${again}`);
    await page.getByRole('main').getByText('Retry of Spring', { exact: true }).waitFor();
  });

  it('shows invalid rows apart from failed recipients', async () => {
    const [stopped] = phones(1, 800);
    await client.post('/opt-outs', { phone: stopped });
    const jobId = await sendTo(client, ['4915112340002', 'nobody', stopped!], { name: 'Bad rows' });
    await ended(client, jobId);
    const page = await browser.signedIn(service, `/jobs/${jobId}/recipients?status=Failed`);
    await page.getByText('Includes 1 invalid row.').waitFor();
    const states = page.getByRole('list', { name: 'Recipients' }).locator('.badge');
    await states.nth(1).waitFor();
    expect(await states.allInnerTexts()).toEqual(['Failed', 'Invalid row']);
    await page.goto(`/console/jobs/${jobId}/recipients?status=Skipped`);
    // The state is the reason.
    await page.getByRole('list', { name: 'Recipients' }).getByText('Opted out').waitFor();
    await noViolations(page);
  });

  it('is retried for those whom the message may reach; the others follow on request', async () => {
    const jobId = await sendTo(client, ['4915112340002'], { name: 'Mixed' });
    await ended(client, jobId);
    const failures = (await client.get(`/bulk-jobs/${jobId}/failures`)).body;
    const other = { ...failures.items[0], errorCode: 'platform_fault', platformCode: null };
    const page = await browser.signedIn(service);
    await page.route(`**/bulk-jobs/${jobId}/failures`, (route) =>
      route.fulfill({ json: { ...failures, items: [...failures.items, other] } }),
    );
    await page.goto(`/console/jobs/${jobId}`);
    const check = async (): Promise<unknown> =>
      (await page.waitForRequest((request) => request.url().endsWith('/retry'))).postDataJSON() as unknown;
    const first = check();
    await page.getByRole('button', { name: 'Retry failed' }).click();
    expect(await first).toEqual({
      ...{ scope: 'failed', errorCodes: ['platform_fault'], skipRetried: true, dryRun: true },
    });
    const dialog = page.getByRole('dialog', { name: 'Retry recipients' });
    await dialog.getByText('0 recipients can be retried.').waitFor();
    const second = check();
    await dialog.getByRole('switch', { name: 'Also retry those that will probably fail again' }).click();
    expect(await second).toEqual({ scope: 'failed', skipRetried: true, dryRun: true });
    await dialog.getByRole('button', { name: 'Retry 1 anyway' }).waitFor();
    await noViolations(page);
  });
});
