import { GraphError, invalidParameter } from '../http/graph-error';
import { isObject, type JsonObject } from '../http/exchange';
import { charactersOf, listOf, type ButtonShape } from '../templates/shape';
import { invalid, missing } from './envelope';
import { checkedText, formatMismatch } from './parameter-values';

const SUB_TYPES: Record<string, string> = {
  url: 'url',
  otp: 'url',
  quick_reply: 'quick_reply',
  copy_code: 'copy_code',
  flow: 'flow',
  catalog: 'catalog',
  mpm: 'mpm',
  voice_call: 'voice_call',
  order_details: 'order_details',
};
const URL_LIMIT = 2000;
const COUPON = /^[A-Za-z0-9]{1,20}$/;
const PAYLOAD_LIMIT = 256;
const MAX_SECTIONS = 10;
const MAX_PRODUCTS = 30;

/** The button values of a message in order, and the payloads of quick replies by button index. */
export interface ButtonValues {
  values: string[];
  payloads: Record<string, string>;
}

/** Checks the button components of a message against the template's buttons. */
export function buttonValues(components: JsonObject[], shapes: ButtonShape[], place = 'buttons'): ButtonValues {
  const given = new Map<number, JsonObject>();
  for (const component of components) {
    const index = indexOf(component.index, place);
    if (given.has(index)) throw invalidParameter(`Button at index ${index} is given twice`);
    if (shapes[index] === undefined) {
      throw new GraphError(132018, { details: `${place}: The template has no button at index ${index}` });
    }
    given.set(index, component);
  }
  const found: ButtonValues = { values: [], payloads: {} };
  shapes.forEach((shape, index) => {
    const component = given.get(index);
    const where = `${place}: Button at index ${index} of type ${label(shape.type)}`;
    if (component === undefined) {
      if (shape.type === 'flow') throw invalid(`${where} is missing: a flow button must be named`);
      if (shape.needsValue) throw missing(`${where} requires a parameter`);
      return;
    }
    const value = valueOf(component, shape, where);
    if (value === undefined) return;
    if (shape.type === 'quick_reply') found.payloads[String(index)] = value;
    else found.values.push(value);
  });
  return found;
}

function valueOf(component: JsonObject, shape: ButtonShape, where: string): string | undefined {
  const subType = typeof component.sub_type === 'string' ? component.sub_type.toLowerCase() : '';
  if (subType === '') throw missing(`${where}: sub_type is missing`);
  if (subType !== SUB_TYPES[shape.type]) throw formatMismatch(where, label(SUB_TYPES[shape.type] ?? 'none'), subType);
  const parameters = listOf(component.parameters);
  if (subType === 'voice_call') return checkVoiceCall(parameters, where);
  if (parameters.length > 1) throw new GraphError(132000, { details: `${where} takes one parameter` });
  const parameter = parameters[0];
  if (parameter === undefined) {
    if (shape.needsValue) throw missing(`${where} requires a parameter`);
    return undefined;
  }
  switch (subType) {
    case 'url':
      return urlValue(parameter, shape, where);
    case 'copy_code':
      return couponCode(parameter, where);
    case 'quick_reply':
      return payloadOf(parameter, where);
    default:
      if (parameter.type !== 'action') throw formatMismatch(where, 'ACTION', parameter.type);
      if (!isObject(parameter.action)) throw missing(`${where}: action is missing`);
      if (subType === 'mpm') checkSections(parameter.action, where);
      return undefined;
  }
}

function urlValue(parameter: JsonObject, shape: ButtonShape, where: string): string {
  if (!shape.needsValue) throw new GraphError(132018, { details: `${where} does not require parameters` });
  if (parameter.type !== 'text') throw formatMismatch(where, 'TEXT', parameter.type);
  const text = checkedText(parameter.text, where);
  if (shape.urlLength + charactersOf(text) > URL_LIMIT) {
    throw new GraphError(132005, { details: `${where}: the address becomes longer than ${URL_LIMIT}` });
  }
  return text;
}

function checkVoiceCall(parameters: JsonObject[], where: string): undefined {
  for (const { type, ttl_minutes: minutes, payload } of parameters) {
    if (type === 'ttl_minutes' && Number.isInteger(minutes)) continue;
    if (type === 'payload' && typeof payload === 'string') continue;
    throw formatMismatch(where, 'TTL_MINUTES or PAYLOAD', type);
  }
}

function checkSections(action: JsonObject, where: string): void {
  const sections = listOf(action.sections);
  const products = sections.flatMap((section) => listOf(section.product_items));
  if (typeof action.thumbnail_product_retailer_id !== 'string') {
    throw missing(`${where}: thumbnail_product_retailer_id is missing`);
  }
  if (sections.length < 1 || sections.length > MAX_SECTIONS) throw invalid(`${where}: 1 to ${MAX_SECTIONS} sections`);
  if (products.length < 1 || products.length > MAX_PRODUCTS) throw invalid(`${where}: 1 to ${MAX_PRODUCTS} products`);
}

function couponCode(parameter: JsonObject, where: string): string {
  if (parameter.type !== 'coupon_code') throw formatMismatch(where, 'COUPON_CODE', parameter.type);
  const code = parameter.coupon_code;
  if (code === undefined || code === '') throw missing(`${where}: coupon_code is missing`);
  if (typeof code !== 'string' || !COUPON.test(code)) {
    throw invalid(`${where}: coupon_code must be 1 to 20 letters or digits`);
  }
  return code;
}

function payloadOf(parameter: JsonObject, where: string): string {
  if (parameter.type !== 'payload') throw formatMismatch(where, 'PAYLOAD', parameter.type);
  const { payload } = parameter;
  if (payload === '') throw new GraphError(132018, { details: `${where}: payload is empty` });
  if (typeof payload !== 'string') throw missing(`${where}: payload is missing`);
  if (payload.length > PAYLOAD_LIMIT) throw invalid(`${where}: payload is longer than ${PAYLOAD_LIMIT}`);
  return payload;
}

function indexOf(index: unknown, place: string): number {
  const text = typeof index === 'number' ? String(index) : index;
  if (index === undefined) throw missing(`${place}: index is missing`);
  if (typeof text !== 'string' || !/^\d$/.test(text)) throw invalidParameter(`${place}: index must be 0 to 9`);
  return Number(text);
}

function label(type: string): string {
  const name = type === 'otp' ? 'url' : type;
  return name.charAt(0).toUpperCase() + name.slice(1);
}
