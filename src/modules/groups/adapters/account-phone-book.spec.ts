import { AccountWithoutSenderError } from '../../accounts/domain/accounts.errors';
import type { SendersService } from '../../accounts/domain/senders.service';
import { AccountPhoneBook } from './account-phone-book';

const readerOf = (ofAccount: () => Promise<{ defaultCountry: string | null }>) =>
  new AccountPhoneBook({ ofAccount } as unknown as SendersService).readerFor('account');
const readerIn = (defaultCountry: string | null) => readerOf(() => Promise.resolve({ defaultCountry }));

describe('AccountPhoneBook', () => {
  it.each(['+4915123456789', '4915123456789', '0049 1512 3456789', '+49 (1512) 345-6789', '+٤٩١٥١٢٣٤٥٦٧٨٩'])(
    'reads %s as an international number',
    async (text) => {
      expect((await readerIn(null))(text)).toBe('4915123456789');
    },
  );

  it.each(['', 'Anna', '12', '+49', '1234567890123456', '4915123456789;x', `${' '.repeat(64)}4915123456789`])(
    'rejects %p',
    async (text) => {
      expect((await readerIn('DE'))(text)).toBeNull();
    },
  );

  it('reads national numbers of the default country, ignoring the case of its code', async () => {
    for (const country of ['DE', 'de']) expect((await readerIn(country))('01512 3456789')).toBe('4915123456789');
    expect((await readerIn('FR'))('01 23 45 67 89')).toBe('33123456789');
  });

  it('reads only international numbers without a supported country', async () => {
    for (const country of [null, 'XX']) {
      const read = await readerIn(country);
      expect([read('01512 3456789'), read('4915123456789')]).toEqual([null, '4915123456789']);
    }
  });

  it('reads numbers of an account without a sender', async () => {
    const read = await readerOf(() => Promise.reject(new AccountWithoutSenderError()));
    expect(read('4915123456789')).toBe('4915123456789');
    await expect(readerOf(() => Promise.reject(new Error('database unavailable')))).rejects.toThrow(
      'database unavailable',
    );
  });
});
