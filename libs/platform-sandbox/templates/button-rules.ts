import { invalidParameter } from '../http/graph-error';
import type { JsonObject } from '../http/exchange';
import { charactersOf, textOf } from './shape';
import type { TemplateCategory } from './template';
import { isUrl } from '../http/is-url';

const MAX_BUTTONS = 10;
const MAX_PER_TYPE: Record<string, number> = { URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1, QUICK_REPLY: 10, OTP: 1 };
const OTHER_TYPES = new Set(['FLOW', 'CATALOG', 'MPM', 'SPM', 'VOICE_CALL', 'REQUEST_CONTACT_INFO', 'ORDER_DETAILS']);
/** Button types with a default label. */
const WITH_DEFAULT_LABEL = new Set(['COPY_CODE', 'OTP', 'REQUEST_CONTACT_INFO']);
const OTP_TYPES = new Set(['COPY_CODE', 'ONE_TAP', 'ZERO_TAP']);
const TEXT_LIMIT = 25;
const URL_LIMIT = 2000;
const PHONE_LIMIT = 20;
const CODE_LIMIT = 20;

/** Validates the number, order and fields of a template's buttons. */
export function checkButtons(buttons: JsonObject[], category: TemplateCategory): void {
  if (buttons.length < 1 || buttons.length > MAX_BUTTONS) throw invalidParameter('A template has 1 to 10 buttons.');
  const types = buttons.map((button) => textOf(button.type).toUpperCase());
  for (const type of types) {
    const most = MAX_PER_TYPE[type];
    if (most === undefined && !OTHER_TYPES.has(type)) throw invalidParameter(`Button type ${type} is unknown.`);
    if (types.filter((one) => one === type).length > (most ?? 1)) throw invalidParameter(`Too many ${type} buttons.`);
  }
  if ((category === 'AUTHENTICATION') !== types.includes('OTP')) {
    throw invalidParameter('Authentication templates, and only they, have an OTP button.');
  }
  const changes = types.filter((type, at) => at > 0 && (type === 'QUICK_REPLY') !== (types[at - 1] === 'QUICK_REPLY'));
  if (changes.length > 1)
    throw invalidParameter('Quick reply buttons must be grouped together, and so must all others.');
  buttons.forEach((button, index) => checkButton(button, types[index] ?? ''));
}

function checkButton(button: JsonObject, type: string): void {
  const text = textOf(button.text);
  if (!WITH_DEFAULT_LABEL.has(type) && (text === '' || charactersOf(text) > TEXT_LIMIT || text.includes('{{'))) {
    throw invalidParameter(`The text of a ${type} button is 1 to ${TEXT_LIMIT} characters without variables.`);
  }
  switch (type) {
    case 'URL':
      checkUrl(textOf(button.url), button.example);
      return;
    case 'PHONE_NUMBER':
      if (!/^\+?[\d ]{5,}$/.test(textOf(button.phone_number)) || textOf(button.phone_number).length > PHONE_LIMIT) {
        throw invalidParameter('A phone number button needs a phone_number of at most 20 characters.');
      }
      return;
    case 'FLOW':
      if ([button.flow_id, button.flow_name, button.flow_json].every((flow) => textOf(flow) === '')) {
        throw invalidParameter('A flow button needs flow_id, flow_name or flow_json.');
      }
      return;
    case 'COPY_CODE':
      checkCode(button.example);
      return;
    case 'OTP':
      if (!OTP_TYPES.has(textOf(button.otp_type).toUpperCase())) throw invalidParameter('otp_type is unknown.');
      return;
  }
}

function checkUrl(url: string, example: unknown): void {
  const suffix = /\{\{\s*1\s*\}\}$/;
  const fixed = url.replace(suffix, '');
  if (!/^https?:\/\//i.test(url) || url.length > URL_LIMIT || fixed.includes('{{') || !isUrl(fixed)) {
    throw invalidParameter('The url of a button is absolute and has at most one variable {{1}}, at its end.');
  }
  if (fixed !== url && (firstOf(example) ?? '') === '') {
    throw invalidParameter('A url with a variable needs an example.');
  }
}

function checkCode(example: unknown): void {
  const code = firstOf(example);
  if (code === undefined || code === '' || code.length > CODE_LIMIT) {
    throw invalidParameter(`A copy code button needs an example of at most ${CODE_LIMIT} characters.`);
  }
}

function firstOf(example: unknown): string | undefined {
  const first: unknown = Array.isArray(example) ? example[0] : example;
  return typeof first === 'string' ? first : undefined;
}
