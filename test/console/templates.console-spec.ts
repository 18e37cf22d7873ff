import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { startConsole, stopConsole } from '../support/console/set-up';
import type { Client, Json } from '../support/process/client';
import type { Service } from '../support/process/service';

describe('Templates in the console', () => {
  let service: Service;
  let browser: ConsoleBrowser;
  let client: Client;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsole());
  });

  afterAll(stopConsole);

  it('lists them with status and reasons, and keeps the filters in the URL', async () => {
    const created = await client.post('/templates', LONG_AND_ARABIC);
    expect(created.status).toBe(201);
    const page = await browser.signedIn(service, '/templates');
    await page.getByText('Rejected by WhatsApp: variables or links').waitFor();
    const areSendable = await page.evaluate<boolean[]>(
      "[...document.querySelectorAll('tbody td:nth-child(2)')].map((cell) => !cell.querySelector('.cell-sub'))",
    );
    expect(areSendable).toEqual([...areSendable].sort((one, other) => Number(other) - Number(one)));
    expect(new Set(areSendable).size).toBe(2);
    await noViolations(page);
    await screenshots(page, 'templates');
    await page.getByRole('link', { name: LONG_AND_ARABIC.name }).click();
    await page.getByRole('heading', { level: 1, name: LONG_AND_ARABIC.name }).waitFor();
    await page.getByRole('article', { name: 'Message' }).getByText('شكرا لك').waitFor();
    expect(await page.evaluate("getComputedStyle(document.querySelector('.bubble-text')).direction")).toBe('rtl');
    await noViolations(page);
    await screenshots(page, 'template-long');
    await page.goBack();
    await page.getByRole('searchbox', { name: 'Search' }).fill('parcel_tr');
    await page.getByText('1 template').waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('parcel_tr');
    await page.getByRole('link', { name: 'parcel_tracking' }).click();
    await page.getByRole('heading', { level: 1, name: 'parcel_tracking' }).waitFor();
    await page.getByLabel('{{1}} in the header').fill('PK-7');
    await page.getByRole('article', { name: 'Message' }).getByText('Parcel PK-7').waitFor();
    await noViolations(page);
    await screenshots(page, 'template');
  });

  it('shows preview and validation while typing, and submits once', async () => {
    const page = await browser.signedIn(service, '/templates/new');
    await page.getByLabel('Name', { exact: true }).fill('Delivery Today');
    await page.getByLabel('Body text').fill('{{1}} waits for you');
    await page.keyboard.press('Tab');
    await page.getByText('Put words before and after the placeholders.').waitFor();
    await noViolations(page);
    await screenshots(page, 'template-editor-problem');
    await page.getByLabel('Body text').fill('Hello *{{1}}*, your order is here.');
    await page.getByLabel('Example for {{1}}').fill('Mira');
    await page.getByRole('button', { name: 'Quick reply' }).click();
    await page.getByLabel('Label').fill('Thanks');
    const bubble = page.getByRole('article', { name: 'Message' });
    await bubble.locator('strong', { hasText: 'Mira' }).waitFor();
    await page.getByText('Ready for review').waitFor();
    await noViolations(page);
    await screenshots(page, 'template-editor');
    await page.getByRole('button', { name: 'Submit for review' }).dblclick();
    await page.getByRole('heading', { level: 1, name: 'delivery_today' }).waitFor();
    const { items } = (await client.get('/templates?search=delivery_today')).body as { items: Json[] };
    // The service does not store examples.
    await bubble.locator('strong', { hasText: 'Mira' }).waitFor();
    expect(await page.getByLabel('{{1}}', { exact: true }).inputValue()).toBe('Mira');
    expect(items).toMatchObject([{ name: 'delivery_today', buttons: [{ type: 'QuickReply', text: 'Thanks' }] }]);
  });

  it('adds a language with the same name, text and examples, also after a long review', async () => {
    const page = await browser.signedIn(service, '/templates/new');
    await page.clock.install();
    await page.getByLabel('Name', { exact: true }).fill('pickup_today');
    await page.getByLabel('Body text').fill('Hello {{1}}, please pick it up.');
    await page.getByLabel('Example for {{1}}').fill('Mira');
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByRole('heading', { level: 1, name: 'pickup_today' }).waitFor();
    await page.clock.fastForward('01:00:00');
    await page.getByRole('link', { name: 'Add a language' }).click();
    await page.getByRole('heading', { level: 1, name: 'Add a language' }).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('pickup_today');
    expect(await page.getByLabel('Example for {{1}}').inputValue()).toBe('Mira');
    await page.getByRole('combobox', { name: 'Language' }).fill('de');
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByRole('heading', { level: 1, name: 'pickup_today' }).waitFor();
    const { items } = (await client.get('/templates?search=pickup_today')).body;
    expect((items as Json[]).map(({ languageCode }) => languageCode as string).sort()).toEqual(['de', 'en_US']);
  });

  it('shows the problems of a field once a person has left it', async () => {
    const page = await browser.signedIn(service, '/templates/new');
    const checked = (text: string) =>
      page.waitForResponse((answer) => (answer.request().postData() ?? '').includes(text));
    const errors = page.locator('.field-error');
    await page.getByText('Not complete yet').waitFor();
    await Promise.all([checked('klingon'), page.getByRole('combobox', { name: 'Language' }).fill('klingon')]);
    await page.getByText('Not complete yet').waitFor();
    expect(await errors.count()).toBe(0);
    await page.keyboard.press('Tab');
    await page.getByText('1 field needs attention').waitFor();
    expect(await errors.count()).toBe(1);
    await page.getByLabel('Body text').focus();
    await page.keyboard.press('Tab');
    await page.getByText('2 fields need attention').waitFor();
    expect(await errors.count()).toBe(2);
  });

  it('have a language by its name, in the editor and as a filter', async () => {
    const page = await browser.signedIn(service, '/templates/new');
    const language = page.getByRole('combobox', { name: 'Language' });
    const isRead = page.waitForRequest((request) => (request.postData() ?? '').includes('"languageCode":"de"'));
    await Promise.all([isRead, language.fill('Deutsch')]);
    await page.goto('/console/templates');
    const isFiltered = page.waitForRequest(/languageCode=en_US/);
    await Promise.all([isFiltered, language.fill('English (United States)')]);
  });

  it('shows all problems of a submission at once', async () => {
    const page = await browser.signedIn(service, '/templates/new');
    await page.getByLabel('Body text').fill('Hello {{1}}, your order {{3}}');
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByText('4 fields need attention').waitFor();
    const body = page.locator('.field', { has: page.getByLabel('Body text') });
    await body.getByText(/^\{\{2\}\} is missing: .* Put words before and after the placeholders\.$/).waitFor();
    for (const variable of ['{{1}}', '{{3}}']) {
      const example = page.locator('.field', { has: page.getByLabel(`Example for ${variable}`) });
      await example.getByText('Fill in this field.').waitFor();
    }
    // Too long for the form of the request, which is checked first.
    const language = page.getByRole('combobox', { name: 'Language' });
    await language.fill('x'.repeat(21));
    await page.locator('.field', { has: language }).locator('.field-error').waitFor();
  });

  it('leads to the first field that stops the submission', async () => {
    const page = await browser.signedIn(service, '/templates/new', { width: 400 });
    const submit = page.getByRole('button', { name: 'Submit for review' });
    await page.getByText('Not complete yet').waitFor();
    await submit.click();
    await page.getByText('2 fields need attention').waitFor();
    const name = page.getByLabel('Name', { exact: true });
    await page.locator('.field', { has: name }).getByText('Fill in this field.').waitFor();
    expect(await page.evaluate(`document.activeElement.placeholder`)).toBe('parcel_on_the_way');
    expect(await page.evaluate(IN_VIEW)).toBe(true);
    await name.fill('parcel_here');
    await page.locator('.field', { has: name }).locator('.field-error').waitFor({ state: 'detached' });
    await submit.click();
    await page.locator('textarea:focus').waitFor();
    expect(await page.evaluate(IN_VIEW)).toBe(true);
    await noViolations(page);
    await page.keyboard.type('Your parcel is here.');
    await page.getByRole('combobox', { name: 'Header' }).click();
    await page.getByRole('option', { name: 'Image' }).click();
    await page.getByText(/^JPEG or PNG\. For WhatsApp's review only/).waitFor();
    await submit.click();
    await page.getByText('Choose an example file: JPEG or PNG.').waitFor();
    await page.getByRole('button', { name: 'Choose a file' }).and(page.locator(':focus')).waitFor();
    await name.fill('');
    await submit.click();
    await name.and(page.locator(':focus')).waitFor();
  });

  it('has each category on one line', async () => {
    const page = await browser.signedIn(service, '/templates/new', { width: 1280, locale: 'de-DE' });
    const height = async (name: string) =>
      (await page.getByRole('combobox', { name, exact: true }).boundingBox())!.height;
    expect(await height('Kategorie')).toBe(await height('Kopfbereich'));
  });

  it('shows no actions to a read-only key', async () => {
    const { body } = await client.post('/api-keys', { name: 'Reader', scopes: ['templates:read'] });
    const page = await browser.signedIn(service, '/templates?search=order_update', { key: body.key as string });
    await page.getByRole('link', { name: 'order_update' }).waitFor();
    expect(await page.getByRole('button', { name: 'Sync with WhatsApp' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Create template' }).count()).toBe(0);
    await page.getByRole('link', { name: 'order_update' }).click();
    await page.getByRole('heading', { level: 1, name: 'order_update' }).waitFor();
    for (const name of ['Edit', 'Copy', 'Send']) expect(await page.getByRole('link', { name }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  });
});

/** Whether the focused field is on the screen. */
const IN_VIEW = `(() => {
  const { top, bottom } = document.activeElement.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
})()`;

const LONG_AND_ARABIC = {
  name: 'donaudampfschifffahrtsgesellschaftskapitaenspatente_verlaengerungserinnerung_2026',
  languageCode: 'ar',
  category: 'Utility',
  body: { text: 'مرحبا {{1}} 🎉 طلبك *في الطريق*، شكرا لك.', examples: ['ميرا'] },
};
