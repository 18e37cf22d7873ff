import { bubbleOfTemplate, slotsOf, type TemplateContents } from './template-values';

const NO_PHONE = { phoneNumber: null };
const CAROUSEL: TemplateContents = {
  ...{ parameterFormat: 'Positional', headerFormat: 'None', headerText: null, footerText: null },
  ...{ bodyText: 'Hi {{1}}', buttons: [{ type: 'Url', text: 'Shop', url: 'https://a.b/{{1}}', ...NO_PHONE }] },
  offer: { text: 'Ends soon', hasExpiration: true },
  cards: ['Dress', 'Blouse'].map((name) => ({
    headerFormat: 'Image',
    bodyText: `${name} for {{1}}`,
    buttons: [
      { type: 'QuickReply', text: 'Like', url: null, ...NO_PHONE },
      { type: 'Url', text: 'View', url: 'https://a.b/c/{{1}}', ...NO_PHONE },
    ],
  })),
};

describe('The values of a template', () => {
  it('are those of the message, then of each card, which they are named by', () => {
    expect(slotsOf(CAROUSEL).map(({ label }) => label)).toEqual([
      ...['{{1}}', 'Link suffix of “Shop”'],
      ...['{{1}} of card 1', 'Link suffix of “View” of card 1'],
      ...['{{1}} of card 2', 'Link suffix of “View” of card 2'],
    ]);
  });

  it('fill in the bubble, with its offer and cards', () => {
    const values = ['Mira', 'all', '49 €', 'd', '29 €', 'b'];
    const offerExpiresAt = '2026-11-24T18:00:00Z';
    const bubble = bubbleOfTemplate(CAROUSEL, values, { offerExpiresAt, cards: ['blob:1', null] });
    expect(bubble).toMatchObject({
      offer: { text: 'Ends soon', note: expect.stringMatching(/^Ends 24 Nov/) as unknown },
      body: 'Hi Mira',
      buttons: [{ value: 'https://a.b/all' }],
      cards: [
        {
          header: { kind: 'image', src: 'blob:1' },
          body: 'Dress for 49 €',
          buttons: [{}, { value: 'https://a.b/c/d' }],
        },
        { header: { kind: 'image' }, body: 'Blouse for 29 €', buttons: [{}, { value: 'https://a.b/c/b' }] },
      ],
    });
    expect(bubbleOfTemplate({ ...CAROUSEL, cards: [], offer: null }, values)).toMatchObject({ cards: [], offer: null });
    const products = CAROUSEL.cards!.map((card) => ({ ...card, headerFormat: 'Product' as const }));
    const shown = bubbleOfTemplate({ ...CAROUSEL, cards: products }, [], { productIds: ['a', 'b', 'c'] }).cards;
    expect(shown?.map(({ header }) => header)).toEqual(
      ['a', 'b', 'c'].map((productId) => ({ kind: 'product', productId })),
    );
  });
});
