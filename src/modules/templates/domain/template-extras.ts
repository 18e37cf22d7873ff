import { parsedUrl } from '../../../kernel/parsed-url';

/** Media for the header: a media id of the platform or a public URL; exactly one of them. */
export interface HeaderMedia {
  id?: string;
  link?: string;
  /** Name of a document for the recipient; absent: the last part of `link`. */
  fileName?: string;
}

/** The place that a location header shows, in degrees north and east. */
export interface HeaderLocation {
  latitude: number;
  longitude: number;
  name: string;
  address: string;
}

/** A product of a catalog of the platform; `productId` is its id at the retailer. */
export interface Product {
  catalogId: string;
  productId: string;
}

/** A part of a list of products; `title` may be empty if it is the only one. */
export interface ProductSection {
  title: string;
  productIds: string[];
}

/** The products of a Catalog or MultiProduct button; the thumbnail is the product that the message shows. */
export interface ButtonProducts {
  thumbnailProductId?: string;
  sections?: ProductSection[];
}

/** Input of a Flow button: `token` is returned with the answer, `data` is passed to the first screen. */
export interface FlowInput {
  token?: string;
  data?: Record<string, unknown>;
}

/** What a tap on the message opens, and its title, which the message shows instead of the address. */
export interface TapTarget {
  title: string;
  url: string;
}

/** Content of a carousel card in addition to its values: media or a product. */
export interface CardExtras {
  id?: string;
  link?: string;
  product?: Product;
  payloads?: Record<string, string>;
}

/** Content of a message in addition to its values. */
export interface TemplateExtras extends HeaderMedia {
  /** The template was sent as a reply to the person. */
  isReply?: true;
  location?: HeaderLocation;
  /** The product of a Product header. */
  product?: Product;
  /** Payloads of quick-reply buttons, by index among all buttons of the template, from "0". */
  payloads?: Record<string, string>;
  flow?: FlowInput;
  products?: ButtonProducts;
  /** When a limited-time offer ends, in ISO 8601. */
  offerExpiresAt?: string;
  tapTarget?: TapTarget;
  /** One entry for each card of a carousel, in order. */
  cards?: CardExtras[];
}

/** The request fields of a card; null is treated as absent. */
export interface CardFields {
  headerMediaId?: string | null;
  headerMediaUrl?: string | null;
  product?: Product | null;
  quickReplyPayloads?: Record<string, string> | null;
}

/** The request fields of TemplateExtras; null is treated as absent. */
export interface ExtrasFields {
  headerMediaId?: string | null;
  headerMediaUrl?: string | null;
  headerMediaFileName?: string | null;
  headerLocation?: HeaderLocation | null;
  headerProduct?: Product | null;
  quickReplyPayloads?: Record<string, string> | null;
  flow?: { token?: string | null; data?: Record<string, unknown> | null } | null;
  products?: { thumbnailProductId?: string | null; sections?: ProductSection[] | null } | null;
  offerExpiresAt?: string | null;
  tapTarget?: TapTarget | null;
  cards?: CardFields[] | null;
}

const MAX_FILE_NAME_LENGTH = 240;

/** Collects the extras of a request, unvalidated; null if there are none. */
export function extrasOf(fields: ExtrasFields): TemplateExtras | null {
  return (
    givenOf({
      id: fields.headerMediaId,
      link: fields.headerMediaUrl,
      fileName: fields.headerMediaFileName,
      location: fields.headerLocation,
      product: fields.headerProduct,
      payloads: payloadsOf(fields.quickReplyPayloads),
      flow: fields.flow && givenOf(fields.flow),
      products: fields.products && givenOf(fields.products),
      offerExpiresAt: fields.offerExpiresAt,
      tapTarget: fields.tapTarget,
      cards: fields.cards?.map(
        (card) =>
          givenOf({
            id: card.headerMediaId,
            link: card.headerMediaUrl,
            product: card.product,
            payloads: payloadsOf(card.quickReplyPayloads),
          }) ?? {},
      ),
    }) ?? null
  );
}

/** The extras of a job with those that a recipient has of its own, which win: its media replaces the job's as a whole. */
export function withOwn(extras: TemplateExtras | null, own: TemplateExtras | null): TemplateExtras | null {
  if (own === null || extras === null) return own ?? extras;
  const { id, link, fileName, ...others } = extras;
  const media =
    own.id !== undefined || own.link !== undefined ? {} : extrasOf({ headerMediaId: id, headerMediaUrl: link });
  return {
    ...others,
    ...media,
    ...(fileName !== undefined && { fileName }),
    ...own,
    ...(extras.payloads && { payloads: { ...extras.payloads, ...own.payloads } }),
    ...(extras.flow && { flow: { ...extras.flow, ...own.flow } }),
  };
}

/** The entries that are neither null nor absent; null if there are none. */
function givenOf(fields: Record<string, unknown>): object | null {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return given.length === 0 ? null : Object.fromEntries(given);
}

function payloadsOf(payloads: Record<string, string> | null | undefined): Record<string, string> | null {
  return payloads && Object.keys(payloads).length > 0 ? payloads : null;
}

/** Adds a file name: the platform shows a document without one as "Untitled". */
export function withFileName(media: HeaderMedia): HeaderMedia {
  const fileName = media.fileName ?? lastPartOf(media.link);
  return fileName === undefined ? media : { ...media, fileName };
}

function lastPartOf(link: string | undefined): string | undefined {
  const part = link === undefined ? undefined : parsedUrl(link)?.pathname.split('/').at(-1);
  if (part === undefined) return undefined;
  let name = part;
  try {
    name = decodeURIComponent(part);
  } catch {
    // Not percent-encoded: kept unchanged.
  }
  name = name.replaceAll(/[/\\\p{Cc}\p{Cs}]/gu, '').slice(0, MAX_FILE_NAME_LENGTH);
  return name === '' ? undefined : name;
}
