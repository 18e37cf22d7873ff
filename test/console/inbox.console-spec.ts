import type { Page, Route } from 'playwright-core';
import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { contactWrites, newPhone, writesOn } from '../support/console/people';
import { startConsoleOnPlatform, stopConsole } from '../support/console/set-up';
import type { Client } from '../support/process/client';
import type { Platform } from '../support/process/platform';
import type { Service } from '../support/process/service';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

describe('The inbox of the console', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    ({ service, client, browser, platform } = await startConsoleOnPlatform());
  });

  afterAll(stopConsole);

  const people = (page: Page) => page.getByRole('list', { name: 'Conversations' });
  const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation', exact: true });
  const reply = (page: Page) => page.getByLabel('Your reply');
  const show = async (page: Page, what: string) => {
    await page.getByRole('combobox', { name: 'Show' }).click();
    await page.getByRole('option', { name: what }).click();
  };
  const person = (name: string, text: string, phone?: string) => contactWrites({ client, platform }, name, text, phone);
  const sendTemplate = (to: string) =>
    client.post('/send-template', {
      ...{ to, templateName: 'order_update', languageCode: 'en_US' },
      templateParameters: [{ text: 'Anna' }, { text: '4711' }],
    });

  it('lists people who wrote, with their unread message, apart from opt-outs and campaigns', async () => {
    const [mira, ben, reached] = [await person('Mira Aydın', 'Where is my order?'), newPhone(), newPhone()];
    await client.post('/contacts', { phone: ben, name: 'Ben Stop' });
    await writesOn(platform, ben, 'STOP');
    await sendTemplate(reached);
    await sendTemplate(mira);
    const page = await browser.signedIn(service, '/conversations');
    const row = people(page).getByRole('listitem').filter({ hasText: 'Mira Aydın' });
    await row.getByText('Where is my order?').waitFor();
    expect(await row.locator('.conversation-last').innerText()).toBe('Unread: Where is my order?');
    // The time is that of the template.
    expect(await row.locator('.conversation-time').innerText()).toMatch(/^Sent: \d\d:\d\d$/);
    expect(await people(page).getByText('Ben Stop').count()).toBe(0);
    await page.getByRole('navigation').getByRole('link', { name: 'Conversations 1 unread' }).waitFor();
    expect(await page.title()).toBe('(1) Conversations · Messaging console');
    await show(page, 'Unread');
    await row.waitFor();
    expect(await people(page).getByText('Ben Stop').count()).toBe(0);
    await show(page, 'STOP, START and the like');
    await people(page).getByText('Ben Stop').waitFor();
    expect(await people(page).getByText('Mira Aydın').count()).toBe(0);
    await show(page, 'Everyone, with campaigns');
    await people(page)
      .getByText(`+${reached.slice(0, 2)}`, { exact: false })
      .first()
      .waitFor();
    expect(await people(page).getByRole('listitem').count()).toBe(3);
    await noViolations(page);
    await people(page)
      .getByRole('link', { name: /^\+49 / })
      .click();
    await page.getByRole('list', { name: /^Messages with \+49 [\d ]+$/ }).waitFor();
  });

  it('tells people of one name apart by their numbers, as a search does', async () => {
    await person('Mia Twice', 'One');
    await person('Mia Twice', 'Two');
    await person('Max Single', 'Three');
    const page = await browser.signedIn(service, '/conversations');
    await people(page)
      .getByRole('link', { name: /^Mia Twice \+49 [\d ]+$/ })
      .nth(1)
      .waitFor();
    await people(page).getByRole('link', { name: 'Max Single', exact: true }).waitFor();
    await noViolations(page);
    await screenshots(page, 'inbox-one-name');
    await page.getByLabel('Search conversations').fill('Max');
    await people(page)
      .getByRole('link', { name: /^Max Single \+49 [\d ]+$/ })
      .waitFor();
  });

  it("shows a colleague's reply at once, and that a reply did not arrive", async () => {
    const phone = await person('Karl Shared', 'Is it there?', `${newPhone().slice(0, -4)}0003`);
    const [{ id }] = (await client.get(`/conversations?search=${phone}`)).body.items as [{ id: string }];
    const page = await browser.signedIn(service, `/conversations?id=${id}`);
    await page.getByRole('article', { name: 'Received message' }).getByText('Is it there?').waitFor();
    // The tab marks the conversation as read after 1.5 seconds: one event reports both.
    await page.waitForTimeout(1500);
    const begun = Date.now();
    await client.post(`/conversations/${id}/messages`, { text: 'On its way' });
    await page.getByRole('article', { name: 'Sent message' }).getByText('On its way').waitFor();
    expect(Date.now() - begun).toBeLessThan(5000);
    const row = people(page).getByRole('listitem').filter({ hasText: 'On its way' });
    await row.getByText('Not delivered').first().waitFor({ timeout: 20_000 });
    await noViolations(page);
  });

  it('is worked off: done conversations leave the list, and return when the person writes', async () => {
    const phone = await person('Cleo Done', 'Thanks!');
    const page = await browser.signedIn(service, '/conversations');
    await people(page).getByRole('link', { name: 'Cleo Done' }).click();
    await conversation(page).getByRole('button', { name: 'Done' }).click();
    await page.getByText('Marked as done').first().waitFor();
    await people(page).getByText('Cleo Done').waitFor({ state: 'detached' });
    await page.getByRole('group', { name: 'State' }).getByRole('button', { name: 'Done' }).click();
    await people(page).getByText('Cleo Done').waitFor();
    await writesOn(platform, phone, 'One more question');
    await people(page).getByText('Cleo Done').waitFor({ state: 'detached' });
    await page.getByRole('group', { name: 'State' }).getByRole('button', { name: 'Open' }).click();
    await people(page).getByRole('link', { name: 'Cleo Done' }).click();
    await page.getByRole('heading', { level: 2, name: 'Cleo Done' }).waitFor();
    await page.getByRole('link', { name: 'Contact', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Cleo Done' }).waitFor();
  });

  it('is one tab stop with arrow keys, and Enter leads to the reply', async () => {
    await person('Dora One', 'First');
    await person('Emil Two', 'Second');
    const page = await browser.signedIn(service, '/conversations');
    await people(page).getByText('Emil Two').waitFor();
    const focused = people(page).locator(':focus');
    await page.getByLabel('Search conversations').focus();
    for (let stop = 0; stop < 6 && (await focused.count()) === 0; stop++) await page.keyboard.press('Tab');
    expect(await focused.textContent()).toBe('Emil Two');
    await page.keyboard.press('ArrowDown');
    expect(await focused.textContent()).toBe('Dora One');
    // A new message moves its conversation to the top; the focus stays with the person.
    await person('Fritz Three', 'Third');
    await people(page).getByText('Fritz Three').waitFor();
    expect(await focused.textContent()).toBe('Dora One');
    await page.keyboard.press('Tab');
    expect(await focused.count()).toBe(0);
    await page.keyboard.press('Shift+Tab');
    expect(await focused.textContent()).toBe('Dora One');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2, name: 'Dora One' }).waitFor();
    await reply(page).and(page.locator(':focus')).waitFor();
    expect(await people(page).locator('a[tabindex="0"]').count()).toBe(1);
    // A click leaves the focus in the list.
    await people(page).getByRole('link', { name: 'Emil Two' }).click();
    await page.getByRole('heading', { level: 2, name: 'Emil Two' }).waitFor();
    await reply(page).waitFor();
    expect(await focused.textContent()).toBe('Emil Two');
  });

  it('keeps a reply over reloads and other screens until it is sent, and shows a sent picture', async () => {
    await person('Gina Draft', 'Do you have it in blue?');
    const page = await browser.signedIn(service, '/conversations');
    await people(page).getByRole('link', { name: 'Gina Draft' }).click();
    await reply(page).fill('Yes, and in');
    await page.reload();
    await reply(page).waitFor();
    expect(await reply(page).inputValue()).toBe('Yes, and in');
    await page.getByRole('navigation').getByRole('link', { name: 'Message search' }).click();
    await page.getByRole('heading', { level: 1, name: 'Message search' }).waitFor();
    await page.goBack();
    await reply(page).waitFor();
    expect(await reply(page).inputValue()).toBe('Yes, and in');
    const pixel = { name: 'pixel.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') };
    await page.getByLabel('Attachment').setInputFiles(pixel);
    await page.getByRole('button', { name: 'Send' }).click();
    const thread = page.getByRole('list', { name: /^Messages with/ });
    const picture = thread.getByRole('article', { name: 'Sent message' }).getByRole('button', { name: 'Open picture' });
    await picture.waitFor();
    const width = `document.querySelector('[aria-label="Sent message"] img').decode().then(() => 'shown')`;
    expect(await page.evaluate(width)).toBe('shown');
    await page.reload();
    await reply(page).waitFor();
    expect(await reply(page).inputValue()).toBe('');
    // Now downloaded from the platform.
    await picture.waitFor();
    expect(await page.evaluate(width)).toBe('shown');
  });

  it('names who replied, lists who waits for a reply, and marks a conversation as unread', async () => {
    await person('Willi Waits', 'Is it open on Sunday?');
    const page = await browser.signedIn(service, '/conversations');
    await show(page, 'Waiting for a reply');
    await people(page).getByRole('link', { name: 'Willi Waits' }).click();
    await reply(page).fill('Yes, from ten');
    await page.getByRole('button', { name: 'Send' }).click();
    const [key] = (await client.get('/api-keys')).body.items as { name: string }[];
    const sent = conversation(page).getByRole('article', { name: 'Sent message' });
    await sent.getByText(`by ${key!.name}`).waitFor();
    await people(page).getByText('Willi Waits').waitFor({ state: 'detached' });

    await show(page, 'People who wrote');
    const row = people(page).getByRole('listitem').filter({ hasText: 'Willi Waits' });
    await row.waitFor();
    await row.locator('.unread-count').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Mark as unread' }).click();
    await row.locator('.unread-count').waitFor();
    await conversation(page).getByText('Select a conversation').waitFor();
    await row.getByRole('link').click();
    await row.locator('.unread-count').waitFor({ state: 'detached' });
  });

  it('keeps the quote of a reply with its text, and sends both', async () => {
    await person('Hanna Quote', 'Do you have it in blue?');
    const page = await browser.signedIn(service, '/conversations');
    await people(page).getByRole('link', { name: 'Hanna Quote' }).click();
    await page.getByRole('button', { name: 'Reply to this message' }).click();
    await reply(page).fill('Yes, we do');
    await page.reload();
    const form = page.getByRole('form', { name: 'Reply' });
    await form.getByText('Do you have it in blue?').waitFor();
    expect(await reply(page).inputValue()).toBe('Yes, we do');
    await page.getByRole('button', { name: 'Send' }).click();
    const sent = page.getByRole('article', { name: 'Sent message' });
    await sent.getByText('Their message').waitFor();
    await sent.getByText('Do you have it in blue?').waitFor();
    expect(await form.getByText('Their message').count()).toBe(0);
  });

  it('keeps a quote chosen while a reply is being sent for the next one', async () => {
    await person('Ines Busy', 'Do you have it in blue?');
    const page = await browser.signedIn(service, '/conversations');
    await people(page).getByRole('link', { name: 'Ines Busy' }).click();
    await reply(page).fill('One moment');
    const held: Route[] = [];
    await page.route('**/conversations/*/messages', (route) =>
      route.request().method() === 'POST' ? void held.push(route) : route.continue(),
    );
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Reply to this message' }).click();
    const form = page.getByRole('form', { name: 'Reply' });
    await form.getByText('Do you have it in blue?').waitFor();
    await held[0]!.continue();
    await page.getByRole('article', { name: 'Sent message' }).waitFor();
    await page.locator('.answer-field:enabled:not([readonly])').waitFor();
    expect(await reply(page).inputValue()).toBe('');
    await form.getByText('Do you have it in blue?').waitFor();
  });

  it('asks before what is pending in a reply is lost: a file with the screen, a text with signing out', async () => {
    await person('Jan Leaves', 'Do you have it in blue?');
    const page = await browser.signedIn(service, '/conversations');
    await people(page).getByRole('link', { name: 'Jan Leaves' }).click();
    await reply(page).fill('Yes');
    const overview = page.getByRole('navigation').getByRole('link', { name: 'Overview' });
    const dialog = page.getByRole('dialog', { name: 'Leave without sending?' });
    await overview.click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.goBack();
    await reply(page).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await dialog.getByText('Signing out deletes a draft in this browser:').waitFor();
    await dialog.getByRole('button', { name: 'Stay here' }).click();
    expect(await reply(page).inputValue()).toBe('Yes');
    const pixel = { name: 'pixel.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') };
    await page.getByLabel('Attachment').setInputFiles(pixel);
    await overview.click();
    await dialog.getByText('A file has to be chosen again.').waitFor();
    await dialog.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.goBack();
    await reply(page).waitFor();
    expect(await reply(page).inputValue()).toBe('');
  });

  it('keeps a template that is filled in over reloads and other screens until it is sent', async () => {
    const phone = newPhone();
    await sendTemplate(phone);
    const [found] = (await client.get(`/conversations?search=${phone}`)).body.items as { id: string }[];
    const page = await browser.signedIn(service, `/conversations?id=${found!.id}`);
    await page.getByRole('button', { name: /^order_update / }).click();
    await page.getByLabel('{{1}}').fill('Mira');
    await page.reload();
    await page.getByText('Your draft was restored.').waitFor();
    expect(await page.getByLabel('{{1}}').inputValue()).toBe('Mira');
    await noViolations(page);
    await screenshots(page, 'conversation-template-draft');
    await page.getByRole('navigation').getByRole('link', { name: 'Message search' }).click();
    await page.getByRole('heading', { level: 1, name: 'Message search' }).waitFor();
    await page.goBack();
    await page.getByLabel('{{2}}').fill('PK-7');
    expect(await page.getByLabel('{{1}}').inputValue()).toBe('Mira');
    let show: () => void = () => undefined;
    const isShown = new Promise<void>((resolve) => (show = resolve));
    await page.route('**/conversations/*/messages*', (route) => isShown.then(() => route.continue()));
    await page.getByRole('button', { name: 'Send template' }).click();
    await page.getByText('Template sent').or(page.getByText('Template queued')).first().waitFor();
    // Before its event, or any other load of the messages.
    const bubble = page.getByRole('article', { name: 'Sent message' }).filter({ hasText: 'PK-7' });
    await bubble.getByText('Mira').waitFor();
    const words = await bubble.locator('.bubble-body').innerText();
    const loaded = page.waitForResponse('**/conversations/*/messages*');
    show();
    await (await loaded).finished();
    await page.waitForTimeout(1000);
    expect([await bubble.count(), await bubble.locator('.bubble-body').innerText()]).toEqual([1, words]);
    await page.unrouteAll({ behavior: 'wait' });
    await page.reload();
    await page.getByRole('list', { name: 'Approved templates' }).waitFor();
    expect(await page.getByText('Your draft was restored.').count()).toBe(0);
  });

  it('fills in a template with what is known of the contact, and sends it with its button only', async () => {
    const phone = newPhone();
    await client.post('/contacts', { phone, name: 'Lena Known', parameters: { 1: 'Lena' } });
    await sendTemplate(phone);
    const [found] = (await client.get(`/conversations?search=${phone}`)).body.items as { id: string }[];
    const page = await browser.signedIn(service, `/conversations?id=${found!.id}`);
    await page.getByRole('button', { name: /^order_update / }).click();
    await page.getByLabel('{{1}}', { exact: true }).waitFor();
    expect(await page.getByLabel('{{1}}', { exact: true }).inputValue()).toBe('Lena');
    const preview = await page.getByRole('article', { name: 'Preview' }).innerText();
    expect([preview.includes('Lena'), preview.includes('{{2}}')]).toEqual([true, true]);
    const asked: string[] = [];
    page.on('request', (request) => request.url().endsWith('/send-template') && asked.push(request.method()));
    await page.getByLabel('{{2}}', { exact: true }).fill('PK-7');
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'Preview' }).getByText('PK-7').waitFor();
    expect(asked).toEqual([]);
    await page.getByRole('button', { name: 'Send template' }).click();
    await page.getByText('Template sent').or(page.getByText('Template queued')).first().waitFor();
    expect(asked).toEqual(['POST']);
  });

  it('has quick replies of the account, inserted at the cursor', async () => {
    const phone = await person('Hugo Quick', 'When are you open?');
    const page = await browser.signedIn(service, '/conversations');
    await people(page).getByRole('link', { name: 'Hugo Quick' }).click();
    await reply(page).fill('Monday to Saturday, 9 am to 6 pm.');
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Quick replies' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Manage quick replies');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Opening hours');
    expect(await dialog.getByLabel('Text').inputValue()).toBe('Monday to Saturday, 9 am to 6 pm.');
    await dialog.getByRole('button', { name: 'Add quick reply' }).dblclick();
    await dialog.getByRole('button', { name: 'Change Opening hours' }).click();
    await dialog.getByLabel('Text').fill('9 to 6.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('9 to 6.').waitFor();
    await noViolations(page);
    await screenshots(page, 'quick-replies');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await reply(page).fill('Hello, we are open . Bye');
    await page.evaluate(`document.querySelector('.answer-field').setSelectionRange(19, 19)`);
    await choose('Opening hours');
    expect(await reply(page).inputValue()).toBe('Hello, we are open 9 to 6.. Bye');
    await reply(page).and(page.locator(':focus')).waitFor();
    expect((await client.get('/quick-replies')).body.items).toHaveLength(1);
    await choose('Manage quick replies');
    await dialog.getByRole('button', { name: 'Delete Opening hours' }).click();
    await page.getByRole('dialog', { name: 'Delete Opening hours?' }).getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete Opening hours' }).waitFor({ state: 'detached' });
    expect((await client.get('/quick-replies')).body.items).toEqual([]);
    expect(((await platform.ledger()) as { to: string }[]).filter(({ to }) => to.endsWith(phone))).toEqual([]);
  });

  it('has every action on a phone', async () => {
    await person('Ida Phone', 'A question that is long enough to fill the width of a phone and more than one line');
    const page = await browser.signedIn(service, '/conversations', { width: 390 });
    await page.getByRole('banner').getByText('unread').waitFor();
    await people(page).getByRole('link', { name: 'Ida Phone' }).click();
    const actions = [
      ...['Reply to this message', 'Done', 'More', 'Quick replies', 'Send'].map((name) =>
        conversation(page).getByRole('button', { name, exact: true }),
      ),
      page.getByRole('button', { name: /^Attach a file/ }),
      ...['Details', 'Contact', 'All conversations'].map((name) =>
        conversation(page).getByRole('link', { name, exact: true }),
      ),
    ];
    // A tap on a message shows its actions.
    const shown = () => page.evaluate(`getComputedStyle(document.querySelector('.thread-actions')).opacity`);
    const received = conversation(page).getByRole('article', { name: 'Received message' });
    await received.waitFor();
    await page.mouse.move(0, 0);
    expect(await shown()).toBe('0');
    await received.click();
    expect(await shown()).toBe('1');
    for (const action of actions) {
      await action.waitFor();
      const { x, width } = (await action.boundingBox())!;
      expect([x >= 0, x + width <= 390]).toEqual([true, true]);
    }
    const top = async (name: string) => (await page.getByRole('button', { name, exact: true }).boundingBox())!.y;
    const back = (await page.getByRole('link', { name: 'All conversations' }).boundingBox())!;
    for (const name of ['Done', 'More']) expect(Math.abs((await top(name)) - back.y)).toBeLessThan(20);
    await noViolations(page);
    await screenshots(page, 'inbox');
    await page.getByRole('link', { name: 'All conversations' }).click();
    await people(page).getByText('Ida Phone').waitFor();
    await screenshots(page, 'inbox-list');
  });
});
