import type { Locator, Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, problemsOf } from '../support/console/browser';
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

  it('moves to the list after the choice of what it shows', async () => {
    await write('Nea List', 'Oda Top');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Oda Top').waitFor();
    const show = page.getByRole('combobox', { name: 'Show' });
    await show.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'Everyone, with campaigns' }).waitFor();
    await page.keyboard.press('Escape');
    await focused(page, show).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'Everyone, with campaigns' }).click();
    await focused(page, row(page, 'Oda Top').getByRole('link')).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { level: 2, name: 'Oda Top' }).waitFor();
    expect(await show.textContent()).toBe('Everyone, with campaigns');
    await show.click();
    await page.getByRole('option', { name: 'STOP, START and the like' }).click();
    await page.getByText('No opt-outs by message').waitFor();
    await focused(page, page.getByRole('region', { name: 'All conversations' })).waitFor();
    await noViolations(page);
  });

  it('moves to its row in the list when a conversation is marked as unread', async () => {
    await write('Pam Above', 'Rob Unread');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Pam Above').getByRole('link').click();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Mark as unread' }).click();
    await focused(page, row(page, 'Pam Above').getByRole('link')).waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Mark as unread' }).click();
    await focused(page, row(page, 'Pam Above').getByRole('link')).waitFor();
  });
});
