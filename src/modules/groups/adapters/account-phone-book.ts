import { Injectable } from '@nestjs/common';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { PhoneNumbers, readPhone } from '../../../../libs/phone-numbers/phone-numbers';
import type { SearchedNumber } from '../../../kernel/phone-number';
import { AccountWithoutSenderError } from '../../accounts/domain/accounts.errors';
import { SendersService } from '../../accounts/domain/senders.service';
import type { PhoneReader } from '../domain/contact';
import { PhoneBook } from '../domain/phone-book.port';

/** Parses phone numbers with the account's default country, like uploaded files. */
@Injectable()
export class AccountPhoneBook extends PhoneBook {
  /** By country: creating one takes milliseconds. */
  private readonly numbers = new Map<string | undefined, PhoneNumbers>();

  constructor(private readonly senders: SendersService) {
    super();
  }

  async readerFor(accountId: string, country?: string): Promise<PhoneReader> {
    const numbers = await this.numbersFor(accountId, country);
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

  private async numbersFor(accountId: string, given?: string): Promise<PhoneNumbers> {
    const country = given ?? (await this.countryOf(accountId)) ?? undefined;
    const numbers = this.numbers.get(country) ?? new PhoneNumbers(country);
    this.numbers.set(country, numbers);
    return numbers;
  }
}
