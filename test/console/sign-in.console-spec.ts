import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, screenshots, signIn } from '../support/console/browser';
import { startConsole, stopConsole } from '../support/console/set-up';
import { Client } from '../support/process/client';
import { KEY, type Service } from '../support/process/service';

describe('Signing in to the console', () => {
  let service: Service;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, browser } = await startConsole());
  });

  afterAll(stopConsole);

  /** The page's requests whose URL contains `text`, in milliseconds since its start. */
  const loads = (page: Page, text: string): Promise<{ begin: number; end: number }[]> =>
    page.evaluate(`performance.getEntriesByType('resource').filter(({ name }) => name.includes('${text}'))
      .map(({ startTime, responseEnd }) => ({ begin: startTime, end: responseEnd }))`);
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  it('rejects a wrong key with a reason, and accepts the right one', async () => {
    const page = await browser.open(service);
    const refused: string[] = [];
    page.on('response', (response) => void (response.status() < 400 || refused.push(response.url())));
    await page.reload();
    await heading(page, 'Messaging console').waitFor();
    expect(refused).toEqual([]);
    await noViolations(page);
    await screenshots(page, 'sign-in');
    await page.getByLabel('API key').fill('not-an-existing-key-0123456789');
    await page.keyboard.press('Enter');
    await page.getByText('This key is not valid.').waitFor();
    await noViolations(page);
    await screenshots(page, 'sign-in-refused');
    await signIn(page);
    await heading(page, 'Overview').waitFor();
    await noViolations(page);
  });

  it('ends on sign-out and when the key is revoked, and keeps the URL', async () => {
    const client = new Client(service);
    const { body } = await client.post('/api-keys', { name: 'For a while', scopes: ['jobs:read', 'messaging:read'] });
    const page = await browser.signedIn(service, '/?from=here', { key: body.key as string });
    await heading(page, 'Overview').waitFor();
    await client.call('DELETE', `/api-keys/${body.id}`);
    await page.reload();
    await heading(page, 'Messaging console').waitFor();
    await signIn(page);
    await heading(page, 'Overview').waitFor();
    expect(new URL(page.url()).search).toBe('?from=here');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Messaging console').waitFor();
    await page.reload();
    await heading(page, 'Messaging console').waitFor();
  });

  it('loads the code of a screen only when signed in, and then together with the session', async () => {
    const page = await browser.open(service);
    await heading(page, 'Messaging console').waitFor();
    expect(await loads(page, '/session')).toHaveLength(1);
    expect(await loads(page, '/overview-screen-')).toEqual([]);
    await signIn(page);
    expect(await loads(page, '/overview-screen-')).toHaveLength(1);

    await page.reload();
    await heading(page, 'Overview').waitFor();
    const [screen, session] = [await loads(page, '/overview-screen-'), await loads(page, '/session')];
    expect(screen[0]!.begin).toBeLessThan(session[0]!.end);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Messaging console').waitFor();
    await page.reload();
    await heading(page, 'Messaging console').waitFor();
    expect(await loads(page, '/overview-screen-')).toEqual([]);
  });

  it('follows another tab to another account, and leaves the forms of the first behind', async () => {
    const client = new Client(service);
    const { body: account } = await client.post('/accounts', { name: 'Second', plan: 'Growth' });
    const scopes = ['messaging:send', 'templates:read', 'jobs:read'];
    const { body: second } = await client.post(`/accounts/${account.id}/api-keys`, { name: 'Second', scopes });
    const page = await browser.signedIn(service, '/send/campaign');
    const campaign = page.getByLabel('Campaign name');
    const first = await page.locator('.account-name').innerText();
    await campaign.fill('Of the first account');
    const tab = await page.context().newPage();
    await tab.goto('/console/jobs');
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.getByRole('button', { name: 'Delete and sign out' }).click();
    await heading(page, 'Messaging console').waitFor();
    await signIn(tab, second.key as string);
    await page.locator('.account-name').getByText('Second').waitFor();
    expect(await campaign.inputValue()).toBe('');

    // A tab that missed it follows when it is looked at.
    await campaign.fill('Of the second account');
    await tab.evaluate(`fetch('/console/session', {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"apiKey":"${KEY}"}'
    })`);
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
    await page.locator('.account-name').getByText(first).waitFor();
    expect(await campaign.inputValue()).toBe('');
  });

  it('hides the key and the session from scripts', async () => {
    const page = await browser.signedIn(service);
    const readable = await page.evaluate(
      `JSON.stringify([document.cookie, Object.entries(localStorage), Object.entries(sessionStorage), location.href])`,
    );
    expect(readable).toBe(JSON.stringify(['', [['console.signedIn', 'true']], [], `${service.url}/console/`]));
  });
});
