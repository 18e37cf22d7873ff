import type { PhoneReader } from './contact';

/** Parses phone numbers with the account's default country. */
export abstract class PhoneBook {
  /**
   * Accepts international numbers with or without `+`, and numbers without country code
   * if the account has a default country. Returns possible numbers of 8 to 15 digits.
   */
  abstract readerFor(accountId: string): Promise<PhoneReader>;
  /** The account's default country (ISO 3166); null if there is none. */
  abstract countryOf(accountId: string): Promise<string | null>;
}
