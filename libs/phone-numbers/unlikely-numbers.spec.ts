import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { isInNumberingPlan } from './numbering-plans';
import { UnlikelyNumbers } from './unlikely-numbers';

describe('A number of a numbering plan', () => {
  it('is what the library calls valid, in every country, but not of international services', () => {
    const number = fc
      .tuple(
        fc.constantFrom(...getCountries().filter((country) => getExampleNumber(country, examples))),
        fc.integer({ min: 1, max: 9 }),
        fc.stringMatching(/^\d{0,10}$/),
      )
      .map(([country, kept, tail]) => getExampleNumber(country, examples)!.number.slice(1, -kept) + tail);
    fc.assert(
      fc.property(number, (digits) => {
        const parsed = parsePhoneNumberFromString(`+${digits}`, { extract: false });
        fc.pre(parsed?.isPossible() === true && !parsed.isNonGeographic() && parsed.number === `+${digits}`);
        expect(isInNumberingPlan(digits)).toBe(parsed.isValid());
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['4915112345678', true],
    ['493012345678', true],
    ['49151234', false],
    ['491511234567', false],
    ['12025550123', true],
    ['11234567890', false],
    ['88213300000', true],
  ])('%s: %s', (digits, isValid) => {
    expect(isInNumberingPlan(digits)).toBe(isValid);
  });
});

describe('Numbers of a list that are in no numbering plan', () => {
  const warningsOf = (...numbers: string[]) => {
    const unlikely = new UnlikelyNumbers();
    numbers.forEach((number, index) => unlikely.add(index + 2, number, () => `0${number.slice(2)}`));
    return unlikely.warnings();
  };

  it('have no warning if there are none', () => {
    expect(warningsOf('4915112345678')).toEqual([]);
  });

  it('have none if they are written with a country code', () => {
    const unlikely = new UnlikelyNumbers();
    for (const text of ['49151234', '+49 151 234', '0049151234']) unlikely.add(2, '49151234', () => text);
    expect(unlikely.warnings()).toEqual([]);
  });

  it('are counted, with the first three rows', () => {
    const end = 'A digit may be missing or wrong. They are accepted; correct those that are wrong.';
    expect(warningsOf('4915112345678', '49151234')).toEqual([
      `unlikely_numbers: 1 number has a possible length, but is in no numbering plan: row 3 "0151234" as +49151234. ${end}`,
    ]);
    expect(warningsOf('49151234', '49151235', '49151236', '49151237')).toEqual([
      expect.stringMatching(
        /^unlikely_numbers: 4 numbers have .*: row 2 .*, row 3 .*, row 4 .* as \+49151236, …\. A digit/,
      ),
    ]);
  });
});
