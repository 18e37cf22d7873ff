import { GraphError, invalidParameter } from '../http/graph-error';
import { isObject, type JsonObject } from '../http/exchange';
import { charactersOf, listOf, type HeaderShape, type TemplateShape } from '../templates/shape';
import type { Template } from '../templates/template';
import type { TemplateBook } from '../templates/template-book';
import { invalid, missing } from './envelope';
import { checkMediaReference, type MediaKindOf } from './media-reference';
import { countMismatch, formatMismatch, textValues } from './parameter-values';
import { buttonValues } from './template-buttons';

/** A template message that passed every check. */
export interface CheckedTemplateMessage {
  template: Template;
  /** The values of header, body and buttons; a one-time password appears once. */
  parameters: string[];
  /** The value of a media or location header. */
  header?: unknown;
  /** The payloads of quick-reply buttons by button index. */
  payloads?: Record<string, string>;
}

interface Checks {
  named: boolean;
  kindOf: MediaKindOf;
  strictMedia: boolean;
}

type ComponentType =
  'header' | 'body' | 'button' | 'limited_time_offer' | 'carousel' | 'order_status' | 'tap_target_configuration';
type ByType = Record<ComponentType, JsonObject[]>;

const HEADER_LIMIT = 60;
const ONE_TIME_PASSWORD_LIMIT = 15;
const COMPONENT_TYPES = 'HEADER, BODY, BUTTON, LIMITED_TIME_OFFER, CAROUSEL, ORDER_STATUS, TAP_TARGET_CONFIGURATION';
const ORDER_STATES = new Set(['pending', 'processing', 'partially-shipped', 'shipped', 'completed', 'canceled']);

/** Validates a template message as strictly as the platform; throws the platform's error. */
export function checkTemplateMessage(
  value: unknown,
  book: TemplateBook,
  kindOf: MediaKindOf,
  strictMedia: boolean,
): CheckedTemplateMessage {
  if (!isObject(value)) throw missing('template is required for messages of type template.');
  const template = usableTemplate(value, book);
  const checks = { named: template.parameterFormat === 'NAMED', kindOf, strictMedia };
  return { template, ...checkComponents(value.components, template.shape, checks) };
}

function usableTemplate({ name, language }: JsonObject, book: TemplateBook): Template {
  if (typeof name !== 'string' || name === '') throw missing('template.name is required.');
  if (!isObject(language) || typeof language.code !== 'string') throw missing('template.language.code is required.');
  if (language.policy !== undefined && language.policy !== 'deterministic') {
    throw invalidParameter("Param template['language']['policy'] must be one of {DETERMINISTIC}");
  }
  const template = book.find(name, language.code);
  switch (template?.status) {
    case 'APPROVED':
      return template;
    case 'PAUSED':
      throw new GraphError(132015, { details: `template (${name}) is paused because of its quality` });
    case 'DISABLED':
      throw new GraphError(132016, { details: `template (${name}) was paused too often and is disabled` });
    default:
      throw new GraphError(132001, { details: `template name (${name}) does not exist in ${language.code}` });
  }
}

function checkComponents(
  components: unknown,
  shape: TemplateShape,
  checks: Checks,
): Omit<CheckedTemplateMessage, 'template'> {
  const parts = componentsByType(components);
  const header = checkHeader(parametersOf(only(parts.header, 'header')), shape.header, checks);
  const body = textValues(parametersOf(only(parts.body, 'body')), shape.body, checks.named, shape.bodyLimit, 'body');
  const { values: buttons, payloads } = buttonValues(parts.button, shape.buttons);
  if (shape.oneTimePassword) checkOneTimePassword(body, buttons);
  checkOffer(only(parts.limited_time_offer, 'limited_time_offer'), shape.limitedTimeOffer);
  checkOrderStatus(only(parts.order_status, 'order_status'), shape.orderStatus);
  checkTapTarget(only(parts.tap_target_configuration, 'tap_target_configuration'), shape);
  const cards = checkCards(only(parts.carousel, 'carousel'), shape.cards, checks);
  return {
    parameters: [...header.values, ...body, ...(shape.oneTimePassword ? [] : buttons), ...cards],
    ...(header.media !== undefined && { header: header.media }),
    ...(Object.keys(payloads).length > 0 && { payloads }),
  };
}

function componentsByType(components: unknown): ByType {
  const parts: ByType = {
    ...{ header: [], body: [], button: [], limited_time_offer: [], carousel: [], order_status: [] },
    tap_target_configuration: [],
  };
  if (components === undefined || components === null) return parts;
  if (!Array.isArray(components)) throw invalidParameter("Param template['components'] must be an array.");
  components.forEach((component: unknown, position) => {
    const type = isObject(component) && typeof component.type === 'string' ? component.type.toLowerCase() : '';
    if (!isObject(component) || !(type in parts)) {
      throw invalidParameter(`Param template['components'][${position}]['type'] must be one of {${COMPONENT_TYPES}}`);
    }
    parts[type as keyof ByType].push(component);
  });
  return parts;
}

function only(components: JsonObject[], type: string): JsonObject | undefined {
  if (components.length > 1) throw invalidParameter(`Param template['components'] has more than one ${type}`);
  return components[0];
}

function parametersOf(component: JsonObject | undefined): JsonObject[] {
  const parameters = component?.parameters;
  if (parameters === undefined || parameters === null) return [];
  if (!Array.isArray(parameters) || !parameters.every(isObject)) {
    throw invalidParameter('Param parameters must be an array of objects.');
  }
  return parameters;
}

