import { Injectable } from '@nestjs/common';
import type { SearchedNumber } from '../../../kernel/phone-number';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { PhoneBook } from './phone-book.port';

/** Filters of lists by phone number. */
@Injectable()
export class PhoneFilters {
  constructor(private readonly phones: PhoneBook) {}

  /**
   * The canonical number of the text in a filter, in any notation, also without country code if the account has a default country;
   * undefined: no filter. Throws ValidationFailedError.
   */
  async read(accountId: string, field: string, text: string | undefined): Promise<string | undefined> {
    if (text === undefined) return undefined;
    const phone = (await this.phones.readerFor(accountId))(text);
    if (phone !== null) return phone;
    const message = `${field} must be a phone number with its country code, such as 4915123456789; a national number needs a defaultCountry of the account.`;
    throw new ValidationFailedError([{ field, code: 'invalid_format', message }]);
  }

  /** A search text as a phone number or its beginning, with the default country of the account. */
  search(accountId: string, text: string): Promise<SearchedNumber> {
    return this.phones.search(accountId, text);
  }
}
