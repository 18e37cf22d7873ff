import type { SearchedNumber } from '../../../kernel/phone-number';
import type { PhoneReader } from './contact';

/** Parses phone numbers with the account's default country. */
export abstract class PhoneBook {
  /**
   * Accepts international numbers with or without `+`, and numbers without country code
   * if the account has a default country. Returns the canonical number.
   */
  abstract readerFor(accountId: string): Promise<PhoneReader>;
  /** What a searched text means as a phone number; with the default country like `readerFor`. */
  abstract search(accountId: string, text: string): Promise<SearchedNumber>;
  /** The canonical number of digits with a country code, which rows of earlier versions may not have; a user id stays as it is. */
  abstract canonical(phone: string): string;
  /** The account's default country (ISO 3166); null if there is none. */
  abstract countryOf(accountId: string): Promise<string | null>;
}