function checkHeader(
  parameters: JsonObject[],
  shape: HeaderShape,
  { named, kindOf, strictMedia }: Checks,
): { values: string[]; media?: unknown } {
  const parameter = parameters[0];
  switch (shape.kind) {
    case 'none':
      if (parameter !== undefined) throw countMismatch('header', parameters.length, 0);
      return { values: [] };
    case 'text':
      if (parameter !== undefined && parameter.type !== 'text') throw formatMismatch('header', 'TEXT', parameter.type);
      return { values: textValues(parameters, shape.placeholders, named, HEADER_LIMIT, 'header') };
    default:
  }
  if (parameter?.type !== shape.kind) throw formatMismatch('header', shape.kind.toUpperCase(), parameter?.type);
  if (parameters.length > 1) throw countMismatch('header', parameters.length, 1);
  if (shape.kind === 'location') return { values: [], media: checkLocation(parameter.location) };
  if (shape.kind === 'product') return { values: [], media: checkProduct(parameter.product) };
  const media = checkMediaReference(parameter[shape.kind], shape.kind, kindOf, strictMedia, 'header');
  return { values: [], media: { type: shape.kind, ...media } };
}

function checkLocation(location: unknown): object {
  if (!isObject(location)) throw missing('header: location is missing');
  for (const part of ['latitude', 'longitude', 'name', 'address']) {
    const value = location[part];
    if (value === undefined || value === '') throw missing(`header: location.${part} is missing`);
  }
  if (Number.isNaN(Number(location.latitude)) || Number.isNaN(Number(location.longitude))) {
    throw invalid('header: location.latitude and longitude must be numbers');
  }
  return { type: 'location', ...location };
}

function checkProduct(product: unknown): object {
  if (!isObject(product)) throw missing('header: product is missing');
  for (const part of ['catalog_id', 'product_retailer_id']) {
    if (typeof product[part] !== 'string' || product[part] === '') throw missing(`header: product.${part} is missing`);
  }
  return { type: 'product', ...product };
}

function checkOrderStatus(component: JsonObject | undefined, isRequired: boolean): void {
  if (!isRequired) {
    if (component !== undefined) throw countMismatch('order_status', 1, 0);
    return;
  }
  const parameter = parametersOf(component)[0]?.order_status;
  if (!isObject(parameter) || !isObject(parameter.order))
    throw missing('order_status: the status of the order is missing');
  if (typeof parameter.reference_id !== 'string') throw missing('order_status: reference_id is missing');
  const { status } = parameter.order;
  if (typeof status !== 'string' || !ORDER_STATES.has(status)) throw invalid('order_status: status is unknown');
}

function checkOneTimePassword(body: string[], buttons: string[]): void {
  const [code = ''] = body;
  if (charactersOf(code) > ONE_TIME_PASSWORD_LIMIT) {
    throw new GraphError(132005, { details: `body: the code is longer than ${ONE_TIME_PASSWORD_LIMIT} characters` });
  }
  if (buttons[0] !== code) {
    throw new GraphError(132018, { details: 'buttons: Button at index 0 of type Url must carry the code of the body' });
  }
}

function checkOffer(component: JsonObject | undefined, isRequired: boolean): void {
  if (!isRequired) {
    if (component !== undefined) throw countMismatch('limited_time_offer', 1, 0);
    return;
  }
  const parameter = parametersOf(component)[0];
  const offer = parameter?.limited_time_offer;
  if (!isObject(offer) || offer.expiration_time_ms === undefined) {
    throw missing('limited_time_offer: expiration_time_ms is missing');
  }
  if (typeof offer.expiration_time_ms !== 'number' || offer.expiration_time_ms <= Date.now()) {
    throw invalid('limited_time_offer: expiration_time_ms must be in the future');
  }
}

function checkTapTarget(component: JsonObject | undefined, { buttons }: TemplateShape): void {
  if (component === undefined) return;
  if (!buttons.some(({ type }) => type === 'url')) throw invalid('tap_target_configuration: there is no URL button');
  const [target] = listOf(parametersOf(component)[0]?.tap_target_configuration);
  if (typeof target?.url !== 'string' || typeof target.title !== 'string') {
    throw missing('tap_target_configuration: url and title are required');
  }
}

const MOST_CARDS = 10;

function checkCards(component: JsonObject | undefined, shapes: TemplateShape[], checks: Checks): string[] {
  const cards = listOf(component?.cards);
  // A product carousel takes 2 to 10 cards, whatever its template has; one with media exactly those of its template.
  const isOpen = shapes[0]?.header.kind === 'product' && cards.length >= 2 && cards.length <= MOST_CARDS;
  if (cards.length !== shapes.length && !isOpen) throw countMismatch('carousel', cards.length, shapes.length);
  const values = new Map<number, string[]>();
  for (const card of cards) {
    const index = Number(card.card_index);
    const shape = isOpen ? (shapes[index] ?? shapes[0]) : shapes[index];
    if (shape === undefined || values.has(index) || !(index >= 0 && index < cards.length))
      throw invalid('carousel: card_index is missing, unknown or duplicate');
    values.set(index, checkComponents(card.components, shape, checks).parameters);
  }
  return cards.flatMap((_, index) => values.get(index) ?? []);
}
