import type { Page } from 'playwright-core';
import type { ConsoleBrowser } from '../support/console/browser';
import { dropSpreadsheet } from '../support/console/files';
import { startConsole, stopConsole } from '../support/console/set-up';
import { phones, sendTo } from '../support/process/bulk';
import type { Client, Json } from '../support/process/client';
import type { Service } from '../support/process/service';

/** Counts clicks, and fields in which something is typed, until the next call. A chosen file is neither. */
const COUNT = `(() => {
  const before = window.effort;
  const fields = new Set();
  const effort = { clicks: 0, get fields() { return fields.size; } };
  window.effort = effort;
  if (!before) {
    addEventListener('click', ({ isTrusted }) => { if (isTrusted) window.effort.clicks++; }, true);
    addEventListener('input', ({ target }) => { if (target.type !== 'file') window.typed(target); }, true);
  }
  window.typed = (target) => fields.add(target);
  return before && { clicks: before.clicks, fields: before.fields };
})()`;

describe('The effort of frequent tasks', () => {
  let service: Service;
  let browser: ConsoleBrowser;
  let client: Client;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  const count = (page: Page) => page.evaluate<{ clicks: number; fields: number } | null>(COUNT);
  /** Other headers in another order than those of the template, and a row that cannot be sent. */
  const messy = ([first, second]: readonly string[]) => [
    'Vorname;Bestellnummer;Handy',
    `Anna;A-1;${first}`,
    'Tom;A-2;12',
    `Ben;A-3;${second}`,
  ];
  const choose = (page: Page) => page.getByRole('button', { name: /^order_update / }).click();

  it('is three clicks and a file for a campaign from a messy spreadsheet', async () => {
    const people = phones(2, 100);
    const page = await browser.signedIn(service, '/send/campaign');
    await count(page);
    await choose(page);
    await dropSpreadsheet(page, messy(people));
    await page.getByText('Please check').first().waitFor();
    await page.getByRole('button', { name: 'Send to 2 people…' }).click();
    const guesses = page.getByRole('dialog').getByRole('list', { name: 'Guessed columns' });
    const pairs = await guesses.getByRole('listitem').allInnerTexts();
    expect(pairs.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      '{{1}} Vorname, e.g. Anna',
      '{{2}} Bestellnummer, e.g. A-1',
    ]);
    await page.getByRole('button', { name: 'Send 2 messages' }).click();
    await page.waitForURL(/\/console\/jobs\/[0-9a-f-]{36}$/);
    expect(await count(page)).toEqual({ clicks: 3, fields: 0 });
    const { items } = (await client.get(`/bulk-jobs/${page.url().split('/').at(-1)}/recipients`)).body as {
      items: Json[];
    };
    const sent = items.filter(({ phone }) => people.includes(phone as string));
    expect(sent.map(({ parameters }) => parameters as string[])).toEqual([
      ['Anna', 'A-1'],
      ['Ben', 'A-3'],
    ]);

    // The columns are confirmed by sending, too.
    await page.getByRole('navigation').getByRole('link', { name: 'New campaign' }).click();
    await choose(page);
    await dropSpreadsheet(page, messy(phones(2, 110)));
    await page.getByText('As last time').first().waitFor();
  });

  it('is one click for a test to oneself, after the number has been typed once', async () => {
    const [own, ...people] = phones(3, 200) as [string, ...string[]];
    const page = await browser.signedIn(service, '/send/campaign');
    await choose(page);
    await dropSpreadsheet(page, messy(people));
    // The first row that can be sent is shown, not that with a problem.
    await page.getByRole('article', { name: 'Message to row 2' }).waitFor();
    await count(page);
    await page.getByLabel('Your own number').fill(`+${own}`);
    await page.getByRole('button', { name: 'Send a test to myself' }).click();
    await page.getByRole('status').filter({ hasText: 'Row 2 to' }).waitFor();
    expect(await count(page)).toEqual({ clicks: 1, fields: 1 });
    await page.getByRole('article', { name: 'Message to row 2' }).waitFor();
    await page.getByRole('button', { name: 'Send a test to myself' }).click();
    await page.getByRole('status').filter({ hasText: 'Row 2 to' }).waitFor();
    expect(await count(page)).toEqual({ clicks: 1, fields: 0 });
  });

  it('is two clicks to start a job early', async () => {
    const scheduledAt = new Date(Date.now() + 49 * 3_600_000).toISOString();
    const jobId = await sendTo(client, phones(2, 300), { scheduledAt });
    const page = await browser.signedIn(service, `/jobs/${jobId}`);
    await count(page);
    await page.getByRole('button', { name: 'Send now…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send 2 messages' }).click();
    await page.getByText('2 of 2 sent').first().waitFor({ timeout: 30_000 });
    expect(await count(page)).toEqual({ clicks: 2, fields: 0 });
  });
});
