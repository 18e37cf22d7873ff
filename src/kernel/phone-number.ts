/**
 * The one canonical number of a person: E.164, 8 to 15 digits without `+`. Whatever comes from outside is read by
 * `libs/phone-numbers` at the entrance; behind it equal people have equal numbers.
 */
export type PhoneNumber = string;

/** What a searched text means as a phone number. */
export interface SearchedNumber {
  /** The canonical number, if the text is a whole one. */
  whole: PhoneNumber | null;
  /** Digits with which the number may begin; empty if the text is not a number. */
  beginnings: readonly string[];
}

/** The number for logs: only its last four digits. */
export function maskPhone(phone: string): string {
  return phone.length <= 4 ? '****' : `****${phone.slice(-4)}`;
}
