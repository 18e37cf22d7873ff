import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { newPhone, writesOn } from '../support/console/people';
import { startConsoleOnPlatform, stopConsole } from '../support/console/set-up';
import { ended, sendTo } from '../support/process/bulk';
import type { Client } from '../support/process/client';
import type { Platform } from '../support/process/platform';
import { type Service, until } from '../support/process/service';

describe('The search of the console', () => {
  const phone = newPhone();
  let platform: Platform;
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;
  let jobId: string;
  let messageId: string;

  beforeAll(async () => {
    ({ service, client, browser, platform } = await startConsoleOnPlatform());
    await client.post('/contacts', { phone, name: 'Mira Searched' });
    await client.post('/groups', { name: 'Our regulars' });
    await writesOn(platform, phone, 'Where is my order?');
    await until(
      async () => (await client.get(`/conversations?search=${phone}`)).body.items.length === 1,
      10_000,
      'the message has arrived',
    );
    jobId = await sendTo(client, [newPhone()], { name: 'Autumn campaign' });
    await ended(client, jobId);
    messageId = (await client.get(`/messages?jobId=${jobId}`)).body.items[0].id as string;
  });

  afterAll(stopConsole);

  const field = (page: Page) => page.getByRole('combobox', { name: 'Search' });
  const results = (page: Page, kind: string) =>
    page.getByRole('dialog').getByRole('group', { name: kind }).getByRole('option');
  /** Opens the search by keyboard and types. */
  async function search(page: Page, text: string): Promise<void> {
    await page.keyboard.press('Control+k');
    await field(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.type(text);
  }

  it.each([
    [
      'a number as it is dialled',
      `00${phone.slice(0, 2)} (${phone.slice(2, 5)}) ${phone.slice(5)}`,
      'People',
      'Mira Searched',
    ],
    ['a number without country code', `0${phone.slice(2)}`, 'People', 'Mira Searched'],
    ['the conversation of such a number', `0${phone.slice(2)}`, 'Conversations', 'Mira Searched'],
    ['a part of a name', 'searched', 'Conversations', 'Mira Searched'],
    ['a part of the name of a campaign', 'autumn', 'Jobs and campaigns', 'Autumn campaign'],
    ['a template', 'order_up', 'Templates', 'order_update'],
    ['a group of contacts', 'regular', 'Groups', 'Our regulars'],
    ['a page', 'audit', 'Pages', 'Audit log'],
    ['a page by its German name', 'vorlag', 'Pages', 'Templates'],
  ])('finds %s', async (_what, text, kind, label) => {
    const page = await browser.signedIn(service, '/jobs');
    await search(page, text);
    await results(page, kind).filter({ hasText: label }).waitFor();
    await noViolations(page);
  });

  it('finds a message and a job by id, and opens them with the keyboard alone', async () => {
    const page = await browser.signedIn(service, '/templates');
    await search(page, messageId);
    await results(page, 'Messages').and(page.locator('[data-highlighted]')).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/console/messages/${messageId}`);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await search(page, jobId);
    await results(page, 'Jobs and campaigns').and(page.locator('[data-highlighted]')).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/console/jobs/${jobId}`);
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('finds the jobs by what they send, too, in both languages', async () => {
    const page = await browser.signedIn(service, '/templates');
    for (const text of ['campaigns', 'Kampagnen']) {
      await search(page, text);
      await results(page, 'Pages').getByText('Jobs').waitFor();
      await page.keyboard.press('Escape');
    }
  });

  it('names the status of jobs as their list does', async () => {
    await ended(client, await sendTo(client, ['4915112340002'], { name: 'Without success' }));
    const page = await browser.signedIn(service, '/jobs');
    await page.getByRole('row').filter({ hasText: 'Without success' }).getByText('None reached').waitFor();
    await search(page, 'without success');
    await results(page, 'Jobs and campaigns').getByText('None reached').waitFor();
  });

  it('lists what it found at once, so that the keyboard opens what is highlighted', async () => {
    const page = await browser.signedIn(service, '/jobs');
    await page.route('**/messaging/contacts?*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await route.continue();
    });
    await search(page, 'sear');
    await page.getByText('Searching…').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Searching…').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/console/jobs');
    const labels = await page.getByRole('dialog').getByRole('option').allTextContents();
    expect(labels.map((label) => label.slice(0, 13))).toEqual(['Mira Searched', 'Mira Searched', 'Message searc']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const highlighted = results(page, 'Pages').and(page.locator('[data-highlighted]'));
    await highlighted.waitFor();
    expect(await highlighted.getAttribute('id')).toBe(await field(page).getAttribute('aria-activedescendant'));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/messages');
  });

  it('offers the messages to a number without country code only if it knows the whole number', async () => {
    await ended(client, await sendTo(client, [phone]));
    const page = await browser.signedIn(service, '/jobs');
    await search(page, `0${phone.slice(2)}`);
    await results(page, 'Messages')
      .filter({ hasText: /^Messages to \+49 \d+ \d+/ })
      .click();
    await page.waitForURL((url) => url.searchParams.get('to') === `+${phone}`);
    await page.getByRole('list', { name: 'Messages' }).getByRole('listitem').first().waitFor();
    await search(page, '0151 00000001');
    await page.getByText('No matches. Numbers are found by their first digits').waitFor();
    expect(await results(page, 'Messages').count()).toBe(0);
  });

  it('does not open over another dialog', async () => {
    const page = await browser.signedIn(service, '/groups');
    await page.getByRole('button', { name: 'New group' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await field(page).count()).toBe(0);
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
  });

  it('asks once for what was typed, and only what the key may read', async () => {
    const { body } = await client.post('/api-keys', { name: 'Reader', scopes: ['groups:read'] });
    const page = await browser.signedIn(service, '/contacts', { key: body.key as string });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1)!));
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await field(page).and(page.locator(':focus')).waitFor();
    await field(page).fill('searched');
    await results(page, 'People').waitFor();
    expect(asked.filter((path) => !path.endsWith('.js'))).toEqual(['contacts', 'groups']);
    await field(page).fill('keys');
    await page.getByText('No matches').waitFor();
  });

  it('shows its results by kind', async () => {
    const page = await browser.signedIn(service, '/');
    await search(page, 'a');
    await results(page, 'Pages').first().waitFor();
    await field(page).fill('mira');
    await results(page, 'Conversations').waitFor();
    await screenshots(page, 'search');
  });
});
