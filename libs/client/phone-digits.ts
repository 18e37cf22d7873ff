const WHITESPACE_AND_MARKS = /[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069]/g;
const PUNCTUATION = /[-()./\u2010-\u2015\u2212]/g;

/**
 * The digits of a phone number with country code, as people write it (with `+` or `00`, spaces and punctuation); null if the
 * text contains anything else. The `to` of a send takes digits only; the service resolves them to the canonical number.
 */
export function phoneDigits(text: string): string | null {
  const plain = text.normalize('NFKC').replace(WHITESPACE_AND_MARKS, '').replace(PUNCTUATION, '');
  return /^(?:\+|00)?(\d+)$/.exec(plain)?.[1] ?? null;
}
