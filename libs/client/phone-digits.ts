const WHITESPACE_AND_MARKS = /[\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]/g;
const APOSTROPHES = /['`\u00b4\u02b9\u02bb\u02bc\u2018\u2019\u201b\u2032]/g;
const NOT_ASCII = /[^\x00-\x7f]/g;
const PUNCTUATION = /[-()./\u2010-\u2015\u2212]/g;

/** Code points of the zeros of other scripts, as in libs/phone-numbers/phone-text.ts, which the client cannot import. */
const ZEROS = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x0ed0,
  0x0f20, 0x1040, 0x17e0, 0x1810,
];

/**
 * The digits of a phone number with country code, as people write it (with `+` or `00`, spaces and punctuation, in digits of any script); null if the
 * text contains anything else. The `to` of a send takes digits only; the service resolves them to the canonical number.
 */
export function phoneDigits(text: string): string | null {
  const plain = text
    .replace(APOSTROPHES, '')
    .normalize('NFKC')
    .replace(WHITESPACE_AND_MARKS, '')
    .replace(NOT_ASCII, asciiDigit)
    .replace(PUNCTUATION, '');
  return /^(?:\+|00)?(\d+)$/.exec(plain)?.[1] ?? null;
}

function asciiDigit(character: string): string {
  const code = character.charCodeAt(0);
  const zero = ZEROS.find((start) => code >= start && code <= start + 9);
  return zero === undefined ? character : String(code - zero);
}
