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
