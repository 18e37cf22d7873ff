import type { CardExtrasDto, SendTemplateDto, TemplateDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import type { BubbleExtras } from '../../ui/bubble/template-values';
import { type HeaderMedia, mediaOf } from './campaign-columns';
import { problemOfOfferEnd } from './offer-end';
import { firstOfList, firstOfProduct, firstOfProductCards, idsOf, listOf, NO_PRODUCTS } from './typed-products';
import type { TypedProducts } from './typed-products';

type Need = TemplateDto['needs'][number];
type Fields = Pick<
  SendTemplateDto,
  | 'headerMediaId'
  | 'headerMediaUrl'
  | 'headerMediaFileName'
  | 'headerLocation'
  | 'headerProduct'
  | 'offerExpiresAt'
  | 'products'
  | 'cards'
>;
type Template = Pick<TemplateDto, 'headerFormat' | 'needs' | 'cards'>;

/** What a message needs beside values, the same for all recipients: the request fields and the preview. */
export interface SendExtras {
  /** Of the parts that are complete. */
  fields: Fields;
  bubble: BubbleExtras;
  /** The parts that are not, in order, each with what to do first. */
  missing: readonly MissingExtra[];
  /** From which a draft restores the rest. */
  typed: TypedExtras;
}

/** A part that is not complete. `first`: what a step says that waits for it. */
export interface MissingExtra {
  need: Need;
  first: string;
}

/** The extras that a draft keeps; those of TypedMedia are the header's. */
export interface TypedExtras extends TypedMedia {
  place?: Place;
  /** Value of a `datetime-local` input in browser time. */
  offerEnds?: string;
  /** The picture or video of each card. */
  cards?: readonly TypedMedia[];
  products?: TypedProducts;
}

/** A picture, video or document. */
export interface TypedMedia {
  url?: string;
  file?: UploadedFile;
}

/** A file as the service knows it: drafts are kept for a day, the file for 30. */
export interface UploadedFile {
  name: string;
  /** Null until the upload is complete. */
  mediaId: string | null;
}

/** A location as typed. */
export interface Place {
  name: string;
  address: string;
  latitude: string;
  longitude: string;
}

/** Object URLs of the files chosen in this visit: of the header, and of the cards by their index. */
export interface ChosenSources {
  header?: string | null;
  cards?: readonly (string | null | undefined)[];
}

/** The longest file name of a document. */
const MAX_FILE_NAME = 240;

const HEADER_FIRST: Readonly<Record<HeaderMedia, string>> = {
  Image: t('Add the header picture first.'),
  Video: t('Add the header video first.'),
  Document: t('Add the header document first.'),
};

/** A part of the extras; `first`: it is not complete. */
interface Part {
  fields?: Fields;
  bubble?: BubbleExtras;
  first?: string | null;
}

const PARTS: Readonly<
  Record<Need, (typed: TypedExtras, template: Template, sources: ChosenSources, now: Date) => Part>
> = {
  headerMedia: (typed, template, { header }) => headerPart(typed, mediaOf(template), header ?? null),
  headerLocation: ({ place }) => placePart(place),
  headerProduct: ({ products = NO_PRODUCTS }) => {
    const [catalogId, productId] = [products.catalogId.trim(), products.productId.trim()];
    const first = firstOfProduct(products);
    return {
      fields: first ? {} : { headerProduct: { catalogId, productId } },
      bubble: productId ? { productIds: [productId] } : {},
      first,
    };
  },
  offerExpiresAt: ({ offerEnds = '' }, _template, _sources, now) => {
    if (offerEnds === '' || problemOfOfferEnd(offerEnds, now)) return { first: t('Enter when the offer ends first.') };
    const offerExpiresAt = new Date(offerEnds).toISOString();
    return { fields: { offerExpiresAt }, bubble: { offerExpiresAt } };
  },
  products: ({ products = NO_PRODUCTS }) => {
    const first = firstOfList(products);
    return { fields: first ? {} : { products: listOf(products) }, first };
  },
  cards: (typed, { cards }, { cards: sources = [] }) =>
    cards[0]?.headerFormat === 'Product' ? productCardsPart(typed, cards) : mediaCardsPart(typed, cards, sources),
};

/** What was typed and chosen for what the template needs. `now`: an offer ends after it. */
export function extrasOf(
  template: Template,
  typed: TypedExtras = {},
  sources: ChosenSources = {},
  now = new Date(),
): SendExtras {
  const parts = template.needs.map((need) => ({ need, ...PARTS[need](typed, template, sources, now) }));
  return {
    fields: Object.assign({}, ...parts.map(({ fields }) => fields)) as Fields,
    bubble: Object.assign({}, ...parts.map(({ bubble }) => bubble)) as BubbleExtras,
    missing: parts.flatMap(({ need, first }) => (first ? [{ need, first }] : [])),
    typed,
  };
}

/** The first part that is missing; undefined: none. `hasOwnMedia`: every person has header media of their own. */
export function firstMissing(
  extras: Pick<SendExtras, 'missing'> | null,
  hasOwnMedia = false,
): MissingExtra | undefined {
  return extras?.missing.find(({ need }) => need !== 'headerMedia' || !hasOwnMedia);
}

/** Whether nothing was typed or uploaded. */
export function isUntyped(typed: unknown): boolean {
  if (typeof typed === 'object' && typed !== null) return Object.values(typed).every(isUntyped);
  return typed === undefined || typed === null || typed === '';
}

/** A coordinate; null: not a number from -`most` to `most`. */
export function coordinateOf(text: string, most: number): number | null {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(value) || Math.abs(value) > most ? null : value;
}

function headerPart(typed: TypedMedia, media: HeaderMedia | undefined, src: string | null): Part {
  if (!media) return {};
  const { file, url } = typed;
  const fields = mediaFieldsOf(typed);
  const isNamed = media === 'Document' && file !== undefined;
  return {
    fields: fields ? { ...fields, ...(isNamed && { headerMediaFileName: file.name.slice(0, MAX_FILE_NAME) }) } : {},
    bubble: { src, fileName: file?.name ?? (url?.split('/').at(-1) || null) },
    first: fields ? null : HEADER_FIRST[media],
  };
}

/** The fields of a file; null: none is chosen, or its upload is not complete. */
function mediaFieldsOf({ url = '', file }: TypedMedia): Pick<CardExtrasDto, 'headerMediaId' | 'headerMediaUrl'> | null {
  if (file) return file.mediaId ? { headerMediaId: file.mediaId } : null;
  return /^https:\/\/\S+\.\S+/.test(url) ? { headerMediaUrl: url } : null;
}

function placePart(place: Place | undefined): Part {
  const first = t('Enter the header location first.');
  if (!place) return { first };
  const [name, address] = [place.name.trim(), place.address.trim()];
  const [latitude, longitude] = [coordinateOf(place.latitude, 90), coordinateOf(place.longitude, 180)];
  const bubble = { location: { name: place.name || t('Location'), address: place.address } };
  if (latitude === null || longitude === null || name === '' || address === '') return { bubble, first };
  return { fields: { headerLocation: { latitude, longitude, name, address } }, bubble };
}

function mediaCardsPart(
  { cards: typed = [] }: TypedExtras,
  cards: TemplateDto['cards'],
  sources: readonly (string | null | undefined)[],
): Part {
  const fields = cards.map((_card, index) => mediaFieldsOf(typed[index] ?? {}));
  const given = fields.filter((one) => one !== null);
  const lacking = fields.indexOf(null);
  return {
    fields: lacking < 0 ? { cards: given } : {},
    bubble: { cards: cards.map((_card, index) => sources[index] ?? null) },
    first:
      lacking < 0
        ? null
        : cards[lacking]?.headerFormat === 'Video'
          ? t('Add the video of card {number} first.', { number: lacking + 1 })
          : t('Add the picture of card {number} first.', { number: lacking + 1 }),
  };
}

function productCardsPart({ products = NO_PRODUCTS }: TypedExtras, cards: TemplateDto['cards']): Part {
  const first = firstOfProductCards(products, cards);
  const catalogId = products.catalogId.trim();
  const productIds = idsOf(products.productIds);
  return {
    fields: first ? {} : { cards: productIds.map((productId) => ({ product: { catalogId, productId } })) },
    bubble: first ? {} : { productIds },
    first,
  };
}
