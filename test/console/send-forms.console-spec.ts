import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, nothingCutOff, screenshots } from '../support/console/browser';
import { dropSpreadsheet } from '../support/console/files';
import { startConsole, stopConsole } from '../support/console/set-up';
import { phones } from '../support/process/bulk';
import type { Client, Json } from '../support/process/client';
import { type Service, until } from '../support/process/service';

/** What covers the focused element; null: nothing. */
const COVER = `(() => {
  const { left, right, top, bottom } = document.activeElement.getBoundingClientRect();
  const name = document.activeElement.textContent || document.activeElement.getAttribute('aria-label') || document.activeElement.type;
  if (document.activeElement === document.body || document.activeElement.closest('.send-bar, .topbar')) return null;
  for (const bar of document.querySelectorAll('.send-bar, .topbar')) {
    const box = bar.getBoundingClientRect();
    if (bottom > box.top + 1 && top < box.bottom - 1 && left < box.right && right > box.left) return name + ' under ' + bar.className;
  }
  return null;
})()`;

describe('The forms of a send', () => {
  let service: Service;
  let browser: ConsoleBrowser;
  let client: Client;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  const choose = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name} `) }).click();

  it('show the message in a phone, with its sender, the time and sample values', async () => {
    const [sender] = (await client.get('/senders')).body.items as Json[];
    const page = await browser.signedIn(service, '/send/campaign');
    await choose(page, 'order_update');
    const preview = page.getByRole('complementary', { name: 'Message preview' });
    await preview.getByText((sender.displayPhoneNumber ?? sender.phoneNumberId) as string).waitFor();
    const message = preview.getByRole('article', { name: 'Message' });
    expect(await message.locator('.bubble-variable').allInnerTexts()).toEqual(['Mira', 'A-1042']);
    expect(await message.locator('time').innerText()).toMatch(/^\d\d:\d\d$/);
    await preview.getByText('Highlighted texts are samples.').waitFor();
    await noViolations(page);
    await screenshots(page, 'campaign-samples');
    await dropSpreadsheet(page, ['Phone,Name,Parcel', `${phones(1)[0]},Zoë,PK-7`]);
    await preview.getByRole('article', { name: 'Message to row 2' }).getByText('Zoë').waitFor();
    expect(await preview.getByText('Highlighted texts are samples.').count()).toBe(0);
    // A row without a value shows that it is missing.
    await dropSpreadsheet(page, ['Phone,Name,Parcel', `${phones(1)[0]},Zoë,`]);
    const bad = preview.getByRole('article', { name: 'Message to row 2' });
    await bad.getByText('{{2}}').waitFor();
    expect(await preview.getByText('Highlighted texts are samples.').count()).toBe(0);
  });

  it('lead from the bar that sends to the preview on a phone', async () => {
    const page = await browser.signedIn(service, '/send/campaign', { width: 390 });
    await choose(page, 'order_update');
    await dropSpreadsheet(page, ['Phone,Name,Parcel', `${phones(1)[0]},Zoë,PK-7`]);
    await page.getByRole('button', { name: 'Send to 1 person…' }).waitFor();
    await page.evaluate('window.scrollTo(0, 0)');
    await page.getByRole('button', { name: 'Preview' }).click();
    const message = page.getByRole('article', { name: 'Message to row 2' });
    const isShown = async () => {
      const box = await message.boundingBox();
      return box !== null && box.y > 0 && box.y < 500;
    };
    await until(isShown, 10_000, 'the message is on the screen');
    await nothingCutOff(page);
    await noViolations(page);
    // Below 1,100 pixels the preview is at the end of the form.
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.getByRole('button', { name: 'Preview' }).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await page.getByRole('button', { name: 'Preview' }).count()).toBe(0);
  });

  it.each([
    ['en-GB', 'Mon', '09:00'],
    ['en-US', 'Sun', '9:00 AM'],
  ])('show the days of a window as toggles, in the order of the week in %s', async (locale, first, from) => {
    const page = await browser.signedIn(service, '/send/campaign', { locale });
    await choose(page, 'hello_world');
    await dropSpreadsheet(page, ['Phone', ...phones(2, 100)]);
    await page.getByRole('switch', { name: 'Limit sending hours' }).click();
    const days = page.getByRole('group', { name: 'Days' }).getByRole('button');
    expect(await days.first().innerText()).toBe(first);
    const [sunday, monday] = ['Sun', 'Mon'].map((name) => page.getByRole('button', { name, exact: true }));
    await sunday!.click();
    expect(await sunday!.getAttribute('aria-pressed')).toBe('false');
    expect(await monday!.getAttribute('aria-pressed')).toBe('true');
    // Not by colour alone.
    expect([await sunday!.locator('svg').isVisible(), await monday!.locator('svg').isVisible()]).toEqual([false, true]);
    await page.getByRole('button', { name: 'Send to 2 people…' }).click();
    await page.getByText(`Sending hours: ${from}–`).waitFor();
  });

  it.each([
    ['of a phone', { width: 400, height: 800 }],
    ['of a desktop at 200%', { width: 640, height: 400 }],
    ['of a laptop', { width: 1280, height: 620 }],
  ])('have no focused field under a bar in a window %s', async (_name, size) => {
    const page = await browser.signedIn(service, '/send/campaign');
    await page.setViewportSize(size);
    await choose(page, 'order_update');
    await dropSpreadsheet(page, ['Phone,Name,Parcel', `${phones(1)[0]},Zoë,PK-7`, '12,,']);
    await page.getByRole('switch', { name: 'Send later' }).click();
    await page.getByRole('switch', { name: 'Limit sending hours' }).click();
    // A note makes the bar higher.
    await page.getByLabel('Starts at').fill('2020-01-01T10:00');
    await page.getByText('The start time is in the past.').first().waitFor();
    const covered: string[] = [];
    const step = async (key: string) => {
      await page.keyboard.press(key);
      const found = await page.evaluate<string | null>(COVER);
      if (found) covered.push(found);
    };
    await page.getByRole('textbox', { name: 'Campaign name' }).focus();
    for (let n = 0; n < 40; n++) await step('Tab');
    for (let n = 0; n < 40; n++) await step('Shift+Tab');
    expect(covered).toEqual([]);
    // The last line is above the bar when the page is scrolled to its end.
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    const last = (await page.getByRole('switch', { name: 'Create on hold' }).boundingBox())!;
    const bar = (await page.locator('.send-bar').boundingBox())!;
    expect(last.y + last.height).toBeLessThanOrEqual(bar.y);
  });

  it('have one main action at a time', async () => {
    const page = await browser.signedIn(service, '/send/campaign');
    await choose(page, 'order_update');
    await dropSpreadsheet(page, ['Vorname;Bestellnummer;Handy', `Anna;A-1;${phones(1)[0]}`]);
    await page.getByRole('button', { name: 'Use these columns' }).waitFor();
    expect(await page.locator('.button[data-variant=primary]').allInnerTexts()).toEqual(['Send to 1 person…']);
  });
});
