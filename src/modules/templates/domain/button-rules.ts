import type { FieldErrors } from './field-errors';
import { checkText, lengthOf } from './placeholder-rules';
import type { TemplateCategory } from './template';
import type { HeaderFormat } from './template-components';
import { type ButtonDraft, DRAFT_BUTTON_TYPES, type DraftButtonType } from './template-draft';
import { errorOfValue } from './value-error';
import { parsedUrl } from '../../../kernel/parsed-url';

const MAX_BUTTONS = 10;
const MAX_PER_TYPE: Partial<Record<DraftButtonType, number>> = { QuickReply: 10, Url: 2 };
/** Types whose label the platform provides in the template's language if there is none. */
const OPTIONAL_LABEL: readonly DraftButtonType[] = ['CopyCode', 'Otp', 'RequestContactInfo'];
const MAX_TEXT_LENGTH = 25;
const MAX_URL_LENGTH = 2000;
const VARIABLE_AT_END = /\{\{1\}\}$/;
const PHONE = /^\+?\d{5,19}$/;
const COUPON = /^[A-Za-z0-9]{1,20}$/;
const MAX_APPS = 5;
const PACKAGE = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/;
const SIGNATURE_HASH = /^[A-Za-z0-9+/=]{11}$/;

type TypeField = Exclude<keyof ButtonDraft, 'type' | 'text'>;

const FIELDS: Record<DraftButtonType, readonly TypeField[]> = {
  QuickReply: [],
  Url: ['url', 'example'],
  PhoneNumber: ['phoneNumber'],
  CopyCode: ['example'],
  Otp: ['otpType', 'autofillText', 'supportedApps', 'zeroTapTermsAccepted'],
  Flow: ['flowId', 'flowAction', 'navigateScreen'],
  Catalog: [],
  MultiProduct: [],
  Product: [],
  VoiceCall: [],
  RequestContactInfo: [],
};

/** Checks the number, order and fields of the buttons of a message, or of the card with the field prefix `owner`. */
export function checkButtons(
  errors: FieldErrors,
  buttons: readonly ButtonDraft[],
  category: TemplateCategory,
  owner = '',
): void {
  checkCounts(errors, `${owner}buttons`, buttons);
  buttons.forEach((button, index) => {
    const field = `${owner}buttons[${index}]`;
    if ((button.type === 'Otp') !== (category === 'Authentication')) {
      const rest =
        'does not match the category: Authentication templates have exactly one Otp button, others have none.';
      return errors.add(`${field}.type`, 'not_allowed', rest);
    }
    checkFields(errors, field, button);
    checkButton(errors, field, button);
  });
}

/** Checks that a Product button belongs to a Product header: that of the message, or of the card with the field prefix `owner`. */
export function checkProductButtons(
  errors: FieldErrors,
  buttons: readonly ButtonDraft[],
  headerFormat: HeaderFormat | undefined,
  owner = '',
): void {
  const index = buttons.findIndex(({ type }) => type === 'Product');
  if (index < 0 || headerFormat === 'Product') return;
  errors.add(`${owner}buttons[${index}].type`, 'not_allowed', 'may be Product only with a header of format Product.');
}

function checkCounts(errors: FieldErrors, field: string, buttons: readonly ButtonDraft[]): void {
  if (buttons.length > MAX_BUTTONS) {
    errors.add(field, 'too_many', `has ${buttons.length} buttons. A template has at most ${MAX_BUTTONS}.`);
  }
  for (const type of DRAFT_BUTTON_TYPES) {
    const max = MAX_PER_TYPE[type] ?? 1;
    if (buttons.filter((button) => button.type === type).length > max) {
      errors.add(field, 'too_many', `may have at most ${max} of type ${type}.`);
    }
  }
  const isReply = buttons.map(({ type }) => type === 'QuickReply');
  if (isReply.filter((reply, index) => index > 0 && reply !== isReply[index - 1]).length > 1) {
    errors.add(field, 'not_contiguous', 'must keep all QuickReply buttons adjacent, and all others.');
  }
}

function checkFields(errors: FieldErrors, field: string, button: ButtonDraft): void {
  for (const name of new Set(Object.values(FIELDS).flat())) {
    if (button[name] !== undefined && !FIELDS[button.type].includes(name)) {
      errors.add(`${field}.${name}`, 'not_allowed', `does not belong to a button of type ${button.type}. Remove it.`);
    }
  }
}

