import { Injectable } from '@nestjs/common';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { PhoneNumbers, readPhone } from '../../../../libs/phone-numbers/phone-numbers';
import type { SearchedNumber } from '../../../kernel/phone-number';
import { AccountWithoutSenderError } from '../../accounts/domain/accounts.errors';
import { SendersService } from '../../accounts/domain/senders.service';
import type { PhoneReader } from '../domain/contact';
import { PhoneBook } from '../domain/phone-book.port';

/** Reads phone numbers as uploaded files are read, with the account's default country. */
@Injectable()
export class AccountPhoneBook extends PhoneBook {
  /** Cached by country, because creating one takes milliseconds. */
  private readonly numbers = new Map<string | undefined, PhoneNumbers>();

  constructor(private readonly senders: SendersService) {
    super();
  }

  async readerFor(accountId: string): Promise<PhoneReader> {
    const numbers = await this.numbersFor(accountId);
    return (text) => numbers.read(text) ?? null;
  }

  async search(accountId: string, text: string): Promise<SearchedNumber> {
    return (await this.numbersFor(accountId)).search(text);
  }

  canonical(phone: string): string {
    return readPhone(phone) ?? phone;
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

  private async numbersFor(accountId: string): Promise<PhoneNumbers> {
    const country = (await this.countryOf(accountId)) ?? undefined;
    const numbers = this.numbers.get(country) ?? new PhoneNumbers(country);
    this.numbers.set(country, numbers);
    return numbers;
  }
}
