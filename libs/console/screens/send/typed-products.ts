import type { ButtonProductsDto, TemplateDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';

/** Products as typed; each kind of template uses some of the fields. */
export interface TypedProducts {
  catalogId: string;
  /** That of the header, or the one that the message of a list shows. */
  productId: string;
  /** Of a carousel: one line for each card. */
  productIds: string;
  /** Of a list. */
  sections: readonly ProductSection[];
}

/** A section of a list. `productIds`: one on each line. */
export interface ProductSection {
  title: string;
  productIds: string;
}

export const NO_SECTION: ProductSection = { title: '', productIds: '' };
export const NO_PRODUCTS: TypedProducts = { catalogId: '', productId: '', productIds: '', sections: [NO_SECTION] };
export const MOST_SECTIONS = 10;
const MOST_PRODUCTS = 30;
const LEAST_CARDS = 2;
const MOST_CARDS = 10;

/** The ids of a text with one on each line; commas and spaces separate them, too. */
export function idsOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean);
}

/** The products of a list, as typed. */
export function listOf({ productId, sections }: TypedProducts): ButtonProductsDto {
  return {
    thumbnailProductId: productId.trim(),
    sections: sections.map(({ title, productIds }) => ({ title: title.trim(), productIds: idsOf(productIds) })),
  };
}

/** What the product of a header lacks; null: nothing. */
export function firstOfProduct({ catalogId, productId }: TypedProducts): string | null {
  if (catalogId.trim() === '') return t('Enter the catalog ID first.');
  return productId.trim() === '' ? t('Enter the product ID first.') : null;
}

/** What the products of a list lack; null: nothing. */
export function firstOfList({ productId, sections }: TypedProducts): string | null {
  if (productId.trim() === '') return t('Enter the product that the message shows first.');
  if (sections.some(({ productIds }) => idsOf(productIds).length === 0)) {
    return t('Enter the products of each section first.');
  }
  if (sections.length > 1 && sections.some(({ title }) => title.trim() === '')) {
    return t('Enter a title for each section first.');
  }
  const count = sections.reduce((sum, { productIds }) => sum + idsOf(productIds).length, 0);
  return count > MOST_PRODUCTS ? t('Enter at most {most} products.', { most: MOST_PRODUCTS }) : null;
}

/** What the products of a carousel lack; null: nothing. */
export function firstOfProductCards(
  { catalogId, productIds }: TypedProducts,
  cards: TemplateDto['cards'],
): string | null {
  if (catalogId.trim() === '') return t('Enter the catalog ID first.');
  const { length } = idsOf(productIds);
  const { least, most } = cardCount(cards);
  if (length >= least && length <= most) return null;
  return least === most
    ? t('Enter {count} product IDs first.', { count: least })
    : t('Enter {least} to {most} product IDs first.', { least, most });
}

/** How many products a carousel takes: as many as its cards if their links have values, which belong to a card. */
export function cardCount(cards: TemplateDto['cards']): { least: number; most: number } {
  const hasValues = cards.some(({ buttons }) => buttons.some(({ type, url }) => type === 'Url' && url?.includes('{{')));
  return hasValues ? { least: cards.length, most: cards.length } : { least: LEAST_CARDS, most: MOST_CARDS };
}
