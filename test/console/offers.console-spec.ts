import type { Page } from 'playwright-core';
import { type ConsoleBrowser, noViolations, problemsOf, screenshots } from '../support/console/browser';
import { chooseColumn, chooseTemplate } from '../support/console/columns';
import { dropSpreadsheet } from '../support/console/files';
import { startConsoleOnPlatform, stopConsole } from '../support/console/set-up';
import { phones } from '../support/process/bulk';
import type { Client, Json } from '../support/process/client';
import type { Platform } from '../support/process/platform';
import { type Service, until } from '../support/process/service';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const PICTURE = { name: 'dress.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') };
const DAY_MS = 86_400_000;

/** The time `days` from now, as the value of an input. */
const inDays = (days: number) => {
  const at = new Date(Date.now() + days * DAY_MS);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

describe('Offers, carousels and products in the console', () => {
  let platform: Platform;
  let service: Service;
  let browser: ConsoleBrowser;
  let client: Client;

  beforeAll(async () => {
    ({ service, client, browser, platform } = await startConsoleOnPlatform());
  });

  afterAll(stopConsole);

  const end = (page: Page) => page.getByLabel('End of the offer');
  const picture = (page: Page, card: number) => page.getByLabel(`Drop the picture of card ${card} here`);
  const pictureUrl = (page: Page, card: number) => page.getByLabel(`Or a public URL of the picture of card ${card}`);
  const message = (page: Page, name = 'Message') => page.getByRole('article', { name });
  const sendMessage = (page: Page) => page.getByRole('button', { name: 'Send message' });
  /** What the platform accepted for a number, as soon as it did. */
  const acceptedFor = async (phone: string) => {
    const found = async () => (await platform.ledger()).filter(({ to }) => to === phone);
    await until(async () => (await found()).length > 0, 20_000, `a message to ${phone}`);
    return (await found()).map(({ template, parameters }) => [template, ...parameters]);
  };
  const open = async (path: string, template: string) => {
    const page = await browser.signedIn(service, path);
    await chooseTemplate(page, template);
    return page;
  };
  /** The body of the request with which the message is sent. */
  const sent = async (page: Page): Promise<Json> => {
    const request = page.waitForRequest((one) => one.url().endsWith('/send-template') && one.method() === 'POST');
    await sendMessage(page).click();
    const body = (await request).postDataJSON();
    await page.getByText(/Delivered to the phone|Read by the person/).waitFor();
    return body;
  };

  it('an offer is sent from a file, with an end that is kept, and compared with the schedule', async () => {
    const [own, one, two] = phones(3, 100) as [string, string, string];
    const page = await open('/send/campaign', 'weekend_offer');
    await dropSpreadsheet(page, ['Phone,Name,Code,Ending', `${one},Mira,SUN20,n3`, `${two},Tom,SUN21,n4`]);
    // At the field and at each step that waits for it; the file is not uploaded before.
    await page.getByText('Enter when the offer ends first.').nth(3).waitFor();
    await end(page).fill(inDays(-1));
    await page.getByText('This time is in the past. Choose a later end.').waitFor();
    await end(page).fill(inDays(2));
    for (const [field, header] of [
      ['{{1}}', 'Name'],
      ['Code of “Copy offer code”', 'Code'],
      ['Link suffix of “Shop”', 'Ending'],
    ]) {
      await chooseColumn(page, field!, header!);
    }
    await message(page, 'Message to row 2')
      .getByText(/^Ends \d/)
      .waitFor();
    await page.getByRole('button', { name: 'Send to 2 people…' }).waitFor();
    await noViolations(page);
    await screenshots(page, 'campaign-offer');

    await page.getByRole('switch', { name: 'Send later' }).click();
    await page.getByLabel('Starts at').fill(inDays(3));
    await page.getByText(/^Sending would start on .*, after the end of the offer/).waitFor();
    const schedule = page.getByRole('button', { name: 'Schedule 2 messages…' });
    expect(await page.getByRole('button', { name: /^(Schedule|Send to) 2/ }).isDisabled()).toBe(true);
    await page.getByLabel('Starts at').fill(inDays(1));
    await schedule.and(page.locator(':enabled')).waitFor();
    await page.getByRole('switch', { name: 'Create on hold' }).click();
    await page.getByText(/Send the job early enough/).waitFor();
    await page.getByRole('switch', { name: 'Create on hold' }).click();
    await page.getByRole('switch', { name: 'Send later' }).click();

    await page.getByLabel('Your own number').fill(`+${own}`);
    await page.getByRole('button', { name: 'Send a test to myself' }).click();
    expect(await acceptedFor(own)).toEqual([['weekend_offer', 'Mira', 'SUN20', 'n3']]);

    const chosen = await end(page).inputValue();
    await page.reload();
    expect(await end(page).inputValue()).toBe(chosen);
    await dropSpreadsheet(page, ['Phone,Name,Code,Ending', `${one},Mira,SUN20,n3`, `${two},Tom,SUN21,n4`]);
    await page.getByRole('button', { name: 'Send to 2 people…' }).click();
    await page.getByRole('button', { name: 'Send 2 messages' }).click();
    await page.waitForURL(/\/console\/jobs\//);
    expect(await acceptedFor(one)).toEqual([['weekend_offer', 'Mira', 'SUN20', 'n3']]);
    expect(await acceptedFor(two)).toEqual([['weekend_offer', 'Tom', 'SUN21', 'n4']]);
    expect(problemsOf(page)).toEqual([]);
  });

  it('a carousel is sent from a file, with the pictures of its cards for all and links for each', async () => {
    const [one] = phones(1, 200) as [string];
    const page = await open('/send/campaign', 'new_arrivals');
    await picture(page, 1).setInputFiles(PICTURE);
    await message(page).getByRole('img', { name: 'Picture' }).waitFor();
    await dropSpreadsheet(page, ['Phone,Name,First,Second', `${one},Mira,sku-7,sku-8`]);
    await page.getByText('Add the picture of card 2 first.').first().waitFor();
    // The service refuses private addresses: at the field.
    await pictureUrl(page, 2).fill('https://10.0.0.1/blouse.png');
    const card = page.getByRole('group', { name: 'Card 2' }).filter({ has: pictureUrl(page, 2) });
    await card.locator('.field-error').waitFor();
    await pictureUrl(page, 2).fill('https://files.example.com/blouse.png');
    await card.locator('.field-error').waitFor({ state: 'detached' });
    for (const [field, header] of [
      ['{{1}}', 'Name'],
      ['Link suffix of “View” of card 1', 'First'],
      ['Link suffix of “View” of card 2', 'Second'],
    ]) {
      await chooseColumn(page, field!, header!);
    }
    await page.getByRole('button', { name: 'Send to 1 person…' }).waitFor();
    const cards = message(page, 'Message to row 2').getByRole('region', { name: 'Cards' });
    expect(await cards.getByRole('group').count()).toBe(2);
    expect(await cards.getByRole('listitem').first().getAttribute('title')).toBe('https://shop.example.test/sku-7');
    await cards.focus();
    await page.keyboard.press('ArrowRight');
    await noViolations(page);
    await screenshots(page, 'campaign-carousel');
    await page.reload();
    await page.getByText('dress.png was uploaded earlier and is used').waitFor();
    expect(await pictureUrl(page, 2).inputValue()).toBe('https://files.example.com/blouse.png');
    await dropSpreadsheet(page, ['Phone,Name,First,Second', `${one},Mira,sku-7,sku-8`]);
    await page.getByRole('button', { name: 'Send to 1 person…' }).click();
    await page.getByRole('button', { name: 'Send 1 message' }).click();
    await page.waitForURL(/\/console\/jobs\//);
    expect(await acceptedFor(one)).toEqual([['new_arrivals', 'Mira', 'sku-7', 'sku-8']]);
    await message(page).getByRole('region', { name: 'Cards' }).waitFor();
  });

  it('both are sent to one person', async () => {
    const [offered, shown] = phones(2, 300) as [string, string];
    let page = await open('/send/one', 'weekend_offer');
    await page.getByLabel('Phone number').fill(`+${offered}`);
    await page.getByLabel('{{1}}').fill('Mira');
    await page.getByLabel('Code of “Copy offer code”').fill('SUN20');
    await page.getByLabel('Link suffix of “Shop”').fill('n3');
    await page.getByText('Enter when the offer ends first.').waitFor();
    expect(await sendMessage(page).isDisabled()).toBe(true);
    await end(page).fill(inDays(1));
    // In the time zone of the browser.
    const offerExpiresAt = await page.evaluate<string>(`new Date('${await end(page).inputValue()}').toISOString()`);
    await message(page)
      .getByText(/^Ends \d/)
      .waitFor();
    await noViolations(page);
    await screenshots(page, 'send-one-offer');
    expect(await sent(page)).toMatchObject({ offerExpiresAt });
    expect(await acceptedFor(offered)).toEqual([['weekend_offer', 'Mira', 'SUN20', 'n3']]);

    page = await open('/send/one', 'new_arrivals');
    await page.getByLabel('Phone number').fill(`+${shown}`);
    await page.getByLabel('{{1}}').fill('Mira');
    await page.getByLabel('Link suffix of “View” of card 1').fill('sku-7');
    await page.getByLabel('Link suffix of “View” of card 2').fill('sku-8');
    await picture(page, 1).setInputFiles(PICTURE);
    await page.getByText('Add the picture of card 2 first.').waitFor();
    await pictureUrl(page, 2).fill('https://files.example.com/blouse.png');
    await sendMessage(page).and(page.locator(':enabled')).waitFor();
    await screenshots(page, 'send-one-carousel');
    const { cards } = await sent(page);
    expect(cards).toEqual([
      { headerMediaId: expect.any(String) as unknown },
      { headerMediaUrl: 'https://files.example.com/blouse.png' },
    ]);
    expect(await acceptedFor(shown)).toEqual([['new_arrivals', 'Mira', 'sku-7', 'sku-8']]);
  });

  it('an offer is sent in a conversation', async () => {
    const [phone] = phones(1, 350) as [string];
    await client.post('/send-template', { to: phone, templateName: 'hello_world' });
    const [found] = (await client.get(`/conversations?search=${phone}`)).body.items as Json[];
    const page = await browser.signedIn(service, `/conversations?id=${found.id}`);
    await page.getByRole('button', { name: /^weekend_offer / }).click();
    await page.getByLabel('{{1}}').fill('Mira');
    await page.getByLabel('Code of “Copy offer code”').fill('SUN20');
    await page.getByLabel('Link suffix of “Shop”').fill('n3');
    await page.getByText('Enter when the offer ends first.').waitFor();
    await end(page).fill(inDays(1));
    await message(page, 'Preview')
      .getByText(/^Ends \d/)
      .waitFor();
    await noViolations(page);
    await screenshots(page, 'conversation-offer');
    await page.getByRole('button', { name: 'Send template' }).click();
    await until(async () => (await platform.ledger()).at(-1)?.template === 'weekend_offer', 20_000, 'the offer');
    expect((await platform.ledger()).at(-1)).toMatchObject({ to: phone, parameters: ['Mira', 'SUN20', 'n3'] });
  });

  it('a carousel is sent to a group by the fields of its contacts', async () => {
    const [one] = phones(1, 400) as [string];
    const { body: group } = await client.post('/groups', { name: 'Regulars' });
    const contacts = [{ phone: one, name: 'Mira', attributes: { piece: 'sku-9' } }];
    await client.post(`/groups/${group.id}/contacts`, { contacts });
    const page = await browser.signedIn(service, `/send/group?group=${group.id}`);
    await chooseTemplate(page, 'new_arrivals');
    for (const card of [1, 2]) {
      await pictureUrl(page, card).fill(`https://files.example.com/${card}.png`);
    }
    await page.getByRole('combobox', { name: 'Contact field for Link suffix of “View” of card 1' }).click();
    await page.getByRole('option', { name: 'piece' }).click();
    await page.getByLabel('Text for Link suffix of “View” of card 2').fill('sku-10');
    await page.getByRole('button', { name: 'Send to 1 person…' }).click();
    await page.getByRole('button', { name: 'Send 1 message' }).click();
    await page.waitForURL(/\/console\/jobs\//);
    expect(await acceptedFor(one)).toEqual([['new_arrivals', 'Mira', 'sku-9', 'sku-10']]);
  });

  it('products are sent by their ids, with the keyboard alone', async () => {
    const [of, list, carousel] = phones(3, 500) as [string, string, string];
    const product = { catalogId: '1948369870', productId: 'sku-1' };
    const page = await open('/send/one', 'product_of_the_day');
    await page.getByLabel('Catalog ID').focus();
    await page.keyboard.type(product.catalogId);
    await page.keyboard.press('Tab');
    await page.keyboard.type(product.productId);
    await message(page).getByText('sku-1').waitFor();
    await page.getByLabel('Phone number').fill(`+${of}`);
    await page.getByLabel('{{1}}').fill('Mira');
    expect(await sent(page)).toMatchObject({ headerProduct: product });
    expect(await acceptedFor(of)).toEqual([['product_of_the_day', 'Mira']]);

    const second = await open('/send/one', 'top_sellers');
    await second.getByLabel('Phone number').fill(`+${list}`);
    await second.getByLabel('{{1}}').fill('Mira');
    await second.getByLabel('Product ID that the message shows').fill('sku-1');
    await second.getByLabel('Product IDs of section 1, one per line').fill('sku-1\nsku-2');
    await second.getByRole('button', { name: 'Add section' }).press('Enter');
    await second.getByLabel('Product IDs of section 2, one per line').fill('sku-3');
    await second.getByText('Enter a title for each section first.').waitFor();
    await second.getByLabel('Title of section 1').fill('Popular');
    await second.getByLabel('Title of section 2').fill('New');
    await sendMessage(second).and(second.locator(':enabled')).waitFor();
    await noViolations(second);
    await screenshots(second, 'send-one-products');
    expect((await sent(second)).products).toEqual({
      thumbnailProductId: 'sku-1',
      sections: [
        { title: 'Popular', productIds: ['sku-1', 'sku-2'] },
        { title: 'New', productIds: ['sku-3'] },
      ],
    });
    expect(await acceptedFor(list)).toEqual([['top_sellers', 'Mira']]);

    const third = await open('/send/one', 'product_picks');
    await third.getByLabel('Phone number').fill(`+${carousel}`);
    await third.getByLabel('{{1}}').fill('Mira');
    await third.getByLabel('Catalog ID').fill(product.catalogId);
    await third.getByLabel('Product IDs of 2 to 10 cards, one per line').fill('sku-1\nsku-2\nsku-3');
    expect(await message(third).getByRole('region', { name: 'Cards' }).getByRole('group').count()).toBe(3);
    expect((await sent(third)).cards).toHaveLength(3);
    expect(await acceptedFor(carousel)).toEqual([['product_picks', 'Mira']]);
  });
});
