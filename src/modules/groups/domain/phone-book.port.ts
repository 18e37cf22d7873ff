import type { PhoneNumber, SearchedNumber } from '../../../kernel/phone-number';
import type { PhoneReader } from './contact';

/** Parses the phone numbers of one list. */
export interface ListReader {
  /** The canonical number; null if the text is not a phone number. */
  read(rowNumber: number, text: string): PhoneNumber | null;
  /** Of the numbers read that are valid both as international and as national ones. */
  warnings(): string[];
}

/** Parses phone numbers with the account's default country. */
export abstract class PhoneBook {
  /**
   * A parser of international numbers with or without `+`, and of numbers without country code if the account has a default
   * country. It returns the canonical number.
   */
  abstract readerFor(accountId: string): Promise<PhoneReader>;
  /** The same for a list; numbers without a country code are from `country`, else from the default country. */
  abstract listReaderFor(accountId: string, country?: string): Promise<ListReader>;
  /** Interprets a search text as a phone number, with the default country like `readerFor`. */
  abstract search(accountId: string, text: string): Promise<SearchedNumber>;
  /** The canonical number of digits with a country code, for rows of earlier versions; returns user ids unchanged. */
  abstract canonical(phone: string): string;
  /** The account's default country (ISO 3166); null if there is none. */
  abstract countryOf(accountId: string): Promise<string | null>;
}