function checkButton(errors: FieldErrors, field: string, button: ButtonDraft): void {
  const { type, text } = button;
  if (text !== undefined || !OPTIONAL_LABEL.includes(type)) {
    checkText(errors, `${field}.text`, text, { maxLength: MAX_TEXT_LENGTH, lines: 'one' });
    if (text?.includes('{{')) errors.add(`${field}.text`, 'placeholder_not_allowed', 'must not contain a placeholder.');
  }
  switch (type) {
    case 'Url':
      return checkUrl(errors, field, button);
    case 'PhoneNumber':
      if (!PHONE.test(button.phoneNumber ?? '')) {
        const rest = 'must be a phone number in international format, at most 20 characters, such as +4930900000001.';
        errors.add(`${field}.phoneNumber`, button.phoneNumber === undefined ? 'required' : 'invalid_format', rest);
      }
      return;
    case 'CopyCode':
      if (!COUPON.test(button.example ?? '')) {
        const rest = 'must be a code of 1 to 20 letters and digits.';
        errors.add(`${field}.example`, button.example === undefined ? 'required' : 'invalid_format', rest);
      }
      return;
    case 'Otp':
      return checkOtp(errors, field, button);
    case 'Flow':
      return checkFlow(errors, field, button);
    default:
  }
}

function checkFlow(errors: FieldErrors, field: string, { flowId, flowAction, navigateScreen }: ButtonDraft): void {
  if (!/^\d{1,30}$/.test(flowId ?? '')) {
    const code = flowId === undefined ? 'required' : 'invalid_format';
    errors.add(`${field}.flowId`, code, "must be the platform's id of a published flow.");
  }
  if (flowAction === 'DataExchange' && navigateScreen !== undefined) {
    errors.add(`${field}.navigateScreen`, 'not_allowed', 'is only for flowAction Navigate. Remove it.');
  }
  if (navigateScreen !== undefined && !/^\w{1,80}$/.test(navigateScreen)) {
    errors.add(
      `${field}.navigateScreen`,
      'invalid_format',
      'must be the id of a screen: letters, digits and underscores.',
    );
  }
}

function checkUrl(errors: FieldErrors, field: string, { url, example }: ButtonDraft): void {
  if (url === undefined || url === '') return errors.add(`${field}.url`, 'required', 'is required.');
  if (lengthOf(url) > MAX_URL_LENGTH) {
    return errors.add(`${field}.url`, 'too_long', `must have at most ${MAX_URL_LENGTH} characters.`);
  }
  const fixed = url.replace(VARIABLE_AT_END, '');
  if (/[{}]/.test(fixed)) {
    return errors.add(`${field}.url`, 'placeholder_invalid', 'may contain one placeholder, {{1}}, at the very end.');
  }
  if (!/^https?:\/\/[^\s/]/i.test(fixed) || /[\s\p{Cc}]/u.test(fixed) || !parsedUrl(fixed)) {
    return errors.add(
      `${field}.url`,
      'invalid_format',
      'must be an absolute URL that begins with https:// or http://.',
    );
  }
  if (fixed === url) {
    if (example !== undefined)
      errors.add(`${field}.example`, 'examples_mismatch', 'is only for a url with a placeholder.');
    return;
  }
  if (example === undefined) {
    return errors.add(`${field}.example`, 'required', 'is required: the complete URL with a value in place of {{1}}.');
  }
  const suffix = example.slice(fixed.length);
  if (
    !example.startsWith(fixed) ||
    /[\s{}]/.test(suffix) ||
    errorOfValue(suffix) ||
    lengthOf(example) > MAX_URL_LENGTH
  ) {
    errors.add(`${field}.example`, 'examples_mismatch', `must be ${fixed.slice(0, 100)} followed by a value.`);
  }
}

function checkOtp(errors: FieldErrors, field: string, button: ButtonDraft): void {
  const { otpType, autofillText, supportedApps, zeroTapTermsAccepted } = button;
  if (autofillText !== undefined) {
    checkText(errors, `${field}.autofillText`, autofillText, { maxLength: MAX_TEXT_LENGTH, lines: 'one' });
    if (otpType === 'CopyCode')
      errors.add(`${field}.autofillText`, 'not_allowed', 'is only for OneTap and ZeroTap. Remove it.');
  }
  if (otpType === undefined) return errors.add(`${field}.otpType`, 'required', 'is required.');
  if (otpType === 'CopyCode') {
    if (supportedApps)
      errors.add(`${field}.supportedApps`, 'not_allowed', 'is only for OneTap and ZeroTap. Remove it.');
    return;
  }
  if (!supportedApps || supportedApps.length === 0 || supportedApps.length > MAX_APPS) {
    errors.add(`${field}.supportedApps`, 'required', `must name 1 to ${MAX_APPS} apps for ${otpType}.`);
  }
  supportedApps?.forEach(({ packageName, signatureHash }, index) => {
    const app = `${field}.supportedApps[${index}]`;
    if (!PACKAGE.test(packageName)) {
      errors.add(`${app}.packageName`, 'invalid_format', 'must be a package name, such as com.example.app.');
    }
    if (!SIGNATURE_HASH.test(signatureHash)) {
      errors.add(`${app}.signatureHash`, 'invalid_format', 'must be the 11 characters of the signing key hash.');
    }
  });
  if (otpType === 'ZeroTap' && zeroTapTermsAccepted !== true) {
    errors.add(
      `${field}.zeroTapTermsAccepted`,
      'required',
      "must be true: ZeroTap requires that you accept the platform's terms.",
    );
  }
}
