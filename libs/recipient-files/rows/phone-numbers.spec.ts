import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import {
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { PhoneNumbers } from './phone-numbers';

/** What the library itself says about digits in international format. */
function byTheLibrary(digits: string): string | undefined {
  const number = parsePhoneNumberFromString(`+${digits}`, { extract: false });
  if (number?.isPossible() !== true) return undefined;
  const e164 = number.number.slice(1);
  return e164.length >= 8 && e164.length <= 15 ? e164 : undefined;
}

describe('international numbers', () => {
  const numbers = new PhoneNumbers(undefined);
  const callingCodes = [
    ...new Set(getCountries().map((country) => getCountryCallingCode(country))),
    '800',
    '808',
    '870',
    '878',
    '881',
    '882',
    '883',
    '888',
    '979',
  ];

  it('are judged exactly as the library judges them, for every calling code and any digits after it', () => {
    const digits = fc
      .tuple(fc.constantFrom(...callingCodes), fc.stringMatching(/^\d{3,14}$/))
      .map(([code, rest]) => code + rest);
    fc.assert(
      fc.property(digits, (number) => {
        expect(numbers.resolve(number, true)).toBe(byTheLibrary(number));
      }),
      { numRuns: 20_000 },
    );
  });

  it('are judged exactly as the library judges them where a trunk prefix may stand behind the calling code', () => {
    const prefixed = fc
      .tuple(
        fc.constantFrom(...callingCodes),
        fc.constantFrom('0', '1', '8', '06', '15', '9', '044', '00'),
        fc.stringMatching(/^\d{5,11}$/),
      )
      .map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(prefixed, (number) => {
        expect(numbers.resolve(number, true)).toBe(byTheLibrary(number));
      }),
      { numRuns: 20_000 },
    );
  });

  it('are understood for every country', () => {
    for (const country of getCountries()) {
      const digits = getExampleNumber(country, examples)?.number.slice(1) ?? '';
      // Numbers of fewer than 8 digits, as in Tristan da Cunha, cannot be written to.
      expect([country, numbers.resolve(digits, true)]).toEqual([country, digits.length < 8 ? undefined : digits]);
    }
  });

  it('lose the trunk zero that people leave in parentheses', () => {
    expect(numbers.resolve('49015112345678', true)).toBe('4915112345678');
    expect(numbers.resolve('4407911123456', true)).toBe('447911123456');
  });

  it.each(['1234567', '0151123456', '999123456789', '49151', '1234567890123456789012', '49151123456789012'])(
    '%s is not possible',
    (digits) => {
      expect(numbers.resolve(digits, true)).toBeUndefined();
    },
  );

  it('include landlines, which can be on the platform', () => {
    expect(numbers.resolve('493012345678', true)).toBe('493012345678');
  });
});

describe('numbers in another form than the one that is dialled', () => {
  const numbers = new PhoneNumbers('MX', [{ written: '^521(\\d{10})$', key: '52$1' }]);

  it('are valid as they stand where the dialled form is', () => {
    expect(numbers.resolve('5215512345678', true)).toBe('5215512345678');
    expect(numbers.resolve('5215512345678', false)).toBe('5215512345678');
    expect(numbers.resolve('52155123456789', true)).toBeUndefined();
  });

  it('are not taken for numbers of the default country', () => {
    const german = new PhoneNumbers('DE', [{ written: '^521(\\d{10})$', key: '52$1' }]);
    expect(german.resolve('5215512345678', false)).toBe('5215512345678');
  });

  it('have the key of the dialled form', () => {
    expect(numbers.keyOf('5215512345678')).toBe(numbers.keyOf('525512345678'));
    expect(numbers.keyOf('4915112345678')).toBe('4915112345678');
  });
});

describe('numbers without + or 00', () => {
  it('are international where the account has no country', () => {
    expect(new PhoneNumbers(undefined).resolve('4915112345678', false)).toBe('4915112345678');
    expect(new PhoneNumbers(undefined).resolve('015112345678', false)).toBeUndefined();
  });

  it.each([
    ['DE', '015112345678', '4915112345678'],
    ['de', '15112345678', '4915112345678'],
    ['DE', '4915112345678', '4915112345678'],
    ['SA', '0501234567', '966501234567'],
    ['SA', '4915112345678', '4915112345678'],
    ['US', '6502530000', '16502530000'],
    ['US', '4155552671', '14155552671'],
    ['GB', '07911123456', '447911123456'],
    ['IT', '0612345678', '390612345678'],
  ])('of an account in %s: %s is %s', (country, digits, expected) => {
    expect(new PhoneNumbers(country).resolve(digits, false)).toBe(expected);
  });

  it('are never national with + or 00', () => {
    expect(new PhoneNumbers('US').resolve('2125551234', true)).toBe(byTheLibrary('2125551234'));
  });

  it('need a country that exists', () => {
    expect(() => new PhoneNumbers('XX')).toThrow(RangeError);
  });
});
