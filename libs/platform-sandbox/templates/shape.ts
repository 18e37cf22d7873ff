import { isObject, type JsonObject } from '../http/exchange';

/** The placeholders of a text: their names in order, how often each occurs, and the length of the other text. */
export interface Placeholders {
  /** "1", "2", … by number, or names by first appearance. */
  names: string[];
  occurrences: number[];
  literalLength: number;
}

/** What a message must contain for the header of a template. */
export type HeaderShape =
  { kind: 'none' | 'location' | 'image' | 'video' | 'document' } | { kind: 'text'; placeholders: Placeholders };

/** What a message must contain for one button of a template. */
export interface ButtonShape {
  /** In lower case: url, quick_reply, copy_code, otp, flow, catalog, mpm, phone_number, … */
  type: string;
  /** Whether a value is required: for a URL with a variable, a one-time password, a coupon code. */
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
  limitedTimeOffer: boolean;
  cards: TemplateShape[];
}

const PLACEHOLDER = /\{\{\s*([^{}]+?)\s*\}\}/g;
const BODY_LIMIT = 1024;
const CARD_BODY_LIMIT = 160;
const BODY_ONLY_LIMIT = 32_768;
const NO_PLACEHOLDERS: Placeholders = { names: [], occurrences: [], literalLength: 0 };

/** The placeholders of a text, each name once. */
export function placeholdersOf(text: string): Placeholders {
  const counts = new Map<string, number>();
  let placeholderLength = 0;
  for (const [whole, name = ''] of text.matchAll(PLACEHOLDER)) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    placeholderLength += whole.length;
  }
  const names = [...counts.keys()];
  if (names.every((name) => /^\d+$/.test(name))) names.sort((a, b) => Number(a) - Number(b));
  return {
    names,
    occurrences: names.map((name) => counts.get(name) ?? 0),
    literalLength: text.length - placeholderLength,
  };
}

/** Derives what a message must contain for a template with these components. */
export function shapeOf(components: JsonObject[], category: string): TemplateShape {
  const shape: TemplateShape = {
    header: { kind: 'none' },
    body: NO_PLACEHOLDERS,
    bodyLimit: components.length === 1 ? BODY_ONLY_LIMIT : BODY_LIMIT,
    buttons: [],
    oneTimePassword: category === 'AUTHENTICATION',
    limitedTimeOffer: false,
    cards: [],
  };
  for (const component of components) {
    switch (textOf(component.type).toUpperCase()) {
      case 'HEADER':
        shape.header = headerShape(component);
        break;
      case 'BODY':
        shape.body = placeholdersOf(shape.oneTimePassword ? '{{1}} is your code.' : textOf(component.text));
        break;
      case 'BUTTONS':
        shape.buttons = listOf(component.buttons).map(buttonShape);
        break;
      case 'LIMITED_TIME_OFFER':
        shape.limitedTimeOffer = true;
        break;
      case 'CAROUSEL':
        shape.cards = listOf(component.cards).map((card) => ({
          ...shapeOf(listOf(card.components), category),
          bodyLimit: CARD_BODY_LIMIT,
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

/** A string, or an empty one for anything else. */
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
    default:
      return { kind: 'text', placeholders: placeholdersOf(textOf(component.text)) };
  }
}

function buttonShape(button: JsonObject): ButtonShape {
  const type = textOf(button.type).toLowerCase();
  const url = textOf(button.url);
  return {
    type,
    needsValue: type === 'otp' || type === 'copy_code' || (type === 'url' && url.includes('{{')),
    urlLength: url.length,
  };
}
