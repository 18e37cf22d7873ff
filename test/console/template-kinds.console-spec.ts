import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, screenshots } from '../support/console/browser';
import { startConsoleOnPlatform, stopConsole } from '../support/console/set-up';
import type { Client, Json } from '../support/process/client';
import type { Service } from '../support/process/service';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const PICTURE = { name: 'pixel.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') };

/** What a person fills in beside name and text, and what is then listed. */
type Kind = [kind: string, name: string, fill: (page: Page) => Promise<unknown>, listed: object];

const buttonOf = (type: string, text: string) => ({ type, text });
const fillCards = async (page: Page) => {
  await page.getByRole('button', { name: 'Quick reply' }).click();
  await page.getByRole('button', { name: 'Link' }).click();
  for (const number of [1, 2]) {
    const card = page.getByRole('group', { name: `Card ${number}`, exact: true });
    await card.getByLabel(`Drop the example of card ${number} here`).setInputFiles(PICTURE);
    await card.getByLabel(`Text of card ${number}`).fill('Only {{1}} left of these.');
    await card.getByLabel(`Example for {{1}} of card ${number}`).fill(String(number + 2));
    await card.getByRole('group', { name: 'Quick reply' }).getByLabel('Label').fill('Tell me more');
    const link = card.getByRole('group', { name: 'Link' });
    await link.getByLabel('Label').fill('Shop');
    await link.getByLabel('URL', { exact: true }).fill('https://shop.example/{{1}}');
    await link.getByLabel('Example URL').fill('https://shop.example/sku-1');
  }
};

const KINDS: Kind[] = [
  [
    ...(['Message', 'kind_message'] as const),
    async (page) => {
      await page.getByRole('button', { name: 'Copy code' }).click();
      await page.getByLabel('Example code').fill('SAVE20');
      await page.getByRole('button', { name: 'Voice call' }).click();
      await page.getByLabel('Label').fill('Call now');
      await page.getByRole('button', { name: 'Request contact info' }).click();
    },
    { buttons: [{ type: 'CopyCode' }, buttonOf('VoiceCall', 'Call now'), { type: 'RequestContactInfo' }] },
  ],
  [
    ...(['Form', 'kind_form'] as const),
    async (page) => {
      await page.getByLabel('Label').fill('Book');
      await page.getByLabel('Flow ID').fill('600000000000001');
      await page.getByLabel('First screen').fill('START');
    },
    { buttons: [buttonOf('Flow', 'Book')], category: 'Utility' },
  ],
  [
    ...(['Limited-time offer', 'kind_offer'] as const),
    async (page) => {
      await page.getByLabel('Offer', { exact: true }).fill('Ends tonight!');
      await page.getByLabel('Example code').fill('SAVE20');
      await page.getByLabel('Label').fill('Shop');
      await page.getByLabel('URL', { exact: true }).fill('https://shop.example');
    },
    { offer: { text: 'Ends tonight!', hasExpiration: true }, category: 'Marketing' },
  ],
  ['Carousel', 'kind_carousel', fillCards, { cards: [{ headerFormat: 'Image' }, { headerFormat: 'Image' }] }],
  ['Catalog', 'kind_catalog', () => Promise.resolve(), { buttons: [buttonOf('Catalog', 'View catalog')] }],
  [
    ...(['Products', 'kind_products'] as const),
    (page) => page.getByLabel('Header text').fill('Our best'),
    { buttons: [buttonOf('MultiProduct', 'View items')] },
  ],
  [
    'Product',
    'kind_product',
    () => Promise.resolve(),
    { headerFormat: 'Product', buttons: [buttonOf('Product', 'View')] },
  ],
  ['Call request', 'kind_call_request', () => Promise.resolve(), { buttons: [] }],
  [
    ...(['One-time password', 'kind_password'] as const),
    async (page) => {
      await page.getByRole('combobox', { name: 'Delivery of the code' }).click();
      await page.getByRole('option', { name: /^A tap/ }).click();
      await page.getByLabel('Label of the autofill button').fill('Fill in');
      await page.getByLabel('Package name of app 1').fill('com.example.app');
      await page.getByLabel('Signing key hash of app 1').fill('K8a/AINcGX7');
    },
    { category: 'Authentication', buttons: [{ type: 'Otp' }] },
  ],
];

describe('The kinds of templates in the console', () => {
  let service: Service;
  let browser: ConsoleBrowser;
  let client: Client;

  beforeAll(async () => {
    ({ service, client, browser } = await startConsoleOnPlatform());
  });

  afterAll(stopConsole);

  const listed = async (name: string): Promise<Json> =>
    ((await client.get(`/templates?search=${name}`)).body as { items: Json[] }).items[0];
  const choose = async (page: Page, kind: string) => {
    await page.getByRole('combobox', { name: 'What the template is for' }).click();
    await page.getByRole('option', { name: new RegExp(`^${kind}:`) }).click();
  };

  it.each(KINDS)('are created, and listed: %s', async (kind, name, fill, expected) => {
    const page = await browser.signedIn(service, '/templates/new');
    await choose(page, kind);
    await page.getByLabel('Name', { exact: true }).fill(name);
    const body = page.getByLabel('Body text');
    if (kind !== 'One-time password') await body.fill(`Hello, this is the ${kind.toLowerCase()} for you.`);
    await fill(page);
    await page.getByText('Ready for review').waitFor();
    await noViolations(page);
    if (kind === 'Carousel') await screenshots(page, 'template-editor-carousel');
    if (kind === 'Limited-time offer') await screenshots(page, 'template-editor-offer');
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await noViolations(page);
    expect(await listed(name)).toMatchObject({ ...expected, unsupported: [] });
    await page.getByRole('navigation').getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('link', { name, exact: true }).waitFor();
  });

  it('show cards that scroll by key, each with its own values, and the offer', async () => {
    const page = await browser.signedIn(service, `/templates/${(await listed('new_arrivals')).id as string}`);
    const message = page.getByRole('article', { name: 'Message' });
    const cards = message.getByRole('region', { name: 'Cards' });
    await page.getByLabel('Link suffix of “View” of card 2').fill('sku-2');
    await cards
      .getByRole('group', { name: 'Card 2' })
      .getByTitle(/sku-2$/)
      .waitFor();
    await cards.focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction("document.querySelector('.bubble-cards').scrollLeft > 0");
    await noViolations(page);
    await screenshots(page, 'template-carousel');
    await page.goto(page.url().replace(/[^/]+$/, (await listed('weekend_offer')).id as string));
    await message.getByText('Ends at the time given when sending').waitFor();
    await noViolations(page);
  });

  it('add a button to all cards, remove it from all, and name the problem of each', async () => {
    const page = await browser.signedIn(service, '/templates/new');
    await choose(page, 'Carousel');
    await page.getByRole('button', { name: 'Add card' }).click();
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await expectCount(page, 'Call', 3);
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByText('Choose an example file: JPEG or PNG.').nth(2).waitFor();
    await noViolations(page);
    await page.getByRole('button', { name: 'Remove card 3' }).click();
    await expectCount(page, 'Call', 2);
    await page.getByRole('button', { name: 'Remove button' }).first().click();
    await expectCount(page, 'Call', 0);
  });

  async function expectCount(page: Page, group: string, count: number): Promise<void> {
    expect(await page.getByRole('group', { name: group, exact: true }).count()).toBe(count);
  }
});
