import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, nothingCutOff, readmeImage, screenshots } from '../support/console/browser';
import { startConsole, stopConsole } from '../support/console/set-up';
import { detailOf, ended, phones, sendTo } from '../support/process/bulk';
import type { Client } from '../support/process/client';
import { type Service, until } from '../support/process/service';

describe('The jobs in the console', () => {
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  /** 20 valid numbers, four rejected immediately, three later reported as not delivered, and one invalid row. */
  const failing = [...phones(20), ...endings('0002', 4), ...endings('0003', 3), 'nobody'];
  const keyOf = async (...scopes: string[]) =>
    (await client.post('/api-keys', { name: `Key of ${scopes.join(' ')}`, scopes })).body.key as string;
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const settled = (jobId: string) =>
    until(async () => (await detailOf(client, jobId)).undelivered === 3, 30_000, 'undelivered messages are reported');

  it('have an empty state that explains how to start', async () => {
    const page = await browser.signedIn(service, '/jobs');
    await page.getByText('No jobs yet').waitFor();
    await noViolations(page);
    await screenshots(page, 'jobs-empty');
  });

  it('show exact live counts, and open a job by keyboard', async () => {
    const page = await browser.signedIn(service, '/jobs');
    await page.getByText(/^Live, updated/).waitFor();
    const jobId = await sendTo(client, failing, { reference: 'Frühlingsaktion' });
    const row = page.getByRole('row', { name: /Frühlingsaktion/ }).first();
    await row.getByText('Completed').waitFor({ timeout: 30_000 });
    const { successfullySent } = await detailOf(client, jobId);
    expect(await row.getByRole('cell').allInnerTexts()).toEqual([
      expect.stringMatching(/^hello_world\s+Frühlingsaktion, en_US · (.* ago|just now)$/),
      // Without a bar, which would say the same.
      'Completed',
      expect.stringMatching(/^27\s+plus 1 invalid$/),
      // Reported later.
      expect.stringMatching(new RegExp(`^${successfullySent}(\\s+\\d not delivered)?$`)),
      expect.stringMatching(/^[\d.]+%\s+\d+$/),
      expect.stringMatching(/^[\d.]+%\s+\d+$/),
      '4',
    ]);
    // Statuses of a job that has ended arrive without an event.
    await settled(jobId);
    const [delivered, read] = [row.getByRole('cell').nth(4), row.getByRole('cell').nth(5)];
    await delivered.getByText('87%').waitFor();
    expect(await delivered.innerText()).toMatch(/^87%\s+20$/);
    const isRead = async () => new RegExp(`%\\s+${(await detailOf(client, jobId)).read}$`).test(await read.innerText());
    await until(isRead, 30_000, 'the list counts the read messages');
    await page.getByText('Delivered and read: share of sent messages').waitFor();
    await noViolations(page);
    await screenshots(page, 'jobs');
    await page.getByRole('link', { name: 'hello_world' }).focus();
    await page.keyboard.press('Enter');
    await heading(page, 'hello_world');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    expect(page.url()).toContain(`/console/jobs/${jobId}`);
  });

  it('show on a phone what was sent and what failed', async () => {
    const page = await browser.signedIn(service, '/jobs', { width: 360 });
    const row = page.getByRole('row', { name: /Frühlingsaktion/ }).first();
    await row.getByText('23 sent').waitFor();
    await row.getByText(/^87% delivered, [\d.]+% read$/).waitFor();
    await row.getByText('4 failed').waitFor();
    await nothingCutOff(page);
    await noViolations(page);
  });

  it('keep their filters in the URL across reloads', async () => {
    const page = await browser.signedIn(service, '/jobs');
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Paused' }).click();
    await page.getByText('No matching jobs').waitFor();
    expect(new URL(page.url()).search).toBe('?status=Paused');
    await page.reload();
    await page.getByText('No matching jobs').waitFor();
    await page.getByRole('button', { name: 'Show all jobs' }).click();
    await page.getByRole('row', { name: /Frühlingsaktion/ }).waitFor();
  });

  it('show progress and failures by reason, which add up to failed and undelivered', async () => {
    const jobId = await sendTo(client, failing);
    await ended(client, jobId);
    await settled(jobId);
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await heading(page, 'hello_world');
    await page.getByText('23 of 27 sent, 4 failed').waitFor();
    const [recipients, sent] = [page.locator('.funnel > li').nth(0), page.locator('.funnel > li').nth(1)];
    expect(await recipients.getByRole('listitem').allInnerTexts()).toEqual(['4 failed']);
    // The parts add up: 23 sent and 4 failed.
    expect(await recipients.locator('.funnel-head').innerText()).toMatch(/^Recipients\s+without 1 invalid row\s+27$/);
    expect(await sent.locator('.funnel-head').innerText()).toMatch(/^Sent\s+85.2% of 27\s+23$/);
    expect(await sent.getByRole('link').allInnerTexts()).toEqual(['3 not delivered']);
    await page.getByText('20 of 23 sent messages delivered').waitFor();
    // Of those who can get it, then of the sent messages, as in lists and on the overview; in one column.
    expect(await page.locator('.funnel-share').allInnerTexts()).toEqual([
      ...['without 1 invalid row', '85.2% of 27', '87% of sent', expect.stringMatching(/^[\d.]+% of sent$/)],
    ]);
    const figures = await page.locator('.funnel-head strong').all();
    const boxes = await Promise.all(figures.map((figure) => figure.boundingBox()));
    const ends = boxes.map((box) => Math.round(box!.x + box!.width));
    const bar = (await page.locator('.funnel-bar').first().boundingBox())!;
    expect(new Set(ends)).toEqual(new Set([Math.round(bar.x + bar.width)]));
    // The job was shorter than a minute, which is no curve.
    await page.getByText(/^Within \d+ s: Sent: .*; sender limit/).waitFor();
    expect(await page.getByText('Sender limit,').count()).toBe(0);
    // A finished job shows its result instead of a full bar.
    await page.getByRole('heading', { name: 'Result' }).waitFor();
    expect(await page.getByRole('progressbar').count()).toBe(0);
    await page.getByRole('table', { name: 'Messages per second' }).waitFor({ state: 'attached' });
    await noViolations(page);
    await screenshots(page, 'job');
    await readmeImage(page, 'console-job');

    await page.getByRole('link', { name: 'Not reached 8' }).click();
    await page.getByRole('heading', { level: 3 }).first().waitFor();
    // The same words and figures as in the result and in the list of jobs.
    expect(await page.locator('.stat').allInnerTexts()).toEqual([
      expect.stringMatching(/^Failed\s+4\s/),
      expect.stringMatching(/^Not delivered\s+3\s/),
      expect.stringMatching(/^Invalid\s+1\s/),
      expect.stringMatching(/^Can be retried\s+0 people\s+of 8 people/),
    ]);
    const counts = await page.locator('.failure-count').allInnerTexts();
    const { failed, undelivered } = (await client.get(`/bulk-jobs/${jobId}`)).body;
    expect(counts.reduce((sum, text) => sum + Number(text), 0)).toBe(failed + undelivered);
    // The same numbers would fail again.
    expect(await page.getByRole('button', { name: 'Retry these' }).count()).toBe(0);
    const file = page.getByRole('link', { name: 'Save 8 people in one file' });
    expect(await file.getAttribute('href')).toMatch(/&errorCode=\w+%2C\w+/);
    await page.getByRole('link', { name: 'Correct and send again' }).click();
    await page.getByRole('button', { name: /^Remove / }).waitFor();
    await page.goBack();
    const retry = page.getByRole('button', { name: 'Retry…' });
    expect(await retry.getAttribute('data-variant')).toBe('plain');
    await retry.click();
    await page.getByRole('button', { name: /^Retry \d messages? anyway$/ }).waitFor();
    await page.getByText('the same message to the same number will probably fail again').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    // One reason, one remedy and the people: no badge, sentence or example says the same again.
    expect(await page.locator('.failures li').last().locator('h3, p').allInnerTexts()).toEqual([
      'Phone number invalid',
      expect.stringMatching(/^How to fix it: Write the number in international format/),
      'row 29',
    ]);
    await noViolations(page);
    await screenshots(page, 'job-failures');

    await page.getByRole('link', { name: 'Show recipients' }).first().click();
    await page.getByRole('list', { name: 'Recipients' }).getByRole('listitem').nth(6).waitFor();
    // One error has one name, whether WhatsApp reported it at once or later.
    const reasons = await page.locator('.recipient-state .hint').allInnerTexts();
    expect(reasons).toEqual(Array(7).fill(expect.stringMatching(/^Recipient unreachable\b/)));
    await noViolations(page);
    await screenshots(page, 'job-recipients');
    await page.getByLabel('Phone number').fill('Mira');
    await page.getByText('Write the whole phone number').waitFor();
    await page.getByText('The phone number is not complete').waitFor();
    expect(await page.getByRole('list', { name: 'Recipients' }).count()).toBe(0);
    await page.getByLabel('Phone number').fill('0177 / 7101 0002');
    await page.getByText('Read as +49 177 71010002.').waitFor();
    await page.getByRole('list', { name: 'Recipients' }).getByText('+49 177 71010002').waitFor();
    expect(await page.getByRole('list', { name: 'Recipients' }).getByRole('listitem').count()).toBe(1);
    await page.goto(`/console/jobs/${jobId}/recipients?status=Undelivered`);
    await page.getByRole('list', { name: 'Recipients' }).getByRole('link').first().click();
    await page.getByRole('heading', { name: /^Message/ }).waitFor();
  });

  it('have room for a million recipients and for long names', async () => {
    const jobId = await sendTo(client, phones(2, 700), { hold: 'true' });
    const page = await browser.signedIn(service);
    const json = { ...(await detailOf(client, jobId)), ...A_MILLION };
    // Events would overwrite the mocked counts.
    await page.route(/\/messaging\/events\?/, (route) => route.abort());
    await page.route(`**/bulk-jobs/${jobId}`, (route) => route.fulfill({ json }));
    await page.goto(`/console/jobs/${jobId}`);
    await page.getByText('999,998 of 1,000,000 sent, 1 failed, 1 not sent yet. Ends in a few seconds.').waitFor();
    await page.getByText('1,000/s', { exact: true }).waitFor();
    const counts = page.locator('.funnel-head strong');
    expect(await counts.allInnerTexts()).toEqual(['1,000,000', '999,998', '999,000', '123,456']);
    expect(await page.locator('.funnel-losses li').allInnerTexts()).toEqual([
      '1 failed',
      '1 not sent yet',
      '1,000 not delivered',
      '875,544 not read, or without read receipts',
    ]);
    await noViolations(page);
    await screenshots(page, 'job-million');
  });

  it('count unconfirmed recipients apart from failed ones, while others are not sent yet', async () => {
    const jobId = await sendTo(client, phones(2, 750), { hold: 'true' });
    const page = await browser.signedIn(service);
    const counts = { totalRecipients: 1000, successfullySent: 500, failed: 5, unknown: 6, pending: 495 };
    const json = { ...(await detailOf(client, jobId)), ...counts };
    const items = [{ errorCode: 'outcome_unknown', platformCode: null, failed: 4, undelivered: 0 }];
    await page.route(/\/messaging\/events\?/, (route) => route.abort());
    await page.route(`**/bulk-jobs/${jobId}`, (route) => route.fulfill({ json }));
    await page.route(`**/bulk-jobs/${jobId}/failures`, (route) => route.fulfill({ json: { items } }));
    await page.goto(`/console/jobs/${jobId}`);
    await page.getByText('1 failed', { exact: true }).waitFor();
    expect(await page.locator('.funnel-losses li').allInnerTexts()).toEqual([
      '1 failed',
      '6 unconfirmed, may still arrive',
      '493 not sent yet',
      '500 not reported as delivered yet',
    ]);
  });

  it('retry exactly the shown recipients, once, even on a double click', async () => {
    const jobId = await sendTo(client, phones(7, 1500), { hold: 'true' });
    await client.post(`/bulk-jobs/${jobId}/cancel`);
    await ended(client, jobId);
    const page = await browser.signedIn(service, `/jobs/${jobId}/failures`);
    const asked = page.waitForRequest((request) => request.url().endsWith('/retry'));
    await page.getByRole('button', { name: 'Retry these' }).first().click();
    expect((await asked).postDataJSON()).toEqual({
      ...{ scope: 'all', errorCodes: ['cancelled'], skipRetried: true, dryRun: true },
    });
    const dialog = page.getByRole('dialog', { name: 'Retry these' });
    await dialog.getByRole('button', { name: 'Retry 7 messages' }).waitFor();
    await noViolations(page);
    await screenshots(page, 'job-retry');
    const before = (await client.get('/bulk-jobs')).body.totalCount as number;
    await dialog.getByRole('button', { name: 'Retry 7 messages' }).dblclick();
    await page.waitForURL((url) => !url.pathname.includes(jobId));
    await page.getByText('7 of 7 sent').first().waitFor({ timeout: 30_000 });
    const jobs = (await client.get('/bulk-jobs')).body;
    expect([jobs.totalCount, jobs.items[0].totalRecipients]).toEqual([before + 1, 7]);
  });

  it('wait on hold until they are sent', async () => {
    const jobId = await sendTo(client, phones(30, 500), { hold: 'true' });
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByText('This job is on hold').waitFor();
    await noViolations(page);
    await screenshots(page, 'job-held');
    await page.getByRole('button', { name: 'Send now…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send 30 messages?' });
    await noViolations(page);
    await screenshots(page, 'job-send-now');
    await dialog.getByRole('button', { name: 'Send 30 messages' }).dblclick();
    await page.getByText('30 of 30 sent').first().waitFor({ timeout: 30_000 });
  });

  it('can be rescheduled, and cancelled after a confirmation', async () => {
    const jobId = await sendTo(client, [...phones(5, 900), 'nobody'], { hold: 'true' });
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByText('Nothing has been sent to its 5 recipients yet.').waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Change schedule' }).click();
    const dialog = page.getByRole('dialog', { name: 'Schedule' });
    await dialog.getByRole('switch', { name: 'Limit sending hours' }).click();
    await dialog.getByRole('button', { name: 'Sun' }).click();
    await dialog.getByText('Off: it starts when you send it.').waitFor();
    await noViolations(page);
    await screenshots(page, 'job-schedule');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/09:00–20:00, Mon, Tue, Wed, Thu, Fri, Sat \(/).waitFor();
    expect(await detailOf(client, jobId)).toMatchObject({ sendWindow: { days: [1, 2, 3, 4, 5, 6] } });

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Cancel job' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
    await page.getByText('Cancelled', { exact: true }).first().waitFor();
    await page.getByText('0 of 5 sent').waitFor({ timeout: 30_000 });
    await page.locator('.job-percent', { hasText: /^0% processed$/ }).waitFor();
    expect((await detailOf(client, jobId)).failed).toBe(6);
    expect(await page.locator('.funnel-losses li').allInnerTexts()).toEqual(['5 not sent: the job was cancelled']);
    const bar = page.getByRole('progressbar');
    expect(await bar.getAttribute('aria-valuetext')).toBe('100%: 5 not sent');
    await noViolations(page);
    await screenshots(page, 'job-cancelled');
    await page.getByRole('link', { name: 'Not reached 6' }).click();
    await page.getByText('The job ended first').waitFor();
    expect(await page.locator('.stat-value').allInnerTexts()).toEqual(['0', '0', '1', '5', '5 people']);

    await page.goto('/console/jobs?status=Cancelled');
    const row = page.getByRole('row').filter({ has: page.locator(`a[href$="${jobId}"]`) });
    await row.getByText('0%', { exact: true }).waitFor();
    expect(await row.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('100%: 5 not sent');
    expect((await row.getByRole('cell').allInnerTexts()).slice(2, 7)).toEqual([
      expect.stringMatching(/^5\s+plus 1 invalid$/),
      ...['0', '–', '–', '0'],
    ]);
    await noViolations(page);
    await screenshots(page, 'jobs-cancelled');
  });

  it('have nothing red before they begin, and tell an empty number from an erased one', async () => {
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const file = new File([`phone,name,parcel\n${phones(1, 1600)[0]},Mira,A-1\n,Ben,A-2\n`], 'parcels.csv');
    const { jobId } = await client.messaging().importFile({ file, templateName: 'order_update', scheduledAt });
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.locator('.job-percent', { hasText: /^0% processed$/ }).waitFor();
    await page.getByText(/^0 of 1 sent/).waitFor();
    await page.getByRole('link', { name: '1 invalid' }).waitFor();
    expect(await page.locator('main [data-tone="danger"]').count()).toBe(0);
    await page.goto(`/console/jobs/${jobId}/recipients`);
    const rows = page.getByRole('list', { name: 'Recipients' }).getByRole('listitem');
    await rows.filter({ hasText: 'Ben' }).getByText('empty', { exact: true }).waitFor();
    await page.goto('/console/jobs?status=Scheduled');
    const row = page.getByRole('row').filter({ has: page.locator(`a[href$="${jobId}"]`) });
    await row.getByText('0%', { exact: true }).waitFor();
    expect(await row.locator('.jobs-failed, [data-tone="danger"]').count()).toBe(0);
  });

  it('have a downloadable report', async () => {
    const jobId = await sendTo(client, phones(3, 1200), { name: 'Köln/Bonn' });
    await ended(client, jobId);
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByRole('button', { name: 'Report' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Köln-Bonn report.csv');
    const rows: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) rows.push(chunk as Buffer);
    const [header, ...others] = Buffer.concat(rows).toString().trim().split('\r\n');
    expect(header).toMatch(/^.?"Row",.*"Sent \(Europe\/Berlin\)"/);
    expect(others).toHaveLength(3);
    expect(others[0]).toMatch(/"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"/);
  });

  it('keep the focused and the last row clear of the bar of a narrow screen', async () => {
    const jobId = await sendTo(client, ['nobody', ...phones(39, 1400)], { hold: 'true' });
    for (let n = 0; n < 9; n++) await sendTo(client, phones(1, 1400 + n), { hold: 'true' });
    const page = await browser.signedIn(service, '/jobs', { width: 400 });
    await page.locator('.row-link').first().waitFor();
    const rows = await page.locator('.row-link').count();
    expect(rows).toBeGreaterThan(8);
    await page.locator('.row-link').last().focus();
    for (let row = rows; row > 0; row--) {
      expect(await page.evaluate<boolean>(clearOfBar('document.activeElement.closest("tr")'))).toBe(true);
      await page.keyboard.press('ArrowUp');
    }
    await page.goto(`/console/jobs/${jobId}/recipients`);
    const list = page.getByRole('list', { name: 'Recipients' });
    await list.getByRole('listitem').first().waitFor();
    // The reason of a failure is not taller than its row.
    const taller = `[...document.querySelectorAll('.recipient')].filter((one) => one.scrollHeight > one.clientHeight)`;
    expect(await page.evaluate<number>(`${taller}.length`)).toBe(0);
    await list.focus();
    await page.keyboard.press('End');
    await page.locator('[aria-posinset="40"]').waitFor();
    const isLastClear = () => page.evaluate<boolean>(clearOfBar(`document.querySelector('[aria-posinset="40"]')`));
    await until(isLastClear, 10_000, 'the last row is clear of the bar');
  });

  it('hide actions that the scopes do not allow, and name the missing scope', async () => {
    const jobId = await sendTo(client, phones(3, 1300), { hold: 'true' });
    const reader = await browser.signedIn(service, `/jobs/${jobId}`, { key: await keyOf('jobs:read') });
    await reader.getByText('This job is on hold').waitFor();
    expect(await reader.getByRole('button', { name: /Send|Resume|Pause|Retry/ }).count()).toBe(0);
    await reader.getByRole('button', { name: 'Report' }).click();
    expect(await reader.getByRole('menuitem').allInnerTexts()).toEqual(['CSV', 'Excel']);

    const other = await browser.signedIn(service, '/jobs', { key: await keyOf('groups:read') });
    await other.getByText('Your key has no access').waitFor();
    await other.getByText('jobs:read').waitFor();
    await noViolations(other);
    await screenshots(other, 'no-scope');
  });

  it('show an error for an unknown id', async () => {
    const page = await browser.signedIn(service, '/jobs/0199d1b5-0000-7000-8000-000000000000');
    await heading(page, 'Job not found');
    await noViolations(page);
  });
});

const A_MILLION = {
  templateName: 'donaudampfschifffahrtsgesellschaftskapitaenspatente_verlaengerungserinnerung_2026',
  reference: 'Weihnachtsgrußkartenversandaktion 🎄 حملة',
  ...{ totalRecipients: 1_000_000, successfullySent: 999_998, failed: 1, pending: 1, progressPercentage: 99 },
  ...{ delivered: 999_000, read: 123_456, undelivered: 1_000, ratePerSecond: 1_000 },
  estimatedCompletionAt: '2026-01-15T09:00:00.000Z',
};

/** Whether the whole element is on the screen, below the sticky bar. */
const clearOfBar = (element: string): string => `(() => {
  const { top, bottom } = ${element}.getBoundingClientRect();
  return top >= document.querySelector('.topbar').getBoundingClientRect().bottom && bottom <= innerHeight;
})()`;

/** Phone numbers with an ending that has a special meaning in the sandbox. */
function endings(ending: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `491777${100 + index}${ending}`);
}
