import type { FieldError } from '../../../kernel/domain-error';
import { MEDIA_TYPES } from './filled-template';
import type { TemplateButton, TemplateCard, TemplateComponents } from './template-components';
import type { ButtonProducts, CardExtras, TemplateExtras } from './template-extras';
import { URL_VARIABLE } from './value-slots';

/** Codes of extras that do not match a template. */
export const EXTRAS_CODES = ['required', 'not_allowed', 'wrong_length', 'too_many', 'out_of_range'] as const;
/** Why the extras of a send do not match the template. */
export type ExtrasError = FieldError<(typeof EXTRAS_CODES)[number]>;

/** Extras that a send may require, by field name; header media has two fields. */
export const TEMPLATE_NEEDS = [
  'headerMedia',
  'headerLocation',
  'headerProduct',
  'offerExpiresAt',
  'products',
  'cards',
] as const;
/** See TEMPLATE_NEEDS. */
export type TemplateNeed = (typeof TEMPLATE_NEEDS)[number];

const MIN_CARDS = 2;
const MAX_CARDS = 10;
const MAX_SECTIONS = 10;
const MAX_PRODUCTS = 30;

/** The extras that a send of the template requires. */
export function needsOf({ headerFormat, buttons, offer, cards }: TemplateComponents): TemplateNeed[] {
  const needs: Record<TemplateNeed, boolean> = {
    headerMedia: MEDIA_TYPES[headerFormat] !== undefined,
    headerLocation: headerFormat === 'Location',
    headerProduct: headerFormat === 'Product',
    offerExpiresAt: offer !== null,
    products: has(buttons, 'MultiProduct'),
    cards: cards.length > 0,
  };
  return TEMPLATE_NEEDS.filter((need) => needs[need]);
}

/**
 * The errors of product, flow, products, offer, tap target and cards, one per field; header media, location and payloads of the message are
 * checked elsewhere. The offer must end after `now`.
 */
export function errorsOfExtras(
  components: TemplateComponents,
  extras: TemplateExtras | null,
  now: Date,
): ExtrasError[] {
  const { product, flow, products, offerExpiresAt, tapTarget, cards } = extras ?? {};
  const needs = needsOf(components);
  const errors: ExtrasError[] = [];
  const add = (field: string, code: ExtrasError['code'], rest: string) =>
    errors.push({ field, code, message: `${field} ${rest}` });
  const check = (field: string, given: unknown, isAllowed: boolean, isRequired: boolean, what: string) => {
    if (given === undefined && isRequired) add(field, 'required', `is required: ${what}.`);
    if (given !== undefined && !isAllowed) add(field, 'not_allowed', 'does not belong to this template. Remove it.');
  };
  const allowsProducts = has(components.buttons, 'MultiProduct') || has(components.buttons, 'Catalog');
  check('headerProduct', product, ...allowedAndRequired(needs, 'headerProduct'), 'the product that the header shows');
  check('offerExpiresAt', offerExpiresAt, ...allowedAndRequired(needs, 'offerExpiresAt'), 'when the offer ends');
  check('flow', flow, has(components.buttons, 'Flow'), false, '');
  check('tapTarget', tapTarget, has(components.buttons, 'Url'), false, '');
  check('products', products, allowsProducts, needs.includes('products'), 'the products of the list');
  check('cards', cards, ...allowedAndRequired(needs, 'cards'), 'one entry for each card of the carousel');
  if (offerExpiresAt !== undefined && components.offer && new Date(offerExpiresAt) <= now) {
    add('offerExpiresAt', 'out_of_range', 'must be in the future.');
  }
  if (products && allowsProducts) errors.push(...errorsOfProducts(products, has(components.buttons, 'MultiProduct')));
  if (cards && components.cards.length > 0) errors.push(...errorsOfCards(components.cards, cards));
  return errors;
}

/** The error of a message whose offer has expired; null if there is none. */
export function errorOfOffer(
  extras: TemplateExtras | null,
  now: Date,
): { code: 'offer_expired'; message: string } | null {
  const until = extras?.offerExpiresAt;
  if (until === undefined || new Date(until) > now) return null;
  return { code: 'offer_expired', message: `The offer ended at ${until}, before the message could be sent.` };
}

function allowedAndRequired(needs: readonly TemplateNeed[], need: TemplateNeed): [boolean, boolean] {
  return [needs.includes(need), needs.includes(need)];
}

