import type { Page } from 'playwright-core';
import type { ConsoleBrowser } from '../support/console/browser';
import { dropSpreadsheet } from '../support/console/files';
import { newPhone, writes } from '../support/console/people';
import { startConsole, stopConsole } from '../support/console/set-up';
import { ended, phones, sendTo } from '../support/process/bulk';
import { Client } from '../support/process/client';
import { type Service, startService } from '../support/process/service';

/** Screens in the navigation, and the scopes that open them without an event stream. */
const SCREENS = [
  'Overview',
  'One message',
  'Conversations',
  'Message search',
  'Templates',
  'Contacts',
  'Groups',
  'Opt-outs',
  'Senders',
  'Webhooks',
];
const SCOPES = ['messaging:send', 'messaging:manage', 'templates:manage', 'groups:manage', 'webhooks:manage'];

describe('The console', () => {
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(async () => {
    // The restarted service, not the one that startConsole started.
    await service.stop();
    await stopConsole();
  });

  it('sends no requests while hidden, and refreshes when it becomes visible', async () => {
    const page = await browser.signedIn(service, '/jobs');
    await page.getByText('Live, updated').waitFor();
    const show = (state: string) =>
      page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' }); document.dispatchEvent(new Event('visibilitychange'))`,
      );
    const [closed] = await Promise.all([
      page.waitForEvent('requestfailed', (request) => new URL(request.url()).pathname.endsWith('/events')),
      show('hidden'),
    ]);
    expect(closed.failure()?.errorText).toContain('ABORTED');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await ended(client, await sendTo(client, phones(5), { reference: 'While hidden' }));
    expect(asked).toEqual([]);
    await show('visible');
    await page
      .getByRole('row', { name: /While hidden/ })
      .getByText('Completed')
      .waitFor();
  });

  it('retries a send without a response with the same idempotency key', async () => {
    const jobId = await sendTo(client, phones(1, 300), { hold: 'true' });
    await client.post(`/bulk-jobs/${jobId}/cancel`);
    await ended(client, jobId);
    const page = await browser.signedIn(service, `/jobs/${jobId}/failures`);
    await page.getByRole('button', { name: 'Retry these' }).click();
    const retry = page.getByRole('dialog').getByRole('button', { name: 'Retry 1 message' });
    await retry.waitFor();
    const keys: (string | undefined)[] = [];
    await page.route('**/retry', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      // The first request reaches the service, but its response is lost.
      if (keys.length === 1) {
        await route.fetch();
        return route.abort();
      }
      return route.continue();
    });
    const before = (await client.get('/bulk-jobs')).body.totalCount as number;
    await retry.click();
    await page.getByText('The service is not responding. Try again in a moment.').waitFor();
    await retry.click();
    await page.waitForURL((url) => !url.pathname.includes(jobId));
    expect(keys).toEqual([expect.stringMatching(/.{20,}/), keys[0]]);
    expect((await client.get('/bulk-jobs')).body.totalCount).toBe(before + 1);
  });

  /** Stops the service while `away` runs, and starts it on the same port. */
  async function outage(away: () => Promise<void>): Promise<void> {
    await service.stop();
    await away();
    service = await startService({ store: service.store, env: { PORT: new URL(service.url).port } });
    client = new Client(service);
  }

  it.each([
    [
      'with an event stream and code to load',
      '.skeleton',
      [...SCREENS, 'Jobs', 'API keys', 'Audit log'],
      [...SCOPES, 'jobs:manage', 'keys:manage'],
    ],
    ['without them', '[role=alert]', ['Conversations', 'Contacts', 'Templates', 'Senders'], SCOPES],
  ])(
    'shows every screen after an outage without a click, %s',
    async (_what, state, screens, scopes) => {
      const { body } = await client.post('/api-keys', { name: 'Outage', scopes });
      const open = async (name: string) => ({
        name,
        page: await browser.signedIn(service, '/components', { key: body.key as string }),
      });
      const pages: { name: string; page: Page }[] = await Promise.all(screens.map(open));
      const link = ({ name, page }: (typeof pages)[number]) =>
        page.getByRole('navigation').getByRole('link', { name, exact: true });
      if (state === '[role=alert]') {
        // With the code of a screen, but without its data, its queries fail.
        for (const one of pages) {
          await one.page.route('**/api/v1/**', (route) => route.abort());
          await link(one).click();
          await one.page.locator('.content h1').getByText(one.name).waitFor();
          await one.page.goBack();
          await one.page.unroute('**/api/v1/**');
        }
      }
      await outage(async () => {
        for (const one of pages) await link(one).click();
        await Promise.all(pages.map(({ page }) => page.locator(`.content ${state}`).first().waitFor()));
      });
      for (const { name, page } of pages) {
        await page.locator('.content h1').getByText(name).waitFor({ timeout: 40_000 });
        for (const gone of ['.skeleton', '[role=alert]', '.unavailable']) {
          await page.locator(`.content ${gone}`).first().waitFor({ state: 'detached', timeout: 40_000 });
        }
      }
    },
    180_000,
  );

  it('keeps the error and the focus while it loads a list again, and uploads nothing again', async () => {
    const page = await browser.signedIn(service, '/groups');
    const campaign = await page.context().newPage();
    await campaign.goto('/console/send/campaign');
    const asked: string[] = [];
    await page.context().route('**/api/v1/messaging/{groups,bulk}*', (route) => {
      asked.push(route.request().method());
      return route.fulfill({ status: 500, json: { code: 'internal_error', message: 'Broken.', requestId: 'r' } });
    });
    await campaign.getByRole('button', { name: /^hello_world / }).click();
    await dropSpreadsheet(campaign, ['Phone', '4917771000003']);
    await campaign.getByText('The service failed unexpectedly.').waitFor();
    await page.goto('/console/groups');
    const again = page.getByRole('button', { name: 'Try again' });
    await again.focus();
    await page.waitForRequest('**/groups*');
    await page.waitForResponse('**/groups*');
    expect(await again.and(page.locator(':focus')).count()).toBe(1);
    expect(asked.filter((method) => method === 'POST')).toHaveLength(1);
    await page.context().unroute('**/api/v1/messaging/{groups,bulk}*');
    await again.waitFor({ state: 'detached' });
  });

  it('opens after an outage that began before the session was read', async () => {
    const page = await browser.signedIn(service, '/contacts');
    await page.route('**/console/session', (route) => route.abort());
    await page.reload();
    await page.getByText('The service is not responding').waitFor();
    await page.unroute('**/console/session');
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
  });

  it('waits as long as a rate limit requires, and then continues, in lists and in changes', async () => {
    const page = await browser.signedIn(service, '/templates');
    await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor();
    const waits = new Map<string, number[]>();
    await page.route('**/api/v1/messaging/groups*', async (route) => {
      const times = waits.get(route.request().method()) ?? [];
      waits.set(route.request().method(), [...times, Date.now()]);
      if (times.length > 0) return route.continue();
      const body = { code: 'rate_limited', message: 'Too many requests.', requestId: 'r' };
      return route.fulfill({ status: 429, headers: { 'Retry-After': '2' }, json: body });
    });
    await page.getByRole('navigation').getByRole('link', { name: 'Groups' }).click();
    await page.getByText('No groups yet').waitFor();
    await page.getByRole('button', { name: 'New group' }).first().click();
    await page.getByLabel('Name').fill('Patient');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Create/ })
      .click();
    await page
      .getByRole('heading', { name: 'Patient' })
      .or(page.getByRole('link', { name: 'Patient' }))
      .first()
      .waitFor();
    for (const method of ['GET', 'POST']) {
      const [first, second] = waits.get(method)!;
      expect(second! - first!).toBeGreaterThanOrEqual(2000);
    }
    expect((await client.get('/groups')).body.totalCount).toBe(1);
  });

  it('takes back that a reply could not be sent once the service responds again', async () => {
    const phone = newPhone();
    await writes(service, phone, 'Is it there?');
    const page = await browser.signedIn(service, `/conversations?search=${phone}`);
    await page.getByRole('list', { name: 'Conversations' }).getByRole('link').click();
    await page.getByLabel('Your reply').fill('It is');
    const failed = page.getByRole('form', { name: 'Reply' }).getByRole('alert');
    await outage(async () => {
      await page.getByRole('button', { name: 'Send' }).click();
      await failed.getByText('The service is not responding.').waitFor();
      await page.getByText('Typed text is kept; this page reconnects automatically.').waitFor();
    });
    await failed.waitFor({ state: 'detached', timeout: 40_000 });
    expect(await page.getByLabel('Your reply').inputValue()).toBe('It is');
  });

  it('reconnects automatically after a restart of the service, still signed in', async () => {
    const jobId = await sendTo(client, phones(4, 300), { hold: 'true' });
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByText('This job is on hold').waitFor();
    await outage(() => page.getByText('The service is not responding.', { exact: false }).first().waitFor());
    await client.post(`/bulk-jobs/${jobId}/resume`);
    await page.getByText('4 of 4 sent').first().waitFor({ timeout: 40_000 });
    expect((await ended(client, jobId)).status).toBe('Completed');
  });
});
