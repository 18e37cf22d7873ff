import type { PhoneReader } from './contact';

/** How phone numbers are written where an account's contacts live. */
export abstract class PhoneBook {
  /**
   * Reads numbers as the people of the account write them: international ones with or without `+`, and national ones
   * where the account has a default country. What it gives out is a number that can exist, 8 to 15 digits.
   */
  abstract readerFor(accountId: string): Promise<PhoneReader>;
  /** The country (ISO 3166) whose national numbers the account's people write; null where there is none. */
  abstract countryOf(accountId: string): Promise<string | null>;
}
