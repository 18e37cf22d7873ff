import type { Locator, Page } from 'playwright-core';
import { type ConsoleBrowser, problemsOf } from '../support/console/browser';
import { newPhone, writesOn } from '../support/console/people';
import { startConsoleOnPlatform, stopConsole } from '../support/console/set-up';
import { phones } from '../support/process/bulk';
import type { Platform } from '../support/process/platform';
import { KEY, type Service } from '../support/process/service';

/** The maximum number of tab stops of a screen. */
const STOPS = 120;

describe('A keyboard user', () => {
  let platform: Platform;
  let service: Service;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, browser, platform } = await startConsoleOnPlatform());
  });

  afterAll(stopConsole);

  /** Presses Tab until the element has the focus. */
  async function tabTo(page: Page, wanted: Locator): Promise<void> {
    await wanted.waitFor();
    const focused = page.locator(':focus').and(wanted);
    for (let stop = 0; stop < STOPS; stop++) {
      if ((await focused.count()) > 0) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('The element cannot be reached with Tab');
  }

  async function press(page: Page, wanted: Locator): Promise<void> {
    await tabTo(page, wanted);
    await page.keyboard.press('Enter');
  }

  async function signIn(page: Page): Promise<void> {
    await tabTo(page, page.getByLabel('API key'));
    await page.keyboard.type(KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  }

  it('signs in, chooses a template and a file, and sends', async () => {
    const page = await browser.open(service);
    await signIn(page);
    await press(page, page.getByRole('navigation').getByRole('link', { name: 'New campaign' }));
    await press(page, page.getByRole('button', { name: /^order_update / }));
    const chooser = page.waitForEvent('filechooser');
    await press(page, page.getByRole('button', { name: 'Choose a file' }));
    const people = phones(3, 4000);
    const lines = ['Phone,Name,Parcel', ...people.map((phone, index) => `${phone},Mira ${index},PK-${index}`)];
    await (await chooser).setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
    await press(page, page.getByRole('button', { name: 'Use these columns' }));
    await press(page, page.getByRole('button', { name: 'Send to 3 people…' }));
    await press(page, page.getByRole('button', { name: 'Send 3 messages' }));
    await page.getByText('3 of 3 sent').first().waitFor();
    expect((await platform.accepted()).sort()).toEqual([...people].sort());
    expect(problemsOf(page)).toEqual([]);
  });

  it('replies to a conversation', async () => {
    const phone = newPhone();
    await writesOn(platform, phone, 'Are you open today?');
    const page = await browser.open(service);
    await signIn(page);
    await press(page, page.getByRole('navigation').getByRole('link', { name: 'Conversations' }));
    const people = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem');
    await press(page, people.filter({ hasText: 'Are you open today?' }).getByRole('link'));
    await tabTo(page, page.getByLabel('Your reply'));
    await page.keyboard.type('Until six.');
    await page.keyboard.press('Enter');
    const thread = page.getByRole('list', { name: /^Messages with/ });
    const answer = thread.getByRole('listitem').filter({ hasText: 'Until six.' });
    await answer.getByRole('img', { name: /Delivered|Read/ }).waitFor();
    expect(await platform.ledger()).toContainEqual(expect.objectContaining({ to: phone, type: 'text' }));
    expect(problemsOf(page)).toEqual([]);
  });
});
