import { invalidParameter } from '../http/graph-error';
import { isObject, type JsonObject } from '../http/exchange';
import { checkButtons } from './button-rules';
import { BODY_LIMITS, charactersOf, listOf, ORDER_STATUS, textOf } from './shape';
import { TEMPLATE_CATEGORIES, type TemplateCategory, type TemplateDraft } from './template';
import { checkPlaceholders } from './placeholder-rules';
import { templateProblem } from './template-problem';

const NAME = /^[a-z0-9_]{1,512}$/;
const LANGUAGE = /^[a-z]{2,3}(_[A-Z]{2,4})?$/;
const FORMATS = new Set(['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION', 'GIF', 'PRODUCT']);
/** Header formats without an example. */
const WITHOUT_EXAMPLE = new Set(['LOCATION', 'PRODUCT']);
const CARD_HEADERS = new Set(['IMAGE', 'VIDEO', 'PRODUCT']);
const TTL_RANGES: Record<TemplateCategory, [number, number]> = {
  AUTHENTICATION: [30, 900],
  UTILITY: [30, 43_200],
  MARKETING: [43_200, 2_592_000],
};
const HEADER_LIMIT = 60;
const OFFER_TEXT_LIMIT = 16;
const FOOTER_LIMIT = 60;
const ONE_TIME_PASSWORD_TEXT = '*{{1}}* is your verification code.';

/** Reads a new template and validates it by the platform's rules for texts, variables and buttons. */
export function readDraft(input: JsonObject): TemplateDraft {
  const { name, language, category } = input;
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw invalidParameter('Param name must be 1 to 512 lower case letters, digits or underscores.');
  }
  if (typeof language !== 'string' || !LANGUAGE.test(language)) {
    throw invalidParameter('Param language must be a language code like en_US.');
  }
  const known = TEMPLATE_CATEGORIES.find((one) => one === textOf(category).toUpperCase());
  if (known === undefined) throw invalidParameter(`Param category must be one of {${TEMPLATE_CATEGORIES.join(', ')}}`);
  const format = textOf(input.parameter_format ?? 'POSITIONAL').toUpperCase();
  if (format !== 'POSITIONAL' && format !== 'NAMED') {
    throw invalidParameter('Param parameter_format must be one of {POSITIONAL, NAMED}');
  }
  const subCategory = readSubCategory(input.sub_category, known);
  const components = readComponents(input.components);
  checkComponents(components, known, format === 'NAMED');
  return {
    name,
    language,
    category: known,
    parameterFormat: format,
    components: components.map((component) => normalized(component, known)),
    timeToLive: readTimeToLive(input.message_send_ttl_seconds, known),
    subCategory,
  };
}

function readSubCategory(value: unknown, category: TemplateCategory): string | undefined {
  if (value === undefined) return undefined;
  if (value !== ORDER_STATUS || category !== 'UTILITY') {
    throw invalidParameter(`Param sub_category must be ${ORDER_STATUS}, of a template of the category UTILITY.`);
  }
  return value;
}

/** The components of a request: an array of objects, or its JSON text. */
export function readComponents(value: unknown): JsonObject[] {
  let components = value;
  if (typeof value === 'string') {
    try {
      components = JSON.parse(value) as unknown;
    } catch {
      throw invalidParameter('Param components must be an array.');
    }
  }
  if (!Array.isArray(components) || components.length === 0 || !components.every(isObject)) {
    throw invalidParameter('Param components must be an array.');
  }
  return components;
}

/** The time to live in seconds, within the range of the category; undefined if absent. */
export function readTimeToLive(value: unknown, category: TemplateCategory): number | undefined {
  if (value === undefined || value === null) return undefined;
  const seconds = Number(value);
  const [least, most] = TTL_RANGES[category];
  const unlimited = seconds === -1 && category !== 'MARKETING';
  if (!Number.isInteger(seconds) || (!unlimited && (seconds < least || seconds > most))) {
    throw invalidParameter(`Param message_send_ttl_seconds must be from ${least} to ${most} for ${category}.`);
  }
  return seconds;
}

function checkComponents(components: JsonObject[], category: TemplateCategory, named: boolean): void {
  const types = components.map((component) => textOf(component.type).toUpperCase());
  if (new Set(types).size !== types.length) throw invalidParameter('Param components has a type twice.');
  if (!types.includes('BODY')) throw invalidParameter('Param components must have a BODY.');
  const hasOffer = types.includes('LIMITED_TIME_OFFER');
  const hasProduct = components.some(({ format }) => textOf(format).toUpperCase() === 'PRODUCT');
  const bodyLimit = hasOffer ? BODY_LIMITS.offer : hasProduct ? BODY_LIMITS.product : BODY_LIMITS.alone;
  components.forEach((component, index) => {
    switch (types[index]) {
      case 'HEADER':
        checkHeader(component, category, named);
        return;
      case 'BODY':
        if (category !== 'AUTHENTICATION') checkBody(component, named, bodyLimit);
        else if (component.text !== undefined && component.text !== ONE_TIME_PASSWORD_TEXT) {
          throw templateProblem(2388047, 'Body is not allowed', 'The text of an authentication template is fixed.');
        }
        return;
      case 'FOOTER':
        checkFooter(component, category);
        return;
      case 'BUTTONS':
        checkButtons(listOf(component.buttons), category);
        checkButtonOrder(listOf(component.buttons), { hasOffer, hasProduct });
        return;
      case 'LIMITED_TIME_OFFER':
        checkOffer(component, category, types);
        return;
      case 'CALL_PERMISSION_REQUEST':
        if (category === 'AUTHENTICATION')
          throw invalidParameter('Authentication templates cannot have a call permission request.');
        return;
      case 'CAROUSEL':
        checkCarousel(component, category, named);
        return;
      default:
        throw invalidParameter(`Param components[${index}]['type'] is unknown.`);
    }
  });
  if (category === 'AUTHENTICATION' && !types.includes('BUTTONS')) {
    throw templateProblem(2388047, 'Button is missing', 'An authentication template has one OTP button.');
  }
}

