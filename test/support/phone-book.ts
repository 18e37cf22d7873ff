import { AccountWithoutSenderError } from '../../src/modules/accounts/domain/accounts.errors';
import type { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { AccountPhoneBook } from '../../src/modules/groups/adapters/account-phone-book';
import type { PhoneBook } from '../../src/modules/groups/domain/phone-book.port';

/** Parses numbers for accounts without a default country. */
export function internationalPhoneBook(): PhoneBook {
  const ofAccount = () => Promise.reject(new AccountWithoutSenderError());
  return new AccountPhoneBook({ ofAccount } as Partial<SendersService> as SendersService);
}
