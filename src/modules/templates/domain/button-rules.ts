import type { FieldErrors } from './field-errors';
import { checkText, lengthOf } from './placeholder-rules';
import type { TemplateCategory } from './template';
import type { ButtonDraft, DraftButtonType } from './template-draft';
import { errorOfValue } from './value-error';

const MOST_BUTTONS = 10;
const MOST_OF_TYPE: Record<DraftButtonType, number> = { QuickReply: 10, Url: 2, PhoneNumber: 1, CopyCode: 1, Otp: 1 };
const LONGEST_TEXT = 25;
const LONGEST_URL = 2000;
const VARIABLE_AT_END = /\{\{1\}\}$/;
const PHONE = /^\+?\d{5,19}$/;
const COUPON = /^[A-Za-z0-9]{1,20}$/;
const MOST_APPS = 5;
const PACKAGE = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/;
const SIGNATURE_HASH = /^[A-Za-z0-9+/=]{11}$/;

type OwnField = Exclude<keyof ButtonDraft, 'type' | 'text'>;

const FIELDS: Record<DraftButtonType, readonly OwnField[]> = {
  QuickReply: [],
  Url: ['url', 'example'],
  PhoneNumber: ['phoneNumber'],
  CopyCode: ['example'],
  Otp: ['otpType', 'supportedApps', 'zeroTapTermsAccepted'],
};

/** Checks the number, order and fields of the buttons. */
export function checkButtons(errors: FieldErrors, buttons: readonly ButtonDraft[], category: TemplateCategory): void {
  checkSet(errors, buttons);
  buttons.forEach((button, index) => {
    const field = `buttons[${index}]`;
    if ((button.type === 'Otp') !== (category === 'Authentication')) {
      const rest =
        'does not match the category: Authentication templates have exactly one Otp button, others have none.';
      return errors.add(`${field}.type`, 'not_allowed', rest);
    }
    checkFields(errors, field, button);
    checkButton(errors, field, button);
  });
}

function checkSet(errors: FieldErrors, buttons: readonly ButtonDraft[]): void {
  if (buttons.length > MOST_BUTTONS) {
    errors.add('buttons', 'too_many', `has ${buttons.length} buttons. A template has at most ${MOST_BUTTONS}.`);
  }
  for (const [type, most] of Object.entries(MOST_OF_TYPE)) {
    if (buttons.filter((button) => button.type === type).length > most) {
      errors.add('buttons', 'too_many', `may have at most ${most} of type ${type}.`);
    }
  }
  const runs = buttons.filter(({ type }, index) => type === 'QuickReply' && buttons[index - 1]?.type !== 'QuickReply');
  if (runs.length > 1) {
    errors.add('buttons', 'not_contiguous', 'must keep all QuickReply buttons adjacent.');
  }
}

function checkFields(errors: FieldErrors, field: string, button: ButtonDraft): void {
  const others: OwnField[] = ['url', 'example', 'phoneNumber', 'otpType', 'supportedApps', 'zeroTapTermsAccepted'];
  for (const name of others) {
    if (button[name] !== undefined && !FIELDS[button.type].includes(name)) {
      errors.add(`${field}.${name}`, 'not_allowed', `does not belong to a button of type ${button.type}. Remove it.`);
    }
  }
}

function checkButton(errors: FieldErrors, field: string, button: ButtonDraft): void {
  const { type, text } = button;
  // The platform provides a label in the template's language for these two if there is none.
  if (text !== undefined || (type !== 'CopyCode' && type !== 'Otp')) {
    checkText(errors, `${field}.text`, text, { longest: LONGEST_TEXT, lines: 'one' });
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
    case 'QuickReply':
  }
}

function checkUrl(errors: FieldErrors, field: string, { url, example }: ButtonDraft): void {
  if (url === undefined || url === '') return errors.add(`${field}.url`, 'required', 'is required.');
  if (lengthOf(url) > LONGEST_URL) {
    return errors.add(`${field}.url`, 'too_long', `must have at most ${LONGEST_URL} characters.`);
  }
  const fixed = url.replace(VARIABLE_AT_END, '');
  if (/[{}]/.test(fixed)) {
    return errors.add(`${field}.url`, 'placeholder_invalid', 'may contain one placeholder, {{1}}, at the very end.');
  }
  if (!/^https?:\/\/[^\s/]/i.test(fixed) || /[\s\p{Cc}]/u.test(fixed) || !URL.canParse(fixed)) {
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
  if (!example.startsWith(fixed) || /[\s{}]/.test(suffix) || errorOfValue(suffix) || lengthOf(example) > LONGEST_URL) {
    errors.add(`${field}.example`, 'examples_mismatch', `must be ${fixed.slice(0, 100)} followed by a value.`);
  }
}

function checkOtp(errors: FieldErrors, field: string, button: ButtonDraft): void {
  const { otpType, supportedApps, zeroTapTermsAccepted } = button;
  if (otpType === undefined) return errors.add(`${field}.otpType`, 'required', 'is required.');
  if (otpType === 'CopyCode') {
    if (supportedApps)
      errors.add(`${field}.supportedApps`, 'not_allowed', 'is only for OneTap and ZeroTap. Remove it.');
    return;
  }
  if (!supportedApps || supportedApps.length === 0 || supportedApps.length > MOST_APPS) {
    errors.add(`${field}.supportedApps`, 'required', `must name 1 to ${MOST_APPS} apps for ${otpType}.`);
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
