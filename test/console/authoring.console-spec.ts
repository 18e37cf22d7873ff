import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations } from '../support/console/browser';
import { startConsoleOnPlatform, stopConsole } from '../support/console/set-up';
import { phones } from '../support/process/bulk';
import type { Client } from '../support/process/client';
import type { Platform } from '../support/process/platform';
import { type Service, until } from '../support/process/service';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const PICTURE = { name: 'pixel.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') };
const TOO_LARGE = {
  name: 'poster.png',
  mimeType: 'image/png',
  buffer: Buffer.concat([PICTURE.buffer, Buffer.alloc(6_000_000)]),
};

const SPREADSHEET = {
  name: 'Customers.xlsx',
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: Buffer.from('PK'),
};
/** The platform takes it as a sticker only. */
const STICKER = { name: 'cat.webp', mimeType: 'image/webp', buffer: Buffer.from('RIFF\0\0\0\0WEBPVP8 ') };

describe('Templates and their files in the console', () => {
  let platform: Platform;
  let service: Service;
  let browser: ConsoleBrowser;
  let client: Client;

  beforeAll(async () => {
    ({ service, client, browser, platform } = await startConsoleOnPlatform());
  });

  afterAll(stopConsole);

  interface Stored {
    id: string;
    name: string;
    bodyText: string;
    parameterCount: number;
    status: string;
  }
  const named = async (name: string): Promise<Stored | undefined> => {
    const { items } = (await client.get(`/templates?search=${name}`)).body as { items: Stored[] };
    return items.find((one) => one.name === name);
  };
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const opened = async (name: string) => {
    const page = await browser.signedIn(service, `/templates/${(await named(name))!.id}`);
    await heading(page, name);
    return page;
  };

  it('are edited with their current contents, and reviewed again', async () => {
    const page = await opened('order_update');
    await page.getByRole('link', { name: 'Edit' }).click();
    await heading(page, 'Edit template');
    expect(await page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true);
    await page.getByLabel('Body text').fill('Dear {{1}}, parcel {{2}} is on its way.');
    await page.getByLabel('Example for {{1}}').fill('Mira');
    await page.getByLabel('Example for {{2}}').fill('PK-1');
    await page.getByText('Ready for review').waitFor();
    await noViolations(page);
    await page.getByRole('button', { name: 'Submit for review' }).dblclick();
    await heading(page, 'order_update');
    await page.getByRole('article', { name: 'Message' }).getByText('Dear').waitFor();
    expect((await named('order_update'))?.bodyText).toBe('Dear {{1}}, parcel {{2}} is on its way.');
  });

  it('are submitted by a click right after the last input, once that is checked', async () => {
    const page = await browser.signedIn(service, '/templates/new');
    await page.getByLabel('Name', { exact: true }).fill('typed_just_before');
    await page.getByLabel('Body text').fill('Hi {{1}}, this was typed just before the click.');
    await page.getByText(/fields? needs? attention|Not complete yet/).waitFor();
    await page.getByLabel('Example for {{1}}').fill('Mira');
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await heading(page, 'typed_just_before');
    // The service does not store examples; the tab keeps them.
    await page.reload();
    await page.getByRole('article', { name: 'Message' }).getByText('Hi Mira,').waitFor();
    expect(await page.getByLabel('{{1}}').inputValue()).toBe('Mira');
  });

  it('get formats and variables at the caret, by button or by key', async () => {
    const page = await browser.signedIn(service, '/templates/new');
    const body = page.getByLabel('Body text');
    const add = page.getByRole('button', { name: 'Add variable' });
    const selected = () => page.evaluate('getSelection().toString()');
    await body.fill('Hi , thank you.');
    await body.press('Home');
    for (let n = 0; n < 3; n++) await body.press('ArrowRight');
    await add.click();
    await page.getByLabel('Example for {{1}}').waitFor();
    await page.keyboard.type(' and ');
    await add.click();
    expect(await body.inputValue()).toBe('Hi {{1}} and {{2}}, thank you.');
    await body.press('Home');
    await body.press('Shift+ArrowRight');
    await body.press('Shift+ArrowRight');
    await body.press('Control+b');
    expect([await body.inputValue(), await selected()]).toEqual(['*Hi* {{1}} and {{2}}, thank you.', 'Hi']);
    await page.getByRole('article', { name: 'Message' }).locator('strong', { hasText: 'Hi' }).waitFor();
    await page.getByRole('button', { name: 'Italic' }).click();
    await page.getByRole('button', { name: 'Italic' }).click();
    await page.getByRole('button', { name: 'Bold' }).click();
    expect(await body.inputValue()).toBe('Hi {{1}} and {{2}}, thank you.');
    await noViolations(page);
    await page.getByRole('combobox', { name: 'Variable format' }).click();
    await page.getByRole('option', { name: /^Names/ }).click();
    await body.fill('Hi ');
    await add.click();
    await page.keyboard.type('first_name');
    expect(await body.inputValue()).toBe('Hi {{first_name}}');
  });

  it('are copied under a new name', async () => {
    const page = await opened('delivery_window');
    const { bodyText, parameterCount } = (await named('delivery_window'))!;
    await page.getByRole('link', { name: 'Copy' }).click();
    await heading(page, 'Create template');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('delivery_window_2');
    for (const example of await page.getByLabel(/^Example for/).all()) await example.fill('Today');
    // WhatsApp rejects a second template with the same text.
    await page
      .getByText(/those of the template/)
      .first()
      .waitFor();
    await page.getByLabel('Body text').fill(`${bodyText} Thank you.`);
    await page.getByText('Ready for review').waitFor();
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await heading(page, 'delivery_window_2');
    expect(await named('delivery_window_2')).toMatchObject({ bodyText: `${bodyText} Thank you.`, parameterCount });
    expect(await named('delivery_window')).toBeDefined();
  });

  it('are deleted after typing their name', async () => {
    const page = await opened('weekend_offer');
    await page.getByRole('button', { name: 'Delete…' }).click();
    const remove = page.getByRole('button', { name: 'Delete template' });
    expect(await remove.isDisabled()).toBe(true);
    await page.getByLabel('Template name').fill('weekend_offer');
    await noViolations(page);
    await remove.click();
    await heading(page, 'Templates');
    expect((await named('weekend_offer'))?.status ?? 'Deleted').toBe('Deleted');
  });

  it('are synced from WhatsApp', async () => {
    const page = await browser.signedIn(service, '/templates');
    const [synced] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/templates/sync')),
      page.getByRole('button', { name: 'Sync with WhatsApp' }).click(),
    ]);
    expect(synced.ok()).toBe(true);
    await page.getByText('Templates synced').first().waitFor();
    await noViolations(page);
  });

  it('take a header picture within the size limit', async () => {
    const page = await browser.signedIn(service, '/send/one');
    await page.getByRole('button', { name: /^summer_sale / }).click();
    const [to] = phones(1, 5000) as [string];
    await page.getByLabel('Phone number').fill(`+${to}`);
    await page.getByLabel('{{1}}').fill('Mira');
    const send = page.getByRole('button', { name: 'Send message' });
    const file = page.getByLabel('Drop the header picture here');
    await file.setInputFiles(TOO_LARGE);
    await page.getByRole('alert').waitFor();
    expect(await send.isDisabled()).toBe(true);
    await noViolations(page);
    await file.setInputFiles(PICTURE);
    await page.locator('button:enabled', { hasText: 'Send message' }).waitFor();
    for (const other of [SPREADSHEET, STICKER]) {
      await file.setInputFiles(other);
      await page.getByText(`“${other.name}” cannot be used here. Choose another file: JPEG or PNG.`).waitFor();
      expect(await send.isDisabled()).toBe(true);
    }
    await noViolations(page);
    await file.setInputFiles(PICTURE);
    await page.getByRole('article', { name: 'Message' }).locator('img').waitFor();
    await send.click();
    await until(async () => (await platform.accepted()).includes(to), 20_000, 'the message is sent');
    const sent = (await platform.ledger()).find((one) => one.to.replace('+', '') === to);
    expect(JSON.stringify(sent?.header)).toMatch(/image/i);

    // The picture is that of this tab; after a reload the service downloads it from the platform.
    await page.getByRole('link', { name: 'Open conversation' }).click();
    const message = page.getByRole('article', { name: 'Sent message' });
    await message.getByRole('img', { name: 'Picture' }).waitFor();
    await message.getByRole('list', { name: 'Buttons' }).getByText('Show me').waitFor();
    await page.getByRole('link', { name: 'Details' }).click();
    const alone = page.getByRole('article', { name: 'The message' });
    await alone.getByRole('img', { name: 'Picture' }).waitFor();
    await page.reload();
    await alone.getByRole('button', { name: 'Open picture' }).waitFor();
    await alone.getByRole('list', { name: 'Buttons' }).getByText('Show me').waitFor();
  });

  it('refuse an example of another kind than the header, and say which are taken', async () => {
    const page = await browser.signedIn(service, '/templates/new');
    await page.getByRole('combobox', { name: 'Header' }).click();
    await page.getByRole('option', { name: 'Document' }).click();
    const file = page.getByLabel('Drop an example here');
    for (const other of [SPREADSHEET, PICTURE]) {
      await file.setInputFiles(other);
      await page.getByText(`“${other.name}” cannot be used here. Choose another file: PDF.`).waitFor();
    }
    await noViolations(page);
  });

  it('name the size limit for an example that is too large', async () => {
    const page = await browser.signedIn(service, '/templates/new');
    await page.getByRole('combobox', { name: 'Header' }).click();
    await page.getByRole('option', { name: 'Image' }).click();
    await page.getByLabel('Drop an example here').setInputFiles(TOO_LARGE);
    expect(await page.getByRole('alert').innerText()).toMatch(/5 MB|5,?242,?880|5 MiB/);
    await page.getByLabel('Drop an example here').setInputFiles(PICTURE);
    await page.getByRole('article', { name: 'Message' }).locator('img').waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });
});