function errorsOfProducts({ thumbnailProductId, sections = [] }: ButtonProducts, isList: boolean): ExtrasError[] {
  const error = (field: string, code: ExtrasError['code'], rest: string): ExtrasError => ({
    field: `products.${field}`,
    code,
    message: `products.${field} ${rest}`,
  });
  if (!isList) {
    return sections.length > 0
      ? [
          error(
            'sections',
            'not_allowed',
            'does not belong to a Catalog button, which opens the whole catalog. Remove it.',
          ),
        ]
      : [];
  }
  const errors: ExtrasError[] = [];
  if (thumbnailProductId === undefined) errors.push(error('thumbnailProductId', 'required', 'is required.'));
  if (sections.length === 0) errors.push(error('sections', 'required', 'is required: 1 to 10 sections of products.'));
  if (sections.length > MAX_SECTIONS) errors.push(error('sections', 'too_many', `must be at most ${MAX_SECTIONS}.`));
  const count = sections.reduce((sum, { productIds }) => sum + productIds.length, 0);
  if (count > MAX_PRODUCTS) {
    errors.push(error('sections', 'too_many', `has ${count} products; the platform accepts at most ${MAX_PRODUCTS}.`));
  }
  return errors;
}

/** The cards that a send with these extras shows; those of the template, if it does not allow as many. */
export function shownCards(cards: readonly TemplateCard[], extras: TemplateExtras | null): readonly TemplateCard[] {
  const [first] = cards;
  const given = extras?.cards;
  if (!first || !given || !allowsCards(cards, given.length)) return cards;
  return given.map((_, index) => cards[index] ?? first);
}

function allowsCards(cards: readonly TemplateCard[], count: number): boolean {
  return isOpenEnded(cards) ? count >= MIN_CARDS && count <= MAX_CARDS : count === cards.length;
}

/** Whether a send may have another number of cards than the template: one of products without values may. */
function isOpenEnded(cards: readonly TemplateCard[]): boolean {
  return cards[0]?.headerFormat === 'Product' && !cards.some(({ buttons }) => buttons.some(hasVariable));
}

function errorsOfCards(cards: readonly TemplateCard[], given: readonly CardExtras[]): ExtrasError[] {
  if (!allowsCards(cards, given.length)) {
    const count = isOpenEnded(cards)
      ? `${MIN_CARDS} to ${MAX_CARDS} entries`
      : `exactly ${cards.length} entries, one for each card`;
    return [
      { field: 'cards', code: 'wrong_length', message: `cards must have ${count}; this list has ${given.length}.` },
    ];
  }
  return given.flatMap((card, index) => errorsOfCard(cards[index] ?? cards[0]!, card, `cards[${index}]`));
}

function errorsOfCard({ headerFormat, buttons }: TemplateCard, card: CardExtras, field: string): ExtrasError[] {
  const { id, link, product, payloads = {} } = card;
  const errors: ExtrasError[] = [];
  const add = (name: string, code: ExtrasError['code'], rest: string) =>
    errors.push({ field: `${field}.${name}`, code, message: `${field}.${name} ${rest}` });
  const media = [id, link].filter((one) => one !== undefined).length;
  if (headerFormat === 'Product') {
    if (product === undefined) add('product', 'required', 'is required.');
    if (media > 0)
      add('headerMediaId', 'not_allowed', 'and headerMediaUrl do not belong to a card with a product. Remove them.');
  } else {
    if (product !== undefined) add('product', 'not_allowed', 'does not belong to a card with media. Remove it.');
    if (media === 0)
      add('headerMediaId', 'required', `or headerMediaUrl is required: the ${headerFormat.toLowerCase()} of the card.`);
    if (media > 1) add('headerMediaUrl', 'not_allowed', 'must not be given together with headerMediaId.');
  }
  const replies = buttons.flatMap(({ type }, index) => (type === 'QuickReply' ? [String(index)] : []));
  for (const index of Object.keys(payloads).filter((key) => !replies.includes(key))) {
    add(`quickReplyPayloads.${index}`, 'not_allowed', 'is not a quick-reply button of this card. Remove it.');
  }
  return errors;
}

function has(buttons: readonly TemplateButton[], type: TemplateButton['type']): boolean {
  return buttons.some((button) => button.type === type);
}

function hasVariable({ type, url }: TemplateButton): boolean {
  return type === 'Url' && URL_VARIABLE.test(url ?? '');
}
