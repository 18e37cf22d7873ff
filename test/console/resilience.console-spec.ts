import type { ConsoleBrowser } from '../support/console/browser';
import { startConsole, stopConsole } from '../support/console/set-up';
import { detailOf, ended, phones, sendTo } from '../support/process/bulk';
import { Client } from '../support/process/client';
import { type Service, startService } from '../support/process/service';

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
    await page.getByText('live, as of').waitFor();
    const show = (state: string) =>
      page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' }); document.dispatchEvent(new Event('visibilitychange'))`,
      );
    const [closed] = await Promise.all([
      page.waitForEvent('requestfailed', (request) => request.url().endsWith('/events')),
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
    const jobId = await sendTo(client, ['4917771000002']);
    await ended(client, jobId);
    const page = await browser.signedIn(service, `/jobs/${jobId}/failures`);
    await page.getByRole('button', { name: 'Retry these' }).click();
    const retry = page.getByRole('dialog').getByRole('button', { name: 'Retry 1' });
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

  it('reconnects automatically after a restart of the service, still signed in', async () => {
    const jobId = await sendTo(client, phones(4, 300), { hold: 'true' });
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await page.getByText('This job is on hold').waitFor();
    await service.stop();
    await page.getByText('The service is not responding.', { exact: false }).first().waitFor();
    service = await startService({ store: service.store, env: { PORT: new URL(service.url).port } });
    client = new Client(service);
    await client.post(`/bulk-jobs/${jobId}/resume`);
    await page.getByText('4 of 4 processed').waitFor({ timeout: 40_000 });
    expect((await detailOf(client, jobId)).status).toBe('Completed');
  });
});
