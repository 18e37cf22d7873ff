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
    expect(await row.locator('.cell-sub').first().innerText()).toMatch(/^hello_world, From a file, en_US · /);
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
      const dialog = page.getByRole('dialog', { name: `Send ${people} messages?` });
      await dialog.getByText('starting now').waitFor();
      await dialog.getByRole('button', { name: `Send ${people} messages` }).dblclick();
      await page.getByText(`${people} of ${people} sent`).first().waitFor(SOON);
      expect(await page.getByRole('button', { name: 'Send now…' }).count()).toBe(0);
    }
  });

  it('names exactly how many messages it sends if it starts early, or else the most', async () => {
    const people = phones(4, 350);
    await client.post('/opt-outs', { phone: people[2] });
    const jobId = await sendTo(client, [...people, 'nobody'], { hold: 'true' });
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByRole('button', { name: 'Send now…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send 3 messages?' });
    await dialog.getByText('1 of the 4 recipients has opted out and is skipped.').waitFor();
    await noViolations(page);
    await dialog.getByRole('button', { name: 'Back' }).click();
    // A large job has no count.
    const json = await detailOf(client, jobId);
    await page.route(`**/bulk-jobs/${jobId}?counts=true`, (route) => route.fulfill({ json }));
    await page.getByRole('button', { name: 'Send now…' }).click();
    await page.getByRole('dialog', { name: 'Send up to 4 messages?' }).waitFor();
    await page.getByText('People who have opted out are skipped.').waitFor();
    await page.unroute(`**/bulk-jobs/${jobId}?counts=true`);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Send now…' }).click();
    await dialog.getByRole('button', { name: 'Send 3 messages' }).click();
    await page.getByText('3 of 3 sent').first().waitFor(SOON);
  });

  it('that is started outside its sending hours says when they begin', async () => {
    const hour = (hours: number) => `${String((new Date().getUTCHours() + hours) % 24).padStart(2, '0')}:00`;
    const sendWindow = { from: hour(3), until: hour(5), timeZone: 'UTC' };
    const timing = { scheduledAt: later(), sendWindow };
    const jobId = await sendTo(client, phones(2, 330), { ...timing, name: 'Closed', hold: 'true' });
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByRole('button', { name: 'Send now…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send 2 messages?' });
    await dialog
      .getByText(/^It is .*:\d\d; sending hours are .*\(UTC\), so it starts at .*:00 \(in [23] hours\)\.$/)
      .waitFor();
    const anyway = dialog.getByRole('switch', { name: 'Send now anyway' });
    await anyway.click();
    await dialog.getByText('starting now').waitFor();
    await dialog.getByRole('button', { name: 'Send 2 messages' }).waitFor();
    await noViolations(page);
    await anyway.click();
    await dialog.getByRole('button', { name: /^Start at .*:00$/ }).click();
    await page.getByText(/^Sending starts at .*:00/).waitFor(SOON);
    await page.getByText(/^Outside the sending hours of this job\. Continues at .*:00/).waitFor(SOON);
    await client.post(`/bulk-jobs/${jobId}/cancel`);
  });

  it('that is started outside its sending hours can drop them', async () => {
    const now = new Date().getUTCHours();
    const hour = (hours: number) => `${String((now + hours) % 24).padStart(2, '0')}:00`;
    const sendWindow = { from: hour(3), until: hour(5), timeZone: 'UTC' };
    const jobId = await sendTo(client, phones(2, 340), { sendWindow, name: 'Urgent', hold: 'true' });
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByRole('button', { name: 'Send now…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send 2 messages?' });
    await dialog.getByRole('switch', { name: 'Send now anyway' }).click();
    await dialog.getByRole('button', { name: 'Send 2 messages' }).click();
    await page.getByText('2 of 2 sent').first().waitFor(SOON);
    expect(await detailOf(client, jobId)).toMatchObject({ sendWindow: null });
  });

  it('can also keep its schedule when it is released', async () => {
    const jobId = await sendTo(client, phones(1, 320), { scheduledAt: later(), name: 'Released', hold: 'true' });
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByText(/Check the list, then send it now or as scheduled, .+ \(in .+\)\.$/).waitFor();
    await page.getByRole('button', { name: 'Send as scheduled' }).click();
    await page.getByText('Scheduled', { exact: true }).waitFor();
    expect(await detailOf(client, jobId)).toMatchObject({ status: 'Scheduled' });
  });

  it('shows when it starts within its sending hours, and when it ends', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const days = [((inDays(5).getUTCDay() + 6) % 7) + 1];
    const sendWindow = { from: '00:00', until: '24:00', timeZone: 'UTC', days };
    const timing = { scheduledAt: inDays(2).toISOString(), sendWindow };
    const page = await browser.signedIn(service, `/jobs/${await sendTo(client, phones(1, 325), timing)}`);
    await page.getByText(/^0 of 1 sent\. Starts in [45] days, ends around \d/).waitFor();
    await page.getByText(/^It starts at .+ \(in [45] days\)\.$/).waitFor();
  });

  it('is confirmed by typing its number of recipients above 1,000', async () => {
    const jobId = await sendTo(client, phones(1_001, 20_000), { hold: 'true' });
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByRole('button', { name: 'Send now…' }).click();
    const send = page.getByRole('button', { name: 'Send 1,001 messages' });
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
    await page.route(/\/messaging\/events\?/, (route) => route.abort());
    await page.route(`**/bulk-jobs/${jobId}`, (route) => route.fulfill({ json }));
    await page.goto(`/console/jobs/${jobId}`);
    await page.getByText(/^0 of 40 sent, 4 failed, 36 not sent yet\. Ends in about 30 min\./).waitFor();
    await page.getByText('36 not sent yet', { exact: true }).waitFor();
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
    const step = { at: new Date().toISOString(), sent: 2, failed: 0 };
    await page.route(`**/bulk-jobs/${jobId}/pace`, (route) =>
      route.fulfill({ json: { stepSeconds: 1, nominal: 80, items: isStored ? [step] : [] } }),
    );
    await page.goto(`/console/jobs/${jobId}`);
    await page.getByText('This job is on hold.').waitFor();
    await client.post(`/bulk-jobs/${jobId}/resume`, {});
    await page.locator('.badge', { hasText: 'Completed' }).waitFor();
    await page.getByText('The first figures appear within seconds.').waitFor();
    isStored = true;
    // A single figure is no curve.
    await page.getByText(/^Within 1 s: Sent: 2\/s, Failed: 0\/s; sender limit 80\/s\.$/).waitFor();
    await page.getByRole('table', { name: 'Messages per second' }).waitFor({ state: 'attached' });
  });

  it('counts people who opted out apart from failures', async () => {
    const people = [...phones(3, 500), '4915112340002', 'nobody'];
    await client.post('/opt-outs', { phone: people[0] });
    const jobId = await sendTo(client, people, { name: 'With opt-outs' });
    await ended(client, jobId);
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByText(/^2 of 4 sent, 1 failed, 1 opted out\. Took /).waitFor();
    const lost = page.getByRole('list', { name: 'From recipients to readers' }).locator('.funnel-losses').first();
    expect(await lost.getByRole('listitem').allInnerTexts()).toEqual(['1 failed', '1 opted out']);
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
    expect((await cells.allInnerTexts()).slice(2, 7)).toEqual([
      expect.stringMatching(/^4\s+plus 1 invalid · 1 opted out$/),
      '2',
      expect.any(String),
      expect.any(String),
      '1',
    ]);
  });

  it('is retried by outcome: the dialog counts who can be reached, and why others cannot', async () => {
    const jobId = await sendTo(client, [...phones(1, 600), '4915112340002', '4915122340003', 'nobody'], {
      name: 'Spring',
    });
    await ended(client, jobId);
    await until(async () => (await detailOf(client, jobId)).undelivered === 1, 30_000, 'it is reported');
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByRole('button', { name: 'Retry…' }).click();
    const dialog = page.getByRole('dialog', { name: /^(Retry|Send to the remaining)/ });
    await dialog.getByText('A new job sends Spring again').waitFor();
    await dialog.getByRole('button', { name: 'Retry 1 message' }).waitFor();
    await dialog.getByText('Phone number invalid').waitFor();
    await dialog.getByText('1 recipient has to be corrected first').waitFor();
    await dialog.getByRole('button', { name: 'Retry 1 message anyway' }).waitFor();
    await dialog.getByRole('combobox', { name: 'Recipients' }).click();
    await page.getByRole('option', { name: 'Unconfirmed' }).click();
    await dialog.getByText('0 recipients can be retried.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Retry', exact: true }).isDisabled()).toBe(true);
    await dialog.getByRole('combobox', { name: 'Recipients' }).click();
    await page.getByRole('option', { name: 'All' }).click();
    await dialog.getByRole('button', { name: 'Retry 2 messages' }).waitFor();
    await noViolations(page);
    await screenshots(page, 'job-retry-all');
    await dialog.getByRole('button', { name: 'Retry 2 messages' }).click();
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
    await row(again).getByText('hello_world, Retry, en_US').waitFor();
    await row(retryId).getByText('hello_world, Retry, en_US').waitFor();
    await row(jobId).getByText('hello_world, From a file, en_US').waitFor();
    await page.goto(`/console/jobs/${again}`);
    await page.getByRole('main').getByText('Retry of Spring', { exact: true }).waitFor();
  });

  it('shows invalid rows apart from failed recipients', async () => {
    const [stopped] = phones(1, 800);
    await client.post('/opt-outs', { phone: stopped });
    const jobId = await sendTo(client, ['4915112340002', 'nobody', stopped!], { name: 'Bad rows' });
    await ended(client, jobId);
    const page = await browser.signedIn(service, `/jobs/${jobId}/recipients?status=Failed`);
    const states = page.getByRole('list', { name: 'Recipients' }).locator('.badge');
    await states.first().waitFor();
    expect(await states.allInnerTexts()).toEqual(['Failed']);
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Invalid' }).click();
    await states.getByText('Invalid').waitFor();
    expect(await states.allInnerTexts()).toEqual(['Invalid']);
    expect(new URL(page.url()).search).toBe('?status=Invalid');
    await page.goto(`/console/jobs/${jobId}/recipients?status=Skipped`);
    // The state is the reason.
    await page.getByRole('list', { name: 'Recipients' }).getByText('Opted out').waitFor();
    await noViolations(page);
  });

  it('leaves out of a second retry whom the first reaches, unless a person wants to send to them again', async () => {
    const jobId = await sendTo(client, phones(3, 900), { hold: 'true' });
    await client.post(`/bulk-jobs/${jobId}/cancel`);
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.locator('.button[data-variant=primary]', { hasText: 'Send to the remaining 3' }).waitFor();
    const first = (await client.post(`/bulk-jobs/${jobId}/retry`, { name: 'First try' })).body.jobId as string;
    await ended(client, first);
    await page.goto(`/console/jobs/${jobId}/failures`);
    await page.getByText('Retried in First try: 0 of 3 not reached').waitFor();
    await page.goto(`/console/jobs/${jobId}`);
    await page.getByText('Retried in First try: 0 of 3 not reached').waitFor();
    expect(await page.getByRole('link', { name: 'First try' }).getAttribute('href')).toContain(`/jobs/${first}`);
    // Once there is a retry, another one is no longer the main action.
    await page.locator('.button[data-variant=plain]', { hasText: 'Retry…' }).click();
    const dialog = page.getByRole('dialog', { name: /^(Retry|Send to the remaining)/ });
    await dialog.getByText('0 recipients can be retried.').waitFor();
    await dialog.getByText('3 recipients are left out.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Retry', exact: true }).isDisabled()).toBe(true);
    await noViolations(page);
    await dialog.getByRole('switch', { name: 'Also send to people whom an earlier retry reached' }).click();
    await dialog.locator('.note[data-tone=danger]', { hasText: 'message twice' }).waitFor();
    expect(await dialog.getByRole('link').getAttribute('href')).toContain(`/jobs/${first}`);
    await noViolations(page);
    await screenshots(page, 'job-retry-again');
    await dialog.getByLabel('Name of the new job').fill('Second try');
    await dialog.getByRole('button', { name: 'Retry 3 messages anyway' }).click();
    await page.waitForURL((url) => ![jobId, first].some((id) => url.pathname.includes(id)));
    await heading(page, 'Second try');
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
    await page.getByRole('button', { name: 'Retry 1 message' }).click();
    expect(await first).toEqual({
      ...{ scope: 'failed', errorCodes: ['platform_fault'], skipRetried: true, dryRun: true },
    });
    const dialog = page.getByRole('dialog', { name: /^(Retry|Send to the remaining)/ });
    await dialog.getByText('0 recipients can be retried.').waitFor();
    const second = check();
    await dialog.getByRole('switch', { name: 'Also retry those that will probably fail again' }).click();
    expect(await second).toEqual({ scope: 'failed', skipRetried: true, dryRun: true });
    await dialog.getByRole('button', { name: 'Retry 1 message anyway' }).waitFor();
    await noViolations(page);
  });
});
