/**
 * A person's canonical number: E.164, 8 to 15 digits without `+`. `libs/phone-numbers` normalises all input, so that equal people
 * have equal numbers.
 */
export type PhoneNumber = string;

/** A search text interpreted as a phone number. */
export interface SearchedNumber {
  /** The canonical number, if the text is complete. */
  whole: PhoneNumber | null;
  /** Possible prefixes of the number; empty if the text is not a number. */
  beginnings: readonly string[];
}

/** With fewer digits too many numbers end alike. */
const MIN_ENDING = 4;

/** The digits of a search text that may be the end of a number, at least 4; else null. */
export function endingOf(text: string): string | null {
  const digits = /^[\d\s()./-]*$/.test(text) ? text.replaceAll(/\D/g, '') : '';
  return digits.length >= MIN_ENDING ? digits : null;
}

/** Masks a number for logs except for its last four digits. */
export function maskPhone(phone: string): string {
  return phone.length <= 4 ? '****' : `****${phone.slice(-4)}`;
}
