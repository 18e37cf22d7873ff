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

  it('stays on what the list shows, and on its order, after a choice', async () => {
    await write('Nea List', 'Oda Top');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Oda Top').waitFor();
    const show = page.getByRole('combobox', { name: 'Show' });
    const order = page.getByRole('combobox', { name: 'Order' });
    await show.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'Waiting for a reply' }).click();
    await row(page, 'Oda Top').waitFor();
    await focused(page, show).waitFor();
    await page.keyboard.press('Tab');
    await focused(page, order).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'Longest wait first' }).click();
    await page.waitForURL(/order=longestWaiting/);
    await focused(page, order).waitFor();
    await show.click();
    await page.getByRole('option', { name: 'STOP, START and the like' }).click();
    await page.getByText('No opt-outs by message').waitFor();
    await focused(page, show).waitFor();
    await noViolations(page);
  });

  it('moves to the caption when a file is attached or removed, or else to the send button', async () => {
    await write('Eli File');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Eli File').getByRole('link').click();
    const attach = page.getByRole('button', { name: /^Attach a file/ });
    const caption = page.getByLabel('Your reply');
    await attach.focus();
    const attachment = page.getByLabel('Attachment');
    await attachment.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('png') });
    await focused(page, caption).waitFor();
    await page.keyboard.type('Look');
    expect(await caption.inputValue()).toBe('Look');
    await attach.focus();
    await attachment.setInputFiles({ name: 'a.webp', mimeType: 'image/webp', buffer: Buffer.from('webp') });
    await focused(page, page.getByRole('button', { name: 'Send', exact: true })).waitFor();
    await page.getByRole('button', { name: 'Remove file' }).click();
    await focused(page, caption).waitFor();
    // Pasted in the field, which it disables.
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(['webp'], 'b.webp', { type: 'image/webp' }));
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }`);
    await focused(page, page.getByRole('button', { name: 'Send', exact: true })).waitFor();
    expect(problemsOf(page)).toEqual([]);
  });

  it('returns from the templates to the reply on Escape, which keeps what was chosen', async () => {
    await write('Fee Escape');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Fee Escape').getByRole('link').click();
    const open = page.getByRole('button', { name: 'Template', exact: true });
    const reply = page.getByLabel('Your reply');
    await open.click();
    await focused(page, page.getByLabel('Search templates')).waitFor();
    await page.keyboard.press('Escape');
    await focused(page, reply).waitFor();
    await open.click();
    await page.getByRole('button', { name: /^order_update / }).click();
    await focused(page, page.getByLabel('{{1}}')).waitFor();
    await page.keyboard.type('Peter');
    await page.keyboard.press('Escape');
    await focused(page, reply).waitFor();
    await open.click();
    await page.getByText('Your draft was restored.').waitFor();
    expect(await page.getByLabel('{{1}}').inputValue()).toBe('Peter');
    expect(problemsOf(page)).toEqual([]);
  });

  it('chooses among the matching templates before the service has found them', async () => {
    await write('Gus Hurry');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Gus Hurry').getByRole('link').click();
    await page.getByRole('button', { name: 'Template', exact: true }).click();
    const templates = page.getByRole('list', { name: 'Approved templates' }).getByRole('button');
    await templates.nth(2).waitFor();
    const wanted = (await templates.last().locator('strong').textContent())!;
    await page.route(/\/templates\?.*search=/, () => undefined);
    await focused(page, page.getByLabel('Search templates')).waitFor();
    await page.keyboard.type(wanted);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const chosen = page.getByRole('group', { name: 'Send a template' });
    await chosen.getByRole('button', { name: 'Choose another' }).waitFor();
    expect(await chosen.locator('.send-chosen strong').textContent()).toBe(wanted);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('moves to the row that follows an erased conversation, or else to the list', async () => {
    await write('Ann Below Erased', 'Bea Erased', 'Cleo Above Erased');
    const page = await browser.signedIn(service, '/conversations?search=Erased');
    const erase = async (name: string) => {
      await row(page, name).getByRole('link').click();
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: /Erase/ }).click();
      await page.getByLabel('Confirmation').fill('erase');
      await page.keyboard.press('Enter');
      await row(page, name).waitFor({ state: 'detached' });
    };
    await erase('Bea Erased');
    await focused(page, row(page, 'Ann Below').getByRole('link')).waitFor();
    await erase('Ann Below');
    await focused(page, row(page, 'Cleo Above').getByRole('link')).waitFor();
    await erase('Cleo Above');
    await focused(page, page.getByRole('region', { name: 'All conversations' })).waitFor();
    expect(problemsOf(page)).toEqual([]);
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
