import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations } from '../support/console/browser';
import { newPhone, writes } from '../support/console/people';
import { startConsole, stopConsole } from '../support/console/set-up';
import type { Client } from '../support/process/client';
import type { Service } from '../support/process/service';

describe('The console with a contrast theme', () => {
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  const looks = (page: Page, selector: string) =>
    page.evaluate<string>(`(() => {
      const style = getComputedStyle(document.querySelector(${JSON.stringify(selector)}));
      return [style.backgroundColor, style.outlineStyle, style.borderTopColor].join();
    })()`);

  const borderOf = async (page: Page, selector: string) => {
    await page.locator(selector).first().waitFor();
    return page.evaluate<string>(
      `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).borderBottomColor`,
    );
  };

  it('shows which entry, choice and row is selected, and the bars of charts', async () => {
    const phone = newPhone();
    await writes(service, phone, 'Hello');
    const page = await browser.signedIn(service, '/conversations');
    await page.emulateMedia({ forcedColors: 'active' });
    await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().click();
    await page.locator('.conversation-row[data-opened]').waitFor();
    for (const [selected, other] of [
      ['.nav-entry[aria-current]', '.nav-entry:not([aria-current])'],
      ['.segments button[aria-pressed=true]', '.segments button[aria-pressed=false]'],
      ['.conversation-row[data-opened]', '.conversation-filters'],
    ]) {
      expect([selected, await looks(page, selected!)]).not.toEqual([selected, await looks(page, other!)]);
    }
    await page.getByRole('combobox', { name: 'Show' }).click();
    await page.locator('.list-item[data-highlighted]').waitFor();
    expect(await looks(page, '.list-item[data-highlighted]')).not.toBe(
      await looks(page, '.list-item:not([data-highlighted])'),
    );
    await page.keyboard.press('Escape');
    await page.screenshot({ path: 'dist.screenshots/inbox-forced.png' });
    await noViolations(page);
    await page.goto('/console/components');
    expect(await borderOf(page, '.tab[data-active]')).not.toBe(await borderOf(page, '.tab:not([data-active])'));
    await page.locator('.progress span').first().waitFor();
    const transparent = /rgba\(0, 0, 0, 0\)|rgb\(255, 255, 255\)/;
    expect(await looks(page, '.progress span')).not.toMatch(transparent);
    const before = await looks(page, '.switch');
    await page.getByRole('switch').first().click();
    expect(await looks(page, '.switch')).not.toBe(before);
  });

  it('has labels that switch and open their controls', async () => {
    const { body } = await client.post('/contacts', { phone: newPhone(), name: 'Label' });
    const page = await browser.signedIn(service, `/contacts/${body.id as string}`);
    await page.getByText('Not opted out.').waitFor();
    await page.goto('/console/components');
    const control = page.getByRole('switch').first();
    const before = await control.getAttribute('aria-checked');
    await page.locator('.switch-row label').first().click();
    expect(await control.getAttribute('aria-checked')).not.toBe(before);
    await page.goto('/console/jobs');
    await page.locator('label').getByText('Status', { exact: true }).click();
    await page.getByRole('option').first().waitFor();
  });
});
