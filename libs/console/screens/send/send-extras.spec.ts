import type { TemplateDto } from '../../../client/generated/types.gen';
import { extrasOf, firstMissing, isUntyped, type TypedExtras } from './send-extras';
import { NO_PRODUCTS } from './typed-products';

const NOW = new Date('2026-11-23T10:00:00Z');
const FILE = { name: 'dress.png', mediaId: '900' };

function cardsOf(headerFormat: TemplateDto['cards'][number]['headerFormat'], url = ''): TemplateDto['cards'] {
  const buttons = url ? [{ type: 'Url' as const, text: 'View', url, phoneNumber: null }] : [];
  return [1, 2].map(() => ({ headerFormat, bodyText: null, buttons }));
}

function extras(needs: TemplateDto['needs'], typed: TypedExtras, more: Partial<TemplateDto> = {}) {
  const given = extrasOf({ headerFormat: 'None', cards: [], needs, ...more }, typed, {}, NOW);
  return { given, fields: given.fields, first: firstMissing(given)?.first };
}

describe('What a message needs beside values', () => {
  it('is nothing for most templates', () => {
    expect(extras([], {})).toMatchObject({ fields: {}, first: undefined });
  });

  it('may be header media, which each person can have instead', () => {
    const { given, fields, first } = extras(
      ['headerMedia', 'offerExpiresAt'],
      { offerEnds: '2026-11-23T12:00Z' },
      {
        headerFormat: 'Image',
      },
    );
    expect([fields, first]).toEqual([{ offerExpiresAt: '2026-11-23T12:00:00.000Z' }, 'Add the header picture first.']);
    expect(firstMissing(given, true)).toBeUndefined();
  });

  it('may be the end of an offer, in the future', () => {
    const first = 'Enter when the offer ends first.';
    expect(extras(['offerExpiresAt'], {})).toMatchObject({ fields: {}, first });
    expect(extras(['offerExpiresAt'], { offerEnds: '2026-11-23T09:00Z' })).toMatchObject({ fields: {}, first });
  });

  it('may be a picture or video for each card', () => {
    const cards = cardsOf('Video');
    expect(
      extras(['cards'], { cards: [{ file: FILE }, { file: { name: 'b.mp4', mediaId: null } }] }, { cards }),
    ).toMatchObject({
      ...{ fields: {}, first: 'Add the video of card 2 first.' },
    });
    const typed = { cards: [{ file: FILE }, { url: 'https://files.example.com/b.mp4' }] };
    expect(extras(['cards'], typed, { cards })).toMatchObject({
      fields: { cards: [{ headerMediaId: '900' }, { headerMediaUrl: 'https://files.example.com/b.mp4' }] },
      first: undefined,
    });
  });

  it('may be products: of the header, of a list, of cards', () => {
    const products = { ...NO_PRODUCTS, catalogId: '19', productId: ' sku-1 ', productIds: 'sku-1\nsku-2, sku-3' };
    const header = extras(['headerProduct'], { products });
    expect(header.fields).toEqual({ headerProduct: { catalogId: '19', productId: 'sku-1' } });
    expect(extras(['headerProduct'], {}).first).toBe('Enter the catalog ID first.');

    const sections = [
      { title: '', productIds: 'sku-1' },
      { title: 'New', productIds: 'sku-2' },
    ];
    expect(extras(['products'], { products: { ...products, sections } }).first).toBe(
      'Enter a title for each section first.',
    );
    const many = Array.from({ length: 31 }, (_, index) => `sku-${index}`).join('\n');
    const long = { ...products, sections: [{ title: '', productIds: many }] };
    expect(extras(['products'], { products: long }).first).toBe('Enter at most 30 products.');
    const one = { ...products, sections: [{ title: '', productIds: 'sku-1' }] };
    expect(extras(['products'], { products: one }).fields).toEqual({
      products: { thumbnailProductId: 'sku-1', sections: [{ title: '', productIds: ['sku-1'] }] },
    });

    const open = extras(['cards'], { products }, { cards: cardsOf('Product') });
    expect(open.fields.cards).toHaveLength(3);
    expect(open.given.bubble.productIds).toEqual(['sku-1', 'sku-2', 'sku-3']);
    // Values belong to the cards of the template.
    const fixed = extras(['cards'], { products }, { cards: cardsOf('Product', 'https://shop.example.com/{{1}}') });
    expect(fixed.first).toBe('Enter 2 product IDs first.');
  });

  it('is nothing to keep until something was typed or chosen', () => {
    expect(isUntyped({ offerEnds: '', cards: [{}, { url: '' }], products: NO_PRODUCTS })).toBe(true);
    expect(isUntyped({ cards: [{}, { file: FILE }] })).toBe(false);
    expect(isUntyped({ offerEnds: '2026-11-23T12:00' })).toBe(false);
  });
});
