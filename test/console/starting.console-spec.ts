import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, signIn } from '../support/console/browser';
import { startConsole, stopConsole } from '../support/console/set-up';
import { detailOf, ended, phones, sendTo } from '../support/process/bulk';
import type { Client } from '../support/process/client';
import { type Service, until } from '../support/process/service';

const SCRIPTS = '**/console/assets/*.js';
const OBSERVED_MS = 3000;

describe('The console while it starts', () => {
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;
  let jobId: string;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
    jobId = await sendTo(client, phones(3));
    await ended(client, jobId);
    // Until then, the screen of the job polls for deliveries.
    await until(async () => (await detailOf(client, jobId)).delivered === 3, 30_000, 'all messages are delivered');
  });

  afterAll(stopConsole);

  it.each([
    [1280, '.sidebar'],
    [400, '.topbar'],
  ])('shows its frame before its scripts have run, where it stays, at a width of %d pixels', async (width, frame) => {
    const page = await browser.signedIn(service, '/jobs', { width });
    const boxes = () =>
      Promise.all([frame, `${frame} .brand`, '.content'].map((part) => page.locator(part).boundingBox()));
    const running = await boxes();
    await page.route(SCRIPTS, (route) => route.abort());
    await page.reload();
    await page.locator(`${frame} .brand`).getByText('Messaging').waitFor();
    expect(await boxes()).toEqual(running.map((box) => ({ ...box, height: expect.any(Number) as number })));
    await page.unroute(SCRIPTS);
    await page.reload();
    await page.locator('h1').waitFor();
    expect(await page.locator('#start').count()).toBe(0);
    await noViolations(page);
  });

  it('shows no frame to a browser that is signed out', async () => {
    const page = await browser.open(service);
    await page.route('**/console/session', () => undefined);
    await page.reload();
    await page.getByRole('status').getByText('Opening the console').waitFor();
    expect(await page.locator('#start').isVisible()).toBe(false);
  });

  it('says so when it cannot be loaded', async () => {
    const page = await browser.open(service);
    await page.route('**/console/assets/start-*.js', (route) => route.abort());
    await page.reload();
    await page.getByText('The console could not be loaded. Reload this page.').waitFor();
  });

  it('says so when something takes five seconds to load', async () => {
    const page = await browser.signedIn(service, '/jobs');
    await page.route(/messaging\/bulk\b/, () => undefined);
    await page.reload();
    const skeleton = page.getByRole('main').getByRole('status');
    await skeleton.waitFor();
    expect(await skeleton.innerText()).toBe('');
    await skeleton.getByText('Still loading…').waitFor();
    await noViolations(page);
    await page.route('**/console/session', () => undefined);
    await page.reload();
    await page.getByRole('status').getByText('Still loading…').waitFor();
  });

  it('requests the session and all scripts of the overview before any of its modules has arrived', async () => {
    const page = await browser.signedIn(service);
    await page.getByRole('table', { name: 'Recent jobs' }).waitFor();
    let release = () => undefined as void;
    const released = new Promise<void>((done) => (release = done));
    await page.route(SCRIPTS, async (route) => {
      if (!route.request().url().includes('/theme-')) await released;
      await route.continue();
    });
    const requests = requestsOf(page);
    await page.reload({ waitUntil: 'commit' });
    const wanted = [/\/console\/session$/, /\/overview-screen-/, /\/lists-/];
    const isAllRequested = () => wanted.every((one) => requests().some((url) => one.test(url)));
    await until(() => Promise.resolve(isAllRequested()), 10_000, 'all is requested');
    release();
    await page.getByRole('table', { name: 'Recent jobs' }).waitFor();
    const urls = requests();
    expect(urls.filter((url, index) => urls.indexOf(url) !== index)).toEqual([]);
  });

  it('requests the overview once, though the stream starts with conversations right after the answer', async () => {
    const page = await browser.signedIn(service);
    const conversation = { conversationId: 'c1', unreadCount: 0, lastMessageAt: '2026-01-01T00:00:00.000Z' };
    let streams = 0;
    await page.route(/\/messaging\/events\?/, async (route) => {
      // Only the first stream answers: after its end another would refresh all.
      if (streams++ > 0) return;
      await new Promise((done) => setTimeout(done, 1000));
      const body = `event: conversation\ndata: ${JSON.stringify(conversation)}\n\n`;
      await route.fulfill({ contentType: 'text/event-stream', body });
    });
    const requests = requestsOf(page);
    await page.reload();
    await page.getByRole('table', { name: 'Recent jobs' }).waitFor();
    await page.waitForTimeout(OBSERVED_MS);
    expect(streams).toBeGreaterThan(0);
    expect(requests().filter((url) => url.includes('/overview?'))).toHaveLength(1);
    expect(requests().filter((url) => url.includes('/bulk-jobs?'))).toHaveLength(1);
  });

  it('requests the senders once for a new campaign', async () => {
    const page = await browser.signedIn(service, '/templates');
    const requests = requestsOf(page);
    await page.goto('/console/send/campaign');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForTimeout(OBSERVED_MS);
    expect(requests().filter((url) => url.includes('/messaging/senders'))).toHaveLength(1);
  });

  it.each([1280, 400])('moves nothing on the overview while it loads, at a width of %d pixels', async (width) => {
    await sendTo(client, phones(3, 40), { hold: 'true' });
    const page = await browser.signedIn(service, '/', { width });
    await page.route(/\/messaging\/bulk/, async (route) => {
      await new Promise((done) => setTimeout(done, 400));
      await route.continue();
    });
    await page.addInitScript(`
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });`);
    await page.reload();
    await page.getByRole('table', { name: 'Recent jobs' }).waitFor();
    await page.getByRole('region', { name: 'Needs your attention' }).waitFor();
    await page.waitForTimeout(OBSERVED_MS);
    expect(await page.evaluate<number>('window.shift')).toBeLessThan(0.1);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('names a screen whose code cannot be loaded without a network, and opens it with one', async () => {
    const page = await browser.signedIn(service);
    await page.context().setOffline(true);
    await page.getByText('Offline. Typed text is kept').waitFor();
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('table', { name: 'Jobs' }).waitFor();
  });

  it.each([
    ['the overview', () => '/'],
    ['the jobs', () => '/jobs'],
    ['a job', (id: string) => `/jobs/${id}`],
  ])('requests nothing twice for %s, after the sign-in and after a reload', async (_, path) => {
    const page = await browser.open(service, path(jobId));
    await page.getByLabel('API key').waitFor();
    const twice = async (load: () => Promise<unknown>) => {
      const requests = requestsOf(page);
      await load();
      await page.locator('h1').waitFor();
      // Only time shows that nothing else is requested.
      await page.waitForTimeout(OBSERVED_MS);
      const urls = requests();
      expect(urls.length).toBeGreaterThan(2);
      return urls.filter((url, index) => urls.indexOf(url) !== index);
    };
    expect(await twice(() => signIn(page))).toEqual([]);
    expect(await twice(() => page.reload())).toEqual([]);
  });

  it.each([
    ['the jobs', () => '/jobs'],
    ['a job', (id: string) => `/jobs/${id}`],
  ])('requests nothing twice for %s that just ended, with a stream faster than the list', async (_, path) => {
    const recent = await sendTo(client, phones(3));
    await ended(client, recent);
    await until(async () => (await detailOf(client, recent)).delivered === 3, 30_000, 'all messages are delivered');
    const page = await browser.signedIn(service, path(recent));
    const requests = requestsOf(page);
    await page.route(/\/bulk(-jobs)?[/?]/, async (route) => {
      // Longer than the stream needs for its first events.
      await new Promise((done) => setTimeout(done, 900));
      await route.continue();
    });
    await page.reload();
    await page
      .locator('h1')
      .getByText(/Jobs|hello_world/)
      .waitFor();
    await page.waitForTimeout(OBSERVED_MS);
    const urls = requests();
    expect(urls.filter((url, index) => urls.indexOf(url) !== index)).toEqual([]);
    await page.unrouteAll({ behavior: 'wait' });
  });
});

/** Records what the page gets from now on. */
function requestsOf(page: Page): () => string[] {
  const urls: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET') urls.push(request.url());
  });
  return () => urls;
}
