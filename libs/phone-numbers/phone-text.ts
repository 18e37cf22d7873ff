/** The digits of a phone number, or an error. */
export type PhoneText =
  { digits: string; international: boolean } | 'phone_missing' | 'phone_invalid' | 'phone_scientific_notation';

/** Fast path: nothing to normalise, a tenth of the time. */
const PLAIN = /^\+?[1-9]\d{7,14}$/;
const ZERO_WIDTH_AND_BIDI = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]/g;
const APOSTROPHES = /['`\u00b4\u02b9\u02bb\u02bc\u2018\u2019\u201b\u2032]/g;
const BLANKS = /\s+/g;
const PUNCTUATION = /[-().\u2010-\u2015\u2212]/g;
const SCIENTIFIC = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;
/** An integer written as a floating-point number: 4915112345678.0 */
const WHOLE_FLOAT = /^(\+?\d{6,})[.,]0+$/;
const BROKEN_FLOAT = /^\+?\d{8,}[.,]\d{1,3}$/;
/** A slash after an area code, which may have a country code; any later one separates two numbers. */
const AREA_SLASH = /^((?:\+|00)\d{2,8}|\d{2,7})\//;
const OTHER_DIGITS = /[^\x00-\x7f]/g;

/** Code points of non-ASCII zeros, each followed by the digits 1 to 9. */
const ZEROS = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x0ed0,
  0x0f20, 0x1040, 0x17e0, 0x1810,
];

/**
 * The digits of a phone number in any notation: with `+` or `00`, spaces, hyphens, dots, parentheses, apostrophes, invisible
 * marks, full-width or Arabic-Indic digits. `international` when it starts with `+` or `00`. Text in scientific
 * notation has lost digits and is always invalid.
 */
export function readPhoneText(text: string): PhoneText {
  if (PLAIN.test(text)) {
    const international = text.startsWith('+');
    return { digits: international ? text.slice(1) : text, international };
  }
  const plain = text
    .replace(ZERO_WIDTH_AND_BIDI, '')
    .replace(APOSTROPHES, '')
    .normalize('NFKC')
    .replace(BLANKS, '')
    .replace(OTHER_DIGITS, asciiDigit);
  if (plain === '') return 'phone_missing';
  if (SCIENTIFIC.test(plain)) return 'phone_scientific_notation';
  const whole = WHOLE_FLOAT.exec(plain)?.[1];
  if (whole === undefined && BROKEN_FLOAT.test(plain)) return 'phone_invalid';
  return fromDigits((whole ?? plain).replace(PUNCTUATION, '').replace(AREA_SLASH, '$1'));
}

/** The digits of a phone number in a numeric cell. */
export function readPhoneNumber(value: number): PhoneText {
  // Above 2^53 the stored number has lost digits.
  return Number.isSafeInteger(value) && value > 0 ? fromDigits(String(value)) : 'phone_invalid';
}

function fromDigits(text: string): PhoneText {
  const [, prefix, digits] = /^(\+|00)?(\d+)$/.exec(text) ?? [];
  if (digits === undefined) return 'phone_invalid';
  return { digits, international: prefix !== undefined };
}

function asciiDigit(character: string): string {
  const code = character.charCodeAt(0);
  const zero = ZEROS.find((start) => code >= start && code <= start + 9);
  return zero === undefined ? character : String(code - zero);
}
