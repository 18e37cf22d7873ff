import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import {
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { PhoneNumbers, readPhone } from './phone-numbers';

/** Applies the library to digits in international format until the result no longer changes. */
function byTheLibrary(digits: string): string | undefined {
  const once = once164(digits);
  return once === undefined || once === digits ? once : byTheLibrary(once);
}

function once164(digits: string): string | undefined {
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
  ].filter((code) => !['52', '54', '55'].includes(code));

  it('match the library for every calling code without special forms, followed by any digits', () => {
    const digits = fc
      .tuple(fc.constantFrom(...callingCodes), fc.stringMatching(/^\d{3,14}$/))
      .map(([code, rest]) => code + rest);
    fc.assert(
      fc.property(digits, (number) => {
        expect(numbers.resolve(number, true)).toBe(byTheLibrary(number));
      }),
      { numRuns: 5_000 },
    );
  });

  it('match the library where a trunk prefix may follow the calling code', () => {
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
      { numRuns: 5_000 },
    );
  });

  it('are accepted for every country', () => {
    for (const country of getCountries()) {
      const digits = getExampleNumber(country, examples)?.number.slice(1) ?? '';
      // Numbers with fewer than 8 digits, as in Tristan da Cunha, are not supported.
      expect([country, numbers.resolve(digits, true)]).toEqual([country, digits.length < 8 ? undefined : digits]);
    }
  });

  it('lose the trunk zero in parentheses', () => {
    expect(numbers.resolve('49015112345678', true)).toBe('4915112345678');
    expect(numbers.resolve('4407911123456', true)).toBe('447911123456');
  });

  it.each(['1234567', '0151123456', '999123456789', '49151', '1234567890123456789012', '49151123456789012'])(
    '%s is not possible',
    (digits) => {
      expect(numbers.resolve(digits, true)).toBeUndefined();
    },
  );

  it('include landlines, which the platform supports', () => {
    expect(numbers.resolve('493012345678', true)).toBe('493012345678');
  });
});

describe('numbers in a form other than the dialled one', () => {
  it.each([
    ['Brazil, without the ninth digit', '551187654321', '5511987654321'],
    ['Brazil, with a trunk zero', '+55 (0)11 8765-4321', '5511987654321'],
    ['Brazil, a landline', '551133445566', '551133445566'],
    ['Mexico, with the 1 of the platform', '5215512345678', '525512345678'],
    ['Mexico, with 01', '+52 01 55 1234 5678', '525512345678'],
    ['Mexico, with 044', '52 044 55 1234 5678', '525512345678'],
    ['Argentina, without 9', '541123456789', '5491123456789'],
    ['Argentina, with 15', '+54 11 15-2345-6789', '5491123456789'],
    ['Argentina, with 0 and 15', '+54 (011) 15-2345-6789', '5491123456789'],
    ['Argentina, with 9 and 15', '+54 9 11 15-2345-6789', '5491123456789'],
    ['Argentina, a local number that begins with 15', '5491115234567', '5491115234567'],
    ['Italy, where the zero is part of the number', '+39 (0)6 1234 5678', '390612345678'],
    ['Germany, with a slash', '+49 151/12345678', '4915112345678'],
    ['Germany, with 00, a trunk zero and a slash', '0049 (0)151 / 12345-701', '4915112345701'],
  ])('%s: %s is %s', (_, text, canonical) => {
    expect(readPhone(text)).toBe(canonical);
  });

  it.each(['52155123456789', '4915112345678/4915112345679', 'abc49 15112345678', '49 15112345678 ext. 5'])(
    '%s is none',
    (text) => {
      expect(readPhone(text)).toBeUndefined();
    },
  );

  it('are not read as numbers of the default country', () => {
    expect(new PhoneNumbers('DE').resolve('5215512345678', false)).toBe('525512345678');
  });
});

