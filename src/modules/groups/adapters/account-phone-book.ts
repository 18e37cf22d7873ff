import { Injectable } from '@nestjs/common';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { PhoneNumbers } from '../../../../libs/recipient-files/rows/phone-numbers';
import { readPhoneText } from '../../../../libs/recipient-files/rows/phone-text';
import { KEY_SPELLINGS } from '../../../kernel/phone-number';
import { AccountWithoutSenderError } from '../../accounts/domain/accounts.errors';
import { SendersService } from '../../accounts/domain/senders.service';
import type { PhoneReader } from '../domain/contact';
import { PhoneBook } from '../domain/phone-book.port';

/** Longer texts are rejected without parsing. */
const MAX_LENGTH = 64;

/** Parses phone numbers by the rules for uploaded files, so that a person has the same number from every source. */
@Injectable()
export class AccountPhoneBook extends PhoneBook {
  /** Cached by country, because creating one takes milliseconds. */
  private readonly numbers = new Map<string | undefined, PhoneNumbers>();

  constructor(private readonly senders: SendersService) {
    super();
  }

  async readerFor(accountId: string): Promise<PhoneReader> {
    const numbers = this.numbersOf((await this.countryOf(accountId)) ?? undefined);
    return (text) => {
      const read = text.length > MAX_LENGTH ? 'phone_invalid' : readPhoneText(text);
      return typeof read === 'string' ? null : (numbers.resolve(read.digits, read.international) ?? null);
    };
  }

  async countryOf(accountId: string): Promise<string | null> {
    try {
      const country = (await this.senders.ofAccount(accountId)).defaultCountry?.toUpperCase();
      return country !== undefined && isSupportedCountry(country) ? country : null;
    } catch (error) {
      // An account may have contacts before it has a sender.
      if (error instanceof AccountWithoutSenderError) return null;
      throw error;
    }
  }

  private numbersOf(country: string | undefined): PhoneNumbers {
    const numbers = this.numbers.get(country) ?? new PhoneNumbers(country, KEY_SPELLINGS);
    this.numbers.set(country, numbers);
    return numbers;
  }
}
