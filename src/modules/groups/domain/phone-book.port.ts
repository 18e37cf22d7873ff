import type { SearchedNumber } from '../../../kernel/phone-number';
import type { PhoneReader } from './contact';

/** Parses phone numbers with the account's default country. */
export abstract class PhoneBook {
  /**
   * A parser of international numbers with or without `+`, and of numbers without country code if the account has a default
   * country, or if one is given. It returns the canonical number.
   */
  abstract readerFor(accountId: string, country?: string): Promise<PhoneReader>;
  /** Interprets a search text as a phone number, with the default country like `readerFor`. */
  abstract search(accountId: string, text: string): Promise<SearchedNumber>;
  /** The canonical number of digits with a country code, for rows of earlier versions; returns user ids unchanged. */
  abstract canonical(phone: string): string;
  /** The account's default country (ISO 3166); null if there is none. */
  abstract countryOf(accountId: string): Promise<string | null>;
}
