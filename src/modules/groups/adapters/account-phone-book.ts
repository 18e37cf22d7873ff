import { Injectable } from '@nestjs/common';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { AmbiguousNumbers, type NationalNumbers } from '../../../../libs/phone-numbers/ambiguous-numbers';
import { PhoneNumbers, readPhone } from '../../../../libs/phone-numbers/phone-numbers';
import { UnlikelyNumbers } from '../../../../libs/phone-numbers/unlikely-numbers';
import type { SearchedNumber } from '../../../kernel/phone-number';
import { AccountWithoutSenderError } from '../../accounts/domain/accounts.errors';
import { SendersService } from '../../accounts/domain/senders.service';
import type { PhoneReader } from '../domain/contact';
import { type ListReader, PhoneBook } from '../domain/phone-book.port';

/** Parses phone numbers with the account's default country, like uploaded files. */
@Injectable()
export class AccountPhoneBook extends PhoneBook {
  /** By country and whether it comes first: creating one takes milliseconds. */
  private readonly numbers = new Map<string, PhoneNumbers>();

  constructor(private readonly senders: SendersService) {
    super();
  }

  async readerFor(accountId: string): Promise<PhoneReader> {
    const numbers = await this.numbersFor(accountId);
    return (text) => numbers.read(text) ?? null;
  }

  async listReaderFor(accountId: string, country?: string): Promise<ListReader> {
    const defaultCountry = country ?? (await this.countryOf(accountId)) ?? undefined;
    const rules = { defaultCountry, nationalFirst: country !== undefined };
    const numbers = this.numbersBy(rules);
    const ambiguous = new AmbiguousNumbers(rules);
    const unlikely = new UnlikelyNumbers();
    return {
      read: (rowNumber, text) => {
        const reading = numbers.reading(text);
        if (reading) {
          ambiguous.add(rowNumber, text, reading);
          unlikely.add(rowNumber, reading.number, () => text);
        }
        return reading?.number ?? null;
      },
      warnings: () => [...ambiguous.warnings(), ...unlikely.warnings()],
    };
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
    return this.numbersBy({ defaultCountry: (await this.countryOf(accountId)) ?? undefined });
  }

  private numbersBy({ defaultCountry, nationalFirst = false }: NationalNumbers): PhoneNumbers {
    const key = `${defaultCountry} ${nationalFirst}`;
    const numbers = this.numbers.get(key) ?? new PhoneNumbers(defaultCountry, nationalFirst);
    this.numbers.set(key, numbers);
    return numbers;
  }
}