describe('every spelling of a number', () => {
  const countries = getCountries().flatMap((country) => {
    const digits = getExampleNumber(country, examples)?.number.slice(1) ?? '';
    const code = getCountryCallingCode(country);
    return digits.length < 8 ? [] : [{ code, national: digits.slice(code.length) }];
  });
  const ARABIC = 0x0660;
  const FULL_WIDTH = 0xff10;
  const inDigits = (text: string, zero: number) =>
    text.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));

  it('is one number', () => {
    const spelling = fc.record({
      country: fc.constantFrom(...countries),
      tail: fc.stringMatching(/^\d{4}$/),
      prefix: fc.constantFrom('', '+', '00', ' +', '(+', '\u202a+'),
      mark: fc.constantFrom(' ', '-', '.', '\u00a0', '\u2011', ''),
      zero: fc.constantFrom(0x30, ARABIC, FULL_WIDTH),
      groups: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(spelling, ({ country, tail, prefix, mark, zero, groups }) => {
        const national = country.national.slice(0, -4) + tail;
        const grouped = national.replace(new RegExp(`(\\d{${groups}})(?=\\d)`, 'g'), `$1${mark}`);
        const text = `${prefix}${country.code}${prefix.includes('(') ? ')' : ''}${mark}${inDigits(grouped, zero)}`;
        expect(readPhone(text)).toBe(readPhone(country.code + national));
      }),
      { numRuns: 5000 },
    );
  });

  it('has a canonical number that parses to itself', () => {
    const digits = fc
      .tuple(
        fc.constantFrom(...countries),
        fc.constantFrom('', '0', '1', '15', '9', '044'),
        fc.stringMatching(/^\d{5,11}$/),
      )
      .map(([{ code }, prefix, rest]) => code + prefix + rest);
    fc.assert(
      fc.property(digits, (number) => {
        const canonical = readPhone(number);
        fc.pre(canonical !== undefined);
        expect(readPhone(canonical)).toBe(canonical);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('numbers without + or 00', () => {
  it('are international if the account has no country', () => {
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

  const NATIONAL_FIRST = [
    ['DE', '15123456789', '4915123456789'],
    ['TR', '5321234567', '905321234567'],
    ['US', '4792345678', '14792345678'],
  ] as const;

  it.each(NATIONAL_FIRST)('of %s that are valid twice, %s: the country of the import comes first', (...row) => {
    const [country, digits, national] = row;
    const [account, named] = [new PhoneNumbers(country), new PhoneNumbers(country, true)];
    expect(account.interpret(digits, false)).toEqual({ number: digits, other: national });
    expect(named.interpret(digits, false)).toEqual({ number: national, other: digits });
    for (const numbers of [account, named]) {
      expect(numbers.interpret(digits, true)).toEqual({ number: digits });
      expect(numbers.interpret(national, false)).toEqual({ number: national });
    }
  });

  it.each([
    ['with the own calling code', '4915123456789', '4915123456789'],
    ['of France, nationally a landline', '33612345678', '33612345678'],
    ['of Italy, nationally impossible', '393331234567', '393331234567'],
    ['of no other country', '16021234567', '4916021234567'],
    ['with a trunk zero', '015123456789', '4915123456789'],
  ])('have one reading %s, also in an import for Germany', (_, digits, number) => {
    expect(new PhoneNumbers('DE', true).interpret(digits, false)).toEqual({ number });
    expect(new PhoneNumbers('DE').interpret(digits, false)).toEqual({ number });
  });

  it('are one person, whichever reading was chosen: both readings parse to themselves', () => {
    const countries = getCountries().filter((country) => getExampleNumber(country, examples));
    const number = fc
      .tuple(fc.constantFrom(...countries), fc.stringMatching(/^\d{4}$/), fc.boolean())
      .map(([country, tail, nationalFirst]) => {
        const example = String(getExampleNumber(country, examples)!.nationalNumber);
        return { country, digits: example.slice(0, -4) + tail, nationalFirst };
      });
    fc.assert(
      fc.property(number, ({ country, digits, nationalFirst }) => {
        const reading = new PhoneNumbers(country, nationalFirst).interpret(digits, false);
        const before = new PhoneNumbers(country).resolve(digits, false);
        if (reading?.other === undefined) expect(reading?.number).toBe(before);
        else expect([reading.number, reading.other]).toContain(before);
        for (const one of [reading?.number, reading?.other]) {
          if (one !== undefined) expect([readPhone(one), readPhone(`+${one}`)]).toEqual([one, one]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('are never national with + or 00', () => {
    expect(new PhoneNumbers('US').resolve('2125551234', true)).toBe(byTheLibrary('2125551234'));
  });

  it('require an existing country', () => {
    expect(() => new PhoneNumbers('XX')).toThrow(RangeError);
  });
});

describe('A search for a number that begins with 0', () => {
  const matching = (country: string | undefined, text: string, phones: string[]) => {
    const { beginnings } = new PhoneNumbers(country).search(text);
    return phones.filter((phone) => beginnings.some((beginning) => phone.startsWith(beginning)));
  };

  it.each([
    ['DE', '0151 1234', ['4915112345678']],
    ['DE', '0151 12345678', ['4915112345678']],
    ['IT', '06 1234', ['390612345678']],
    [undefined, '0151 1234', ['4915112345678', '4315112345678']],
    [undefined, '0151 12345678', ['4915112345678', '4315112345678']],
    [undefined, '06 1234', ['390612345678']],
    [undefined, '0049 151', ['4915112345678']],
    [undefined, '00', []],
    [undefined, '0', []],
  ])('in %s: %s', (country, text, expected) => {
    expect(matching(country, text, ['4915112345678', '4315112345678', '390612345678'])).toEqual(expected);
  });
});
