import { errorOfOffer, errorsOfExtras, needsOf } from './extras-rules';
import { SendableTemplate } from './sendable-template';
import type { TemplateButton, TemplateCard, TemplateComponents } from './template-components';
import type { TemplateExtras } from './template-extras';
import { ExtrasMismatchError } from './templates.errors';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const OFFER_END = '2026-12-01T20:00:00.000Z';
const MESSAGE_ID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';
const PRODUCT = { catalogId: '1948', productId: 'sku-1' };

const button = (type: TemplateButton['type'], url: string | null = null): TemplateButton => ({
  ...{ type, text: 'x', url, phoneNumber: null },
});

function template(changes: Partial<TemplateComponents>): SendableTemplate {
  const components: TemplateComponents = {
    ...{ parameterFormat: 'Positional', headerFormat: 'None', headerText: null, bodyText: 'Hello', footerText: null },
    ...{ buttons: [], offer: null, cards: [], unsupported: [] },
    ...changes,
  };
  return new SendableTemplate({
    revisionId: 'r',
    name: 'kind',
    languageCode: 'en_US',
    category: 'Marketing',
    components,
  });
}

const filled = (of: SendableTemplate, values: string[], extras: TemplateExtras | null) =>
  of.fill({ values, extras, messageId: MESSAGE_ID }).components;

/** The errors of the extras of a send. */
function errorsOf(of: SendableTemplate, extras: TemplateExtras | null): string[] {
  try {
    of.checkExtras(extras, NOW);
    return [];
  } catch (error) {
    if (!(error instanceof ExtrasMismatchError)) throw error;
    return error.errors.map(({ field, code }) => `${field} ${code}`);
  }
}

describe('A flow button', () => {
  const flow = template({ buttons: [button('QuickReply'), button('Flow')] });

  it('is always included, with the id of the message as its token', () => {
    expect(filled(flow, [], null)).toEqual([
      { part: 'button', index: 1, action: 'flow', parameters: [{ kind: 'flow', flow: { token: MESSAGE_ID } }] },
    ]);
  });

  it('passes on given token and data', () => {
    const [named] = filled(flow, [], { flow: { token: 'booking-1', data: { name: 'Mira' } } });
    expect(named).toMatchObject({ parameters: [{ flow: { token: 'booking-1', data: { name: 'Mira' } } }] });
    expect(errorsOf(template({}), { flow: { token: 't' } })).toEqual(['flow not_allowed']);
  });
});

describe('A limited-time offer', () => {
  const offer = template({
    bodyText: 'Hi {{1}}',
    offer: { text: 'Ends soon!', hasExpiration: true },
    buttons: [button('CopyCode'), button('Url', 'https://x.test/{{1}}')],
  });

  it('is sent with its expiry', () => {
    expect(filled(offer, ['Mira', 'SAVE20', 'n3'], { offerExpiresAt: OFFER_END })[1]).toEqual({
      part: 'offer',
      expiresAt: new Date(OFFER_END),
    });
  });

  it('requires a future expiry and has a body of at most 600 characters', () => {
    expect(errorsOf(offer, null)).toEqual(['offerExpiresAt required']);
    expect(errorsOf(offer, { offerExpiresAt: NOW.toISOString() })).toEqual(['offerExpiresAt out_of_range']);
    expect(errorsOf(template({}), { offerExpiresAt: OFFER_END })).toEqual(['offerExpiresAt not_allowed']);
    expect(offer.errorOfRecipient(['x'.repeat(598), 'SAVE20', 'n3'])).toMatchObject({ code: 'text_too_long' });
  });

  it('expires for messages sent later', () => {
    expect(errorOfOffer({ offerExpiresAt: OFFER_END }, NOW)).toBeNull();
    expect(errorOfOffer({ offerExpiresAt: OFFER_END }, new Date(OFFER_END))).toMatchObject({ code: 'offer_expired' });
    expect(errorOfOffer(null, NOW)).toBeNull();
  });
});

describe('A tap target', () => {
  const tapTarget = { title: 'Details', url: 'https://x.test/spring' };

  it('is sent with a template with a link, to all recipients', () => {
    const link = template({ buttons: [button('Url', 'https://x.test/')] });
    expect(errorsOf(link, { tapTarget })).toEqual([]);
    expect(filled(link, [], { tapTarget })).toEqual([{ part: 'tapTarget', target: tapTarget }]);
    expect(filled(link, [], null)).toEqual([]);
  });

  it('belongs to no other template', () => {
    expect(errorsOf(template({ buttons: [button('QuickReply')] }), { tapTarget })).toEqual(['tapTarget not_allowed']);
  });
});

