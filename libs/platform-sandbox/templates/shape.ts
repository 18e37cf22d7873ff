import { isObject, type JsonObject } from '../http/exchange';

/** The placeholders of a text: names in order, occurrences of each, and the length of the remaining text. */
export interface Placeholders {
  /** "1", "2", … in numeric order, or names by first appearance. */
  names: string[];
  occurrences: number[];
  literalLength: number;
}

/** What a message must contain for the header of a template. */
export type HeaderShape =
  | { kind: 'none' | 'location' | 'image' | 'video' | 'document' | 'product' }
  | { kind: 'text'; placeholders: Placeholders };

/** What a message must contain for one button of a template. */
export interface ButtonShape {
  /** In lower case: url, quick_reply, copy_code, otp, flow, catalog, mpm, phone_number, … */
  type: string;
  /** Whether a value is required: a suffix, a one-time password, a coupon code, products, an order. */
  needsValue: boolean;
  urlLength: number;
}

/** What a message with this template must contain, derived once from its components. */
export interface TemplateShape {
  header: HeaderShape;
  body: Placeholders;
  bodyLimit: number;
  buttons: ButtonShape[];
  oneTimePassword: boolean;
  orderStatus: boolean;
  limitedTimeOffer: boolean;
  cards: TemplateShape[];
}

/** The sub-category of order status templates. */
export const ORDER_STATUS = 'ORDER_STATUS';
const VALUE_REQUIRED = new Set(['otp', 'copy_code', 'mpm', 'order_details']);
const PLACEHOLDER = /\{\{\s*([^{}]+?)\s*\}\}/g;
/** Maximum body length including values; shorter with an offer, a product header and in a card. */
export const BODY_LIMITS = { alone: 1024, offer: 600, product: 160, card: 160 } as const;
const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;
const NO_PLACEHOLDERS: Placeholders = { names: [], occurrences: [], literalLength: 0 };

/** Number of characters of a text, where an emoji counts as one. */
export function charactersOf(text: string): number {
  return text.replace(SURROGATE_PAIR, '.').length;
}

/** The distinct placeholders of a text. */
export function placeholdersOf(text: string): Placeholders {
  const counts = new Map<string, number>();
  let placeholderLength = 0;
  for (const [whole, name = ''] of text.matchAll(PLACEHOLDER)) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    placeholderLength += charactersOf(whole);
  }
  const names = [...counts.keys()];
  if (names.every((name) => /^\d+$/.test(name))) names.sort((a, b) => Number(a) - Number(b));
  return {
    names,
    occurrences: names.map((name) => counts.get(name) ?? 0),
    literalLength: charactersOf(text) - placeholderLength,
  };
}

/** Derives what a message must contain for a template with these components; `subCategory` is set for order status templates only. */
export function shapeOf(components: JsonObject[], category: string, subCategory?: string): TemplateShape {
  const shape: TemplateShape = {
    header: { kind: 'none' },
    body: NO_PLACEHOLDERS,
    bodyLimit: BODY_LIMITS.alone,
    buttons: [],
    oneTimePassword: category === 'AUTHENTICATION',
    orderStatus: subCategory === ORDER_STATUS,
    limitedTimeOffer: false,
    cards: [],
  };
  for (const component of components) {
    switch (textOf(component.type).toUpperCase()) {
      case 'HEADER':
        shape.header = headerShape(component);
        if (shape.header.kind === 'product') shape.bodyLimit = BODY_LIMITS.product;
        break;
      case 'BODY':
        shape.body = placeholdersOf(shape.oneTimePassword ? '{{1}} is your code.' : textOf(component.text));
        break;
      case 'BUTTONS':
        shape.buttons = listOf(component.buttons).map(buttonShape);
        break;
      case 'LIMITED_TIME_OFFER':
        shape.limitedTimeOffer = true;
        shape.bodyLimit = BODY_LIMITS.offer;
        break;
      case 'CAROUSEL':
        shape.cards = listOf(component.cards).map((card) => ({
          ...shapeOf(listOf(card.components), category),
          bodyLimit: BODY_LIMITS.card,
        }));
        break;
    }
  }
  return shape;
}

/** The JSON objects of a list; other items are ignored. */
export function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The value if it is a string, otherwise an empty string. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function headerShape(component: JsonObject): HeaderShape {
  switch (textOf(component.format).toUpperCase()) {
    case 'IMAGE':
      return { kind: 'image' };
    case 'VIDEO':
    case 'GIF':
      return { kind: 'video' };
    case 'DOCUMENT':
      return { kind: 'document' };
    case 'LOCATION':
      return { kind: 'location' };
    case 'PRODUCT':
      return { kind: 'product' };
    default:
      return { kind: 'text', placeholders: placeholdersOf(textOf(component.text)) };
  }
}

function buttonShape(button: JsonObject): ButtonShape {
  const type = textOf(button.type).toLowerCase();
  const url = textOf(button.url);
  return {
    type,
    needsValue: VALUE_REQUIRED.has(type) || (type === 'url' && url.includes('{{')),
    urlLength: placeholdersOf(url).literalLength,
  };
}
