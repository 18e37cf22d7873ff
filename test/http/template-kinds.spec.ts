import { describeOnDatabase } from '../support/databases';
import type { Client } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { SendTemplateApi } from '../support/send-template-api';

const TO = '4915112345678';
const OFFER_END = new Date(Date.now() + 3_600_000).toISOString();
const PRODUCT = { catalogId: '1948369870', productId: 'sku-1' };
const MEDIA_CARDS = [
  { headerMediaUrl: 'https://files.example.com/1.png' },
  { headerMediaUrl: 'https://files.example.com/2.png' },
];
const TAP_TARGET = { title: 'Details', url: 'https://shop.example.com/spring' };
const LIST = { thumbnailProductId: 'sku-1', sections: [{ title: 'Popular', productIds: ['sku-1', 'sku-2'] }] };

/** Each kind of template, its values, and the additional fields of a send. */
const KINDS: [kind: string, name: string, values: string[], extras: object][] = [
  ['a flow', 'book_appointment', ['Mira'], {}],
  ['a flow with a token', 'book_appointment', ['Mira'], { flow: { token: 'booking-1', data: { day: 'Monday' } } }],
  ['a catalog', 'spring_catalog', ['Mira'], {}],
  ['a catalog with a thumbnail', 'spring_catalog', ['Mira'], { products: { thumbnailProductId: 'sku-1' } }],
  ['several products', 'top_sellers', ['Mira'], { products: LIST }],
  ['one product', 'product_of_the_day', ['Mira'], { headerProduct: PRODUCT }],
  ['an offer', 'weekend_offer', ['Mira', 'WEEKEND20', 'n3'], { offerExpiresAt: OFFER_END }],
  ['a tap target', 'weekend_offer', ['Mira', 'WEEKEND20', 'n3'], { offerExpiresAt: OFFER_END, tapTarget: TAP_TARGET }],
  ['a carousel', 'new_arrivals', ['Mira', 'sku-1', 'sku-2'], { cards: MEDIA_CARDS }],
  ['a carousel of products', 'product_picks', ['Mira'], { cards: [1, 2, 3].map(() => ({ product: PRODUCT })) }],
];

describeOnDatabase('Every kind of template', (open) => {
  let one: SendTemplateApi;
  let client: Client;

  beforeAll(async () => {
    one = new SendTemplateApi(await open());
    client = await one.start();
  });

  afterAll(() => one.stop());

  const send = (templateName: string, values: string[], extras: object) =>
    client.post('/send-template', {
      ...{ to: TO, templateName, templateParameters: values.map((text) => ({ text })) },
      ...extras,
    });

  it.each(KINDS)('is accepted by the platform: %s', async (_, name, values, extras) => {
    const answer = await send(name, values, extras);
    expect(answer.body.message ?? answer.status).toBe(201);
  });

  it('names each missing field in its errors', async () => {
    for (const [name, field] of [
      ['top_sellers', 'products'],
      ['product_of_the_day', 'headerProduct'],
      ['weekend_offer', 'offerExpiresAt'],
      ['new_arrivals', 'cards'],
    ] as const) {
      const values = KINDS.find(([, kind]) => kind === name)![2];
      expect(expectError(await send(name, values, {}), 422, 'extras_mismatch').errors).toMatchObject([{ field }]);
    }
  });
});