describe('Products', () => {
  it('of a header are required there', () => {
    const header = template({ headerFormat: 'Product', buttons: [button('Product')] });
    expect(errorsOf(header, null)).toEqual(['headerProduct required']);
    expect(filled(header, [], { product: PRODUCT })).toEqual([
      { part: 'header', parameters: [{ kind: 'product', product: PRODUCT }] },
    ]);
    expect(errorsOf(template({}), { product: PRODUCT })).toEqual(['headerProduct not_allowed']);
  });

  it('of a list are at most 30 in 1 to 10 sections, with a thumbnail', () => {
    const list = template({ buttons: [button('MultiProduct')] });
    const sections = [{ title: 'Popular', productIds: ['sku-1'] }];
    expect(errorsOf(list, null)).toEqual(['products required']);
    expect(errorsOf(list, { products: {} })).toEqual([
      'products.thumbnailProductId required',
      'products.sections required',
    ]);
    const many = [{ title: 'All', productIds: Array.from({ length: 31 }, (_, n) => `sku-${n}`) }];
    expect(errorsOf(list, { products: { thumbnailProductId: 'sku-1', sections: many } })).toEqual([
      'products.sections too_many',
    ]);
    const products = { thumbnailProductId: 'sku-1', sections };
    expect(filled(list, [], { products })).toEqual([
      { part: 'button', index: 0, action: 'multiProduct', parameters: [{ kind: 'products', products }] },
    ]);
  });

  it('are optional for a catalog button, which has no sections', () => {
    const catalog = template({ buttons: [button('Catalog')] });
    expect(errorsOf(catalog, null)).toEqual([]);
    expect(filled(catalog, [], null)).toEqual([]);
    expect(errorsOf(catalog, { products: { sections: [{ title: '', productIds: ['sku-1'] }] } })).toEqual([
      'products.sections not_allowed',
    ]);
  });
});

describe('A carousel', () => {
  const card = (changes: Partial<TemplateCard> = {}): TemplateCard => ({
    headerFormat: 'Image',
    bodyText: 'Only {{1}} left',
    buttons: [button('QuickReply'), button('Url', 'https://x.test/{{1}}')],
    ...changes,
  });
  const media = template({ bodyText: 'Hi {{1}}', cards: [card(), card()] });
  const cards = [{ id: '1', payloads: { '0': 'more-1' } }, { link: 'https://x.test/2.png' }];

  it('takes the values of its cards after those of the message', () => {
    expect(media.valueCount).toBe(5);
    expect(filled(media, ['Mira', '3', 'sku-1', '4', 'sku-2'], { cards })).toEqual([
      { part: 'body', parameters: [{ kind: 'text', text: 'Mira' }] },
      {
        part: 'carousel',
        cards: [
          [
            { part: 'header', parameters: [{ kind: 'media', mediaType: 'image', media: { id: '1' } }] },
            { part: 'body', parameters: [{ kind: 'text', text: '3' }] },
            { part: 'button', index: 1, action: 'url', parameters: [{ kind: 'text', text: 'sku-1' }] },
            { part: 'button', index: 0, action: 'quickReply', parameters: [{ kind: 'payload', payload: 'more-1' }] },
          ],
          [
            {
              part: 'header',
              parameters: [{ kind: 'media', mediaType: 'image', media: { link: 'https://x.test/2.png' } }],
            },
            { part: 'body', parameters: [{ kind: 'text', text: '4' }] },
            { part: 'button', index: 1, action: 'url', parameters: [{ kind: 'text', text: 'sku-2' }] },
          ],
        ],
      },
    ]);
  });

  it('requires exactly the cards of its template, each with one media', () => {
    expect(errorsOf(media, null)).toEqual(['cards required']);
    expect(errorsOf(media, { cards: [{ id: '1' }] })).toEqual(['cards wrong_length']);
    expect(errorsOf(media, { cards: [{}, { id: '1', link: 'https://x.test/2.png' }] })).toEqual([
      'cards[0].headerMediaId required',
      'cards[1].headerMediaUrl not_allowed',
    ]);
    expect(
      errorsOf(media, {
        cards: [
          { id: '1', payloads: { '1': 'x' } },
          { id: '2', product: PRODUCT },
        ],
      }),
    ).toEqual(['cards[0].quickReplyPayloads.1 not_allowed', 'cards[1].product not_allowed']);
    expect(errorsOf(template({}), { cards: [{ id: '1' }] })).toEqual(['cards not_allowed']);
  });

  it('has card bodies of at most 160 characters', () => {
    expect(media.errorOfRecipient(['Mira', 'x'.repeat(151), 'a', '4', 'b'])).toMatchObject({
      field: 'parameter 2',
      code: 'text_too_long',
    });
  });

  it('of products takes 2 to 10 cards, whatever the number in its template', () => {
    const products = template({
      cards: [1, 2].map(() => card({ headerFormat: 'Product', bodyText: null, buttons: [] })),
    });
    const list = (count: number) => ({ cards: Array.from({ length: count }, () => ({ product: PRODUCT })) });
    expect([1, 2, 10, 11].map((count) => errorsOf(products, list(count)))).toEqual([
      ['cards wrong_length'],
      [],
      [],
      ['cards wrong_length'],
    ]);
    expect(filled(products, [], list(3))).toMatchObject([{ part: 'carousel', cards: [{}, {}, { length: 1 }] }]);
  });
});

describe('needsOf', () => {
  it('returns the required fields of a request', () => {
    const components = (changes: Partial<TemplateComponents>) =>
      ({ headerFormat: 'None', buttons: [], offer: null, cards: [], ...changes }) as unknown as TemplateComponents;
    expect(needsOf(components({ headerFormat: 'Video' }))).toEqual(['headerMedia']);
    expect(needsOf(components({ buttons: [button('Flow'), button('Catalog'), button('VoiceCall')] }))).toEqual([]);
    expect(
      needsOf(
        components({
          headerFormat: 'Product',
          buttons: [button('MultiProduct')],
          offer: { text: '', hasExpiration: true },
        }),
      ),
    ).toEqual(['headerProduct', 'offerExpiresAt', 'products']);
    expect(errorsOfExtras(components({ headerFormat: 'Product' }), null, NOW)).toHaveLength(1);
  });
});
