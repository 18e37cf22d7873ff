import type { Page, Route } from 'playwright-core';
import { type ConsoleBrowser, noViolations, problemsOf } from '../support/console/browser';
import { contactWrites, newPhone, writesOn } from '../support/console/people';
import { startConsoleOnPlatform, stopConsole } from '../support/console/set-up';
import type { Client } from '../support/process/client';
import type { Platform } from '../support/process/platform';
import { type Service, until } from '../support/process/service';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const PICTURE = { name: 'pixel.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') };

interface Sized {
  scrollWidth: number;
  clientWidth: number;
}

describe('A reply in the inbox', () => {
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
  const form = (page: Page) => page.getByRole('form', { name: 'Reply' });
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name });
  const reply = (page: Page) => page.getByLabel('Your reply');
  const write = async (...names: string[]) => {
    for (const name of names) await contactWrites({ client, platform }, name, `A question of ${name}`);
  };

  it('keeps an attached file while other conversations are opened, and asks before the inbox is left', async () => {
    await write('Nia Other', 'Ola File');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Ola File').getByRole('link').click();
    await page.getByLabel('Attachment').setInputFiles(PICTURE);
    await form(page).getByText('pixel.png').waitFor();
    await row(page, 'Nia Other').getByRole('link').click();
    await heading(page, 'Nia Other').waitFor();
    await reply(page).waitFor();
    expect(await form(page).getByText('pixel.png').count()).toBe(0);
    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without sending?' });
    await dialog.getByRole('button', { name: 'Stay here' }).click();
    await row(page, 'Ola File').getByRole('link').click();
    await form(page).getByText('pixel.png').waitFor();
    await form(page).getByRole('button', { name: 'Send' }).click();
    await page.getByRole('article', { name: 'Sent message' }).waitFor();
    await form(page).getByText('pixel.png').waitFor({ state: 'detached' });
    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(problemsOf(page)).toEqual([]);
  });

  it('empties the field at once, and sends what is typed meanwhile only after the answer', async () => {
    await write('Pia Fast');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Pia Fast').getByRole('link').click();
    const held: Route[] = [];
    await page.route('**/conversations/*/messages', (route) =>
      route.request().method() === 'POST' ? void held.push(route) : route.fallback(),
    );
    await reply(page).fill('First');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await form(page).getByRole('status').getByText('First').waitFor();
    expect(await reply(page).inputValue()).toBe('');
    await page.keyboard.type('Second');
    await page.keyboard.press('Enter');
    expect(await reply(page).inputValue()).toBe('Second');
    await held[0]!.continue();
    await page.getByRole('article', { name: 'Sent message' }).getByText('First', { exact: true }).waitFor();
    await form(page).getByText('Sending…').waitFor({ state: 'detached' });
    expect([await reply(page).inputValue(), held.length]).toEqual(['Second', 1]);
    await page.keyboard.press('Enter');
    await form(page).getByRole('status').getByText('Second').waitFor();
    await page.keyboard.type('Third');
    await held[1]!.abort();
    await form(page).getByRole('alert').waitFor();
    // The same text again, so that a reply whose answer was lost is not sent twice.
    expect(await reply(page).inputValue()).toBe('Second');
    const keyOf = (route: Route) => route.request().headers()['idempotency-key'];
    await page.reload();
    await reply(page).waitFor();
    expect(await reply(page).inputValue()).toBe('Second');
    await form(page).getByText('What you typed next follows once this reply is sent.').waitFor();
    await reply(page).press('Enter');
    await until(() => Promise.resolve(held.length === 3), 10_000, 'the reply is sent again');
    await held[2]!.continue();
    await form(page).getByText('Sending…').waitFor({ state: 'detached' });
    expect(await reply(page).inputValue()).toBe('Third');
    expect(keyOf(held[1]!)).toBe(keyOf(held[2]!));
    expect(problemsOf(page)).toEqual([]);
  });

  it('keeps what is typed while a reply of a conversation that was left is being sent', async () => {
    await write('Quinn Other', 'Ria Left');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Ria Left').getByRole('link').click();
    await row(page, 'Ria Left').locator('.unread-count').waitFor({ state: 'detached' });
    const held: Route[] = [];
    await page.route('**/conversations/*/messages', (route) =>
      route.request().method() === 'POST' ? void held.push(route) : route.fallback(),
    );
    await reply(page).fill('First');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Second');
    await row(page, 'Quinn Other').getByRole('link').click();
    await heading(page, 'Quinn Other').waitFor();
    await held[0]!.continue();
    await row(page, 'Ria Left').getByText('Draft: Second').waitFor();
    await row(page, 'Ria Left').getByRole('link').click();
    await heading(page, 'Ria Left').waitFor();
    expect(await reply(page).inputValue()).toBe('Second');
  });

  it('that is not sent is marked in the list beside a message that arrives', async () => {
    await write('Sol Other', 'Ria Draft');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Ria Draft').getByRole('link').click();
    await reply(page).fill('One moment');
    await row(page, 'Ria Draft').getByText('Draft: One moment').waitFor();
    await row(page, 'Ria Draft').locator('.unread-count').waitFor({ state: 'detached' });
    await row(page, 'Sol Other').getByRole('link').click();
    await heading(page, 'Sol Other').waitFor();
    const [{ contactPhone }] = (await client.get('/conversations?search=Ria Draft')).body.items as [
      { contactPhone: string },
    ];
    await writesOn(platform, contactPhone, 'Hello??');
    await row(page, 'Ria Draft').locator('.conversation-last').getByText('Hello??', { exact: true }).waitFor();
    await row(page, 'Ria Draft').getByText('Draft', { exact: true }).waitFor();
    await noViolations(page);
    await row(page, 'Ria Draft').getByRole('link').click();
    await row(page, 'Ria Draft').locator('.unread-count').waitFor({ state: 'detached' });
    await row(page, 'Sol Other').getByRole('link').click();
    await heading(page, 'Sol Other').waitFor();
    expect(await row(page, 'Ria Draft').locator('.conversation-last').innerText()).toBe('Hello??');
    await row(page, 'Ria Draft').getByRole('link').click();
    await heading(page, 'Ria Draft').waitFor();
    await reply(page).fill('Yes, here I am');
    await row(page, 'Ria Draft').getByText('Draft: Yes, here I am').waitFor();
  });

  it('does not change which conversation is next', async () => {
    await write('Sam Third', 'Tea Second', 'Uli First');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Uli First').getByRole('link').click();
    await heading(page, 'Uli First').waitFor();
    await page.keyboard.press('j');
    await heading(page, 'Tea Second').waitFor();
    await reply(page).fill('Yes');
    await page.keyboard.press('Enter');
    await list(page).getByRole('listitem').first().getByRole('link', { name: 'Tea Second' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await heading(page, 'Sam Third').waitFor();
  });

  it('to one message is offered only where a reply is possible', async () => {
    await write('Vic Out');
    const page = await browser.signedIn(service, '/conversations');
    await row(page, 'Vic Out').getByRole('link').click();
    const button = page.getByRole('button', { name: 'Reply to this message' });
    await button.waitFor();
    const [{ contactPhone: phone }] = (await client.get('/conversations?search=Vic')).body.items as [
      { contactPhone: string },
    ];
    await client.post('/opt-outs', { phone });
    await page.reload();
    await page.locator('.thread-facts').getByText('Opted out').waitFor();
    await page.getByRole('article', { name: 'Received message' }).waitFor();
    expect(await button.count()).toBe(0);
  });

  it('starts a new line with Enter on a touch screen', async () => {
    await write('Wim Touch');
    const page = await browser.signedIn(service, '/');
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 });
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Conversations/ })
      .click();
    await row(page, 'Wim Touch').getByRole('link').click();
    await form(page).getByText('Enter starts a new line.').waitFor();
    expect(await page.getByRole('button', { name: 'Keyboard shortcuts' }).count()).toBe(0);
    await reply(page).focus();
    await page.keyboard.type('One');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Two');
    expect(await reply(page).inputValue()).toBe('One\nTwo');
    expect(await page.getByLabel('Attachment').isVisible()).toBe(false);
  });

  it('has room for its placeholder on a narrow phone in German', async () => {
    await write('Xia Narrow');
    await client.post('/quick-replies', { name: 'Address', text: 'Main street 1' });
    const page = await browser.signedIn(service, '/conversations', { locale: 'de-DE', width: 360 });
    const cut = `[...document.querySelectorAll('input[placeholder], textarea[placeholder]')].filter((field) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(field);
      const text = document.createElement('canvas').getContext('2d');
      text.font = font;
      const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      return field.clientWidth > 0 && text.measureText(field.placeholder).width > room;
    }).map(({ placeholder }) => placeholder)`;
    const link = page.getByRole('link', { name: 'Xia Narrow' });
    await link.waitFor();
    expect(await page.evaluate(cut)).toEqual([]);
    await link.click();
    await page.locator('.answer-field').waitFor();
    expect(await page.evaluate(cut)).toEqual([]);
  });

  it.each([
    [1280, 'en-GB', 'Delete', 'Cancel'],
    [390, 'de-DE', 'Löschen', 'Abbrechen'],
  ])(
    'has quick replies that fit at %d px in %s, and are deleted once that is confirmed',
    async (width, locale, remove, cancel) => {
      await write(`Wim ${width}`);
      const text = 'Thank you for your message. We are looking into it and will come back to you within a working day.';
      for (const name of [`Thanks ${width}`, `Later ${width}`]) await client.post('/quick-replies', { name, text });
      const page = await browser.signedIn(service, '/conversations', { locale, width });
      await page.getByRole('link', { name: `Wim ${width}` }).click();
      await page.getByRole('button', { name: /^(Quick replies|Textbausteine)$/ }).click();
      await page.getByRole('menuitem').last().click();
      const replies = page.getByRole('dialog').first().locator('.quick-replies');
      const item = replies.getByRole('listitem').filter({ hasText: `Thanks ${width}` });
      const button = item.getByRole('button').last();
      expect(await replies.evaluate(({ scrollWidth, clientWidth }: Sized) => scrollWidth - clientWidth)).toBe(0);
      expect((await item.getByText(`Thanks ${width}`).boundingBox())!.width).toBeGreaterThan(60);
      const question = page
        .getByRole('dialog')
        .filter({ hasText: `Thanks ${width}` })
        .last();
      await button.click();
      await noViolations(page);
      await question.getByRole('button', { name: cancel }).click();
      await button.and(page.locator(':focus')).waitFor();
      await button.click();
      await question.getByRole('button', { name: remove, exact: true }).last().click();
      await item.waitFor({ state: 'detached' });
      await page.getByRole('dialog').locator('form:focus').waitFor();
      expect(problemsOf(page)).toEqual([]);
    },
  );

  it('that the platform refuses is explained in the language of the console', async () => {
    await write('Yara Refused');
    const page = await browser.signedIn(service, '/conversations', { locale: 'de-DE' });
    await page.getByRole('link', { name: 'Yara Refused' }).click();
    const body = {
      ...{ statusCode: 422, code: 'recipient_unreachable', requestId: 'request-9' },
      message: 'The platform cannot deliver to this number.',
    };
    await page.route('**/conversations/*/messages', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 422, json: body }) : route.fallback(),
    );
    await page.locator('.answer-field').fill('Ja');
    await page.keyboard.press('Enter');
    const problem = page.getByRole('alert');
    await problem.getByText('Empfänger nicht erreichbar').waitFor();
    expect(await problem.getByText('request-9').isVisible()).toBe(false);
    expect(await problem.getByText(body.message).isVisible()).toBe(false);
    await problem.getByText('Details').click();
    await problem.getByText('request-9').waitFor();
    await noViolations(page);
    await page.unroute('**/conversations/*/messages');
  });

  it('that failed is explained in the language of the console, too', async () => {
    await contactWrites({ client, platform }, 'Zoe Failed', 'A question', `${newPhone().slice(0, -4)}0003`);
    const page = await browser.signedIn(service, '/conversations', { locale: 'de-DE' });
    await page.getByRole('link', { name: 'Zoe Failed' }).click();
    await page.locator('.answer-field').fill('Ja');
    await page.keyboard.press('Enter');
    const failed = page.locator('.thread-failed');
    await failed.getByText('Der Empfänger ist nicht bei WhatsApp').waitFor({ timeout: 20_000 });
    expect(await failed.locator('[lang=en]').count()).toBe(0);
  });
});
