import type { Route } from 'playwright-core';
import { type ConsoleBrowser, noViolations } from '../support/console/browser';
import { startConsole, stopConsole } from '../support/console/set-up';
import { ended, phones, sendTo } from '../support/process/bulk';
import type { Client } from '../support/process/client';
import { type Service, until } from '../support/process/service';

describe('The figures of a job in the console', () => {
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  it('of a job that ended early show no failures until it is known who was not attempted', async () => {
    const jobId = await sendTo(client, phones(5, 950), { name: 'Stopped', hold: 'true' });
    await client.post(`/bulk-jobs/${jobId}/cancel`);
    await ended(client, jobId);
    const page = await browser.signedIn(service, '/components');
    const held: Route[] = [];
    await page.route('**/failures', (route) => void held.push(route));
    await page.goto('/console/jobs?status=Cancelled');
    const row = page.getByRole('row').filter({ hasText: 'Stopped' });
    await row.waitFor();
    expect((await row.getByRole('cell').allInnerTexts()).slice(5, 7)).toEqual(['–', '…']);
    expect(await row.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('100%: 5 not reached');
    await row.getByRole('link', { name: 'Stopped' }).click();
    await page.locator('.job-percent', { hasText: /^…$/ }).waitFor();
    expect(await page.locator('[data-tone=danger]').count()).toBe(0);
    await noViolations(page);
    await until(() => Promise.resolve(held.length > 0), 10_000, 'the failures are read');
    for (const route of held) await route.continue();
    await page.getByText('5 not sent: the job was cancelled').waitFor();
    await page.locator('.job-percent', { hasText: /^0% processed$/ }).waitFor();
    const details = page.getByRole('region', { name: 'Details' });
    await details.getByText('Ended', { exact: true }).waitFor();
    expect(await details.getByText('Completed').count()).toBe(0);
  });

  it('say how to add a missing value, by where the recipients are from', async () => {
    const jobId = await sendTo(client, phones(1, 990), { name: 'Gaps', hold: 'true' });
    const job = (await client.get(`/bulk-jobs/${jobId}`)).body as object;
    const page = await browser.signedIn(service, '/components');
    const item = { errorCode: 'parameter_missing', retryable: false, failed: 1, undelivered: 0, platformCode: null };
    const failures = { items: [{ ...item, message: 'parameter 1 is missing', firstRows: [2] }] };
    await page.route(new RegExp(`/bulk-jobs/${jobId}/failures`), (route) => route.fulfill({ json: failures }));
    for (const [kind, remedy] of [
      ['Import', 'How to fix it: Fill in the empty cells of these rows.'],
      ['Group', 'How to fix it: Add the value to these contacts'],
    ]) {
      await page.route(new RegExp(`/bulk-jobs/${jobId}(\\?|$)`), (route) => route.fulfill({ json: { ...job, kind } }));
      await page.goto(`/console/jobs/${jobId}/failures`);
      await page.getByText(remedy!).waitFor();
    }
  });

  it('say what a job waits for whose recipients are all processed', async () => {
    const jobId = await sendTo(client, phones(2, 980), { name: 'Ending' });
    const done = await ended(client, jobId);
    const page = await browser.signedIn(service, '/components');
    await page.route(/\/messaging\/events\?/, (route) => route.abort());
    const json = { ...done, status: 'Processing', completedAt: null, pending: 0, allowedActions: ['pause', 'cancel'] };
    await page.route(new RegExp(`/bulk-jobs/${jobId}(\\?|$)`), (route) => route.fulfill({ json }));
    await page.goto(`/console/jobs/${jobId}`);
    await page.getByText('100% processed').waitFor();
    await page.getByText('Their outcomes are being checked; then the job is complete.').waitFor();
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
  });

  it('use the singular, and count duplicate rows', async () => {
    const phone = '4917771000077';
    const page = await browser.signedIn(service, `/jobs/${await sendTo(client, [phone, phone], { hold: 'true' })}`);
    await page.getByText('Nothing has been sent to its 1 recipient yet.').waitFor();
    await page.getByText('0 of 1 sent').waitFor();
    await page.getByText('1 skipped').waitFor();
  });

  it('list recipients down to the lower edge of the screen, with the heads of their columns for screen readers', async () => {
    const jobId = await sendTo(client, phones(40, 3000), { hold: 'true' });
    const page = await browser.signedIn(service, `/jobs/${jobId}/recipients`);
    const rows = page.getByRole('list', { name: 'Recipients' }).getByRole('listitem');
    await rows.first().waitFor();
    expect(await rows.first().innerText()).toMatch(
      /^Row:\s+\d+\s+Phone:\s+\+49[\s\S]+Status:\s+Not sent yet\s+Changed:/,
    );
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBeLessThanOrEqual(0);
    const { y, height } = (await page.getByRole('list', { name: 'Recipients' }).boundingBox())!;
    expect(y + height).toBeGreaterThan(700);
    await noViolations(page);
  });
});
