import type { Locator, Page } from 'playwright-core';
import { type ConsoleBrowser, problemsOf } from '../support/console/browser';
import { contactWrites } from '../support/console/people';
import { startConsoleOnPlatform, stopConsole } from '../support/console/set-up';
import type { Client } from '../support/process/client';
import type { Platform } from '../support/process/platform';
import type { Service } from '../support/process/service';

describe('The focus in the inbox', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, client, browser, platform } = await startConsoleOnPlatform());
  });

  afterAll(stopConsole);

  const list = (page: Page) => page.getByRole('list', { name: 'Conversations' });
  const row = (page: Page, name: string) => list(page).getByRole('listitem').filter({ hasText: name });
  const focused = (page: Page, what: Locator) => what.and(page.locator(':focus'));
  const write = async (...names: string[]) => {
    for (const name of names) await contactWrites({ client, platform }, name, `A question of ${name}`);
  };

  it('moves to the first value of a chosen template or to its send button, and back to the search', async () => {
    await write('Mia Template');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Mia Template').getByRole('link').click();
    await page.getByRole('button', { name: 'Template', exact: true }).click();
    await page.getByRole('button', { name: /^order_update / }).click();
    await focused(page, page.getByLabel('{{1}}')).waitFor();
    await page.keyboard.type('Peter');
    expect(await page.getByLabel('{{1}}').inputValue()).toBe('Peter');
    await page.getByRole('button', { name: 'Choose another' }).click();
    await focused(page, page.getByLabel('Search templates')).waitFor();
    await page.getByRole('button', { name: /^hello_world / }).click();
    await focused(page, page.getByRole('button', { name: 'Send template' })).waitFor();
    // A restored template does not take the focus.
    await page.reload();
    await page.getByRole('button', { name: 'Send template' }).waitFor();
    expect(await page.getByRole('group', { name: 'Send a template' }).locator(':focus').count()).toBe(0);
    expect(problemsOf(page)).toEqual([]);
  });
});