function checkHeader(component: JsonObject, category: TemplateCategory, named: boolean): void {
  const format = textOf(component.format).toUpperCase();
  if (!FORMATS.has(format)) throw templateProblem(2388047, 'Header format is incorrect', 'The header needs a format.');
  if (category === 'AUTHENTICATION') throw templateProblem(2388047, 'Header is not allowed', 'Remove the header.');
  const example = isObject(component.example) ? component.example : {};
  if (format === 'TEXT') {
    checkText(component.text, 'header', HEADER_LIMIT);
    checkPlaceholders(textOf(component.text), { named, place: 'header', most: 1, example });
  } else if (!WITHOUT_EXAMPLE.has(format)) {
    const handles = Array.isArray(example.header_handle) ? example.header_handle : [example.header_handle];
    if (typeof handles[0] !== 'string' || handles[0] === '') {
      throw templateProblem(2388047, 'Example is missing', `A header of format ${format} needs example.header_handle.`);
    }
  }
}

function checkBody(component: JsonObject, named: boolean, limit: number): void {
  checkText(component.text, 'body', limit);
  const example = isObject(component.example) ? component.example : {};
  checkPlaceholders(textOf(component.text), { named, place: 'body', most: Infinity, example });
}

function checkFooter(component: JsonObject, category: TemplateCategory): void {
  if (category === 'AUTHENTICATION') {
    const minutes = Number(component.code_expiration_minutes);
    if (!Number.isInteger(minutes) || minutes < 1 || minutes > 90) {
      throw invalidParameter('Param code_expiration_minutes must be from 1 to 90.');
    }
    return;
  }
  checkText(component.text, 'footer', FOOTER_LIMIT);
  if (textOf(component.text).includes('{{')) {
    throw templateProblem(2388073, 'Footer format is incorrect', 'A footer takes no variables.');
  }
}

function checkOffer(component: JsonObject, category: TemplateCategory, types: readonly string[]): void {
  if (category !== 'MARKETING') throw invalidParameter('A limited time offer needs the category MARKETING.');
  if (types.includes('FOOTER')) throw invalidParameter('A limited time offer allows no footer.');
  const offer = component.limited_time_offer;
  checkText(isObject(offer) ? offer.text : undefined, 'offer', OFFER_TEXT_LIMIT);
}

/** The buttons of an offer are a code, then a URL; "View" of one product needs its header. */
function checkButtonOrder(buttons: JsonObject[], { hasOffer, hasProduct }: Record<string, boolean>): void {
  const types = buttons.map(({ type }) => textOf(type).toUpperCase());
  if (hasOffer && !['COPY_CODE,URL', 'URL'].includes(types.join())) {
    throw invalidParameter('A limited time offer has a COPY_CODE button, then a URL button.');
  }
  if (types.includes('SPM') && !hasProduct)
    throw invalidParameter('An SPM button needs a header of the format PRODUCT.');
}

function isHeader({ type }: JsonObject): boolean {
  return textOf(type).toUpperCase() === 'HEADER';
}

function checkCarousel(component: JsonObject, category: TemplateCategory, named: boolean): void {
  const cards = listOf(component.cards);
  if (cards.length < 2 || cards.length > 10) throw invalidParameter('A carousel has 2 to 10 cards.');
  const shapes = cards.map((card) => {
    const parts = listOf(card.components);
    for (const part of parts) {
      const type = textOf(part.type).toUpperCase();
      if (type === 'HEADER') checkHeader(part, category, named);
      if (type === 'BODY') checkBody(part, named, BODY_LIMITS.card);
      if (type === 'BUTTONS') {
        if (listOf(part.buttons).length > 2) throw invalidParameter('A card has at most 2 buttons.');
        checkButtons(listOf(part.buttons), category);
      }
    }
    if (!CARD_HEADERS.has(textOf(parts.find(isHeader)?.format).toUpperCase())) {
      throw invalidParameter('A card needs an image, video or product header.');
    }
    const types = parts.flatMap((part) => [part.type, part.format, ...listOf(part.buttons).map((one) => one.type)]);
    return JSON.stringify(types).toUpperCase();
  });
  if (new Set(shapes).size > 1) throw invalidParameter('All cards of a carousel must have the same structure.');
}

function checkText(text: unknown, place: string, limit: number): void {
  if (typeof text !== 'string' || text.trim() === '') throw invalidParameter(`Param text of the ${place} is required.`);
  if (charactersOf(text) > limit) {
    throw templateProblem(2388040, 'Character limit exceeded', `The ${place} is longer than ${limit} characters.`);
  }
}

function normalized(component: JsonObject, category: TemplateCategory): JsonObject {
  const upper = {
    ...component,
    type: textOf(component.type).toUpperCase(),
    ...(typeof component.format === 'string' && { format: component.format.toUpperCase() }),
  };
  if (category === 'AUTHENTICATION' && upper.type === 'BODY') {
    return { ...upper, text: ONE_TIME_PASSWORD_TEXT };
  }
  if (category === 'AUTHENTICATION' && upper.type === 'FOOTER') {
    return { ...upper, text: `This code expires in ${Number(component.code_expiration_minutes)} minutes.` };
  }
  return upper;
}
