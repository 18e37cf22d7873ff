import type { FieldFaults } from './field-faults';
import { checkText, lengthOf } from './placeholder-rules';
import type { TemplateCategory } from './template';
import type { ButtonDraft, DraftButtonType } from './template-draft';
import { faultOfValue } from './value-fault';

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

/** How many buttons of which kind, in which order, and what each of them must say. */
export function checkButtons(faults: FieldFaults, buttons: readonly ButtonDraft[], category: TemplateCategory): void {
  checkSet(faults, buttons);
  buttons.forEach((button, index) => {
    const field = `buttons[${index}]`;
    if ((button.type === 'Otp') !== (category === 'Authentication')) {
      const rest = 'does not go with the category: Authentication templates, and only they, have an Otp button.';
      return faults.add(`${field}.type`, 'not_allowed', rest);
    }
    checkFields(faults, field, button);
    checkButton(faults, field, button);
  });
}

function checkSet(faults: FieldFaults, buttons: readonly ButtonDraft[]): void {
  if (buttons.length > MOST_BUTTONS) {
    faults.add('buttons', 'too_many', `has ${buttons.length} buttons. A template has at most ${MOST_BUTTONS}.`);
  }
  for (const [type, most] of Object.entries(MOST_OF_TYPE)) {
    if (buttons.filter((button) => button.type === type).length > most) {
      faults.add('buttons', 'too_many', `may have at most ${most} of type ${type}.`);
    }
  }
  const runs = buttons.filter(({ type }, index) => type === 'QuickReply' && buttons[index - 1]?.type !== 'QuickReply');
  if (runs.length > 1) {
    faults.add('buttons', 'not_contiguous', 'must have its QuickReply buttons together, with no other between them.');
  }
}

function checkFields(faults: FieldFaults, field: string, button: ButtonDraft): void {
  const others: OwnField[] = ['url', 'example', 'phoneNumber', 'otpType', 'supportedApps', 'zeroTapTermsAccepted'];
  for (const name of others) {
    if (button[name] !== undefined && !FIELDS[button.type].includes(name)) {
      faults.add(`${field}.${name}`, 'not_allowed', `does not belong to a button of type ${button.type}. Remove it.`);
    }
  }
}

function checkButton(faults: FieldFaults, field: string, button: ButtonDraft): void {
  const { type, text } = button;
  // The platform writes these two in the language of the template where nobody else does.
  if (text !== undefined || (type !== 'CopyCode' && type !== 'Otp')) {
    checkText(faults, `${field}.text`, text, { longest: LONGEST_TEXT, lines: 'one' });
    if (text?.includes('{{')) faults.add(`${field}.text`, 'placeholder_not_allowed', 'takes no placeholder.');
  }
  switch (type) {
    case 'Url':
      return checkUrl(faults, field, button);
    case 'PhoneNumber':
      if (!PHONE.test(button.phoneNumber ?? '')) {
        const rest = 'must be a phone number in international form, at most 20 characters, such as +4930900000001.';
        faults.add(`${field}.phoneNumber`, button.phoneNumber === undefined ? 'required' : 'invalid_format', rest);
      }
      return;
    case 'CopyCode':
      if (!COUPON.test(button.example ?? '')) {
        const rest = 'must be a code of 1 to 20 letters and digits.';
        faults.add(`${field}.example`, button.example === undefined ? 'required' : 'invalid_format', rest);
      }
      return;
    case 'Otp':
      return checkOtp(faults, field, button);
    case 'QuickReply':
  }
}

function checkUrl(faults: FieldFaults, field: string, { url, example }: ButtonDraft): void {
  if (url === undefined || url === '') return faults.add(`${field}.url`, 'required', 'is required.');
  if (lengthOf(url) > LONGEST_URL) {
    return faults.add(`${field}.url`, 'too_long', `must have at most ${LONGEST_URL} characters.`);
  }
  const fixed = url.replace(VARIABLE_AT_END, '');
  if (/[{}]/.test(fixed)) {
    return faults.add(`${field}.url`, 'placeholder_invalid', 'takes one placeholder {{1}}, at its very end.');
  }
  if (!/^https?:\/\/[^\s/]/i.test(fixed) || /[\s\p{Cc}]/u.test(fixed) || !URL.canParse(fixed)) {
    return faults.add(
      `${field}.url`,
      'invalid_format',
      'must be an absolute address that begins with https:// or http://.',
    );
  }
  if (fixed === url) {
    if (example !== undefined) faults.add(`${field}.example`, 'examples_mismatch', 'is for a url with a placeholder.');
    return;
  }
  if (example === undefined) {
    return faults.add(
      `${field}.example`,
      'required',
      'is required: the whole address with a value in the place of {{1}}.',
    );
  }
  const suffix = example.slice(fixed.length);
  if (!example.startsWith(fixed) || /[\s{}]/.test(suffix) || faultOfValue(suffix) || lengthOf(example) > LONGEST_URL) {
    faults.add(`${field}.example`, 'examples_mismatch', `must be ${fixed.slice(0, 100)} with a value behind it.`);
  }
}

function checkOtp(faults: FieldFaults, field: string, button: ButtonDraft): void {
  const { otpType, supportedApps, zeroTapTermsAccepted } = button;
  if (otpType === undefined) return faults.add(`${field}.otpType`, 'required', 'is required.');
  if (otpType === 'CopyCode') {
    if (supportedApps) faults.add(`${field}.supportedApps`, 'not_allowed', 'is for OneTap and ZeroTap. Remove it.');
    return;
  }
  if (!supportedApps || supportedApps.length === 0 || supportedApps.length > MOST_APPS) {
    faults.add(`${field}.supportedApps`, 'required', `must name 1 to ${MOST_APPS} apps for ${otpType}.`);
  }
  supportedApps?.forEach(({ packageName, signatureHash }, index) => {
    const app = `${field}.supportedApps[${index}]`;
    if (!PACKAGE.test(packageName)) {
      faults.add(`${app}.packageName`, 'invalid_format', 'must be a package name, such as com.example.app.');
    }
    if (!SIGNATURE_HASH.test(signatureHash)) {
      faults.add(`${app}.signatureHash`, 'invalid_format', 'must be the 11 characters of the signing key hash.');
    }
  });
  if (otpType === 'ZeroTap' && zeroTapTermsAccepted !== true) {
    faults.add(
      `${field}.zeroTapTermsAccepted`,
      'required',
      "must be true: ZeroTap needs the platform's terms accepted.",
    );
  }
}
