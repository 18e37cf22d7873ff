import { countriesFor, countryOf, problemOfPhone, withCallingCode } from './calling-codes';

describe('The country of a phone number', () => {
  it.each([
    ['+49 151 12345678', 'Germany (+49)'],
    ['4915112345678', 'Germany (+49)'],
    ['+1 415 555 2671', 'United States or Canada (+1)'],
    ['+7 912 1234567', 'Russia (+7)'],
    ['+77 01 1234567', 'Kazakhstan (+77)'],
    ['0151 12345678', null],
    ['+999 12345678', null],
    ['no number', null],
  ])('of %j is %j', (text, country) => {
    expect(countryOf(text)).toBe(country);
  });
});

describe('The countries to choose from', () => {
  it('begin with those of the browser and of the senders', () => {
    const labels = countriesFor(['+49 30 1234567', '+43 1 234567', 'not a number']).map(({ label }) => label);
    expect(labels.slice(0, 4)).toEqual(['Austria', 'Germany', 'United Kingdom', 'Afghanistan']);
    expect(new Set(labels).size).toBe(labels.length);
  });
});

describe('The validation of a phone number', () => {
  it.each([
    ['+49 151 12345678', null],
    ['0151 12345678', 'Start with the country code instead of 0, such as +49151… for Germany.'],
    ['49151', 'This number is too short. Start with the country code.'],
    ['+49 151', 'This number is too short.'],
    ['+49 151 1234567890123', 'A phone number has at most 15 digits; this one has 18.'],
    ['+49 abc', 'Enter digits only, with + before the country code.'],
  ])('of %j is %j', (text, problem) => {
    expect(problemOfPhone(text)).toBe(problem);
  });
});

describe('A number as it is dialled in its country', () => {
  it.each([
    ['0151 / 1234 5678', 'DE', '+4915112345678'],
    [' (0151) 12345678', 'DE', '+4915112345678'],
    ['06 12345678', 'IT', '+390612345678'],
    ['0151 12345678', '', '0151 12345678'],
    ['0151 mobile', 'DE', '+49151 mobile'],
    ['+43 660 1234567', 'DE', '+43 660 1234567'],
    ['0043 660 1234567', 'DE', '0043 660 1234567'],
  ])('%j in %j is %j', (text, country, expected) => {
    expect(withCallingCode(text, country)).toBe(expected);
  });
});
