import { readPhoneNumber, readPhoneText } from './phone-text';

const national = (digits: string) => ({ digits, international: false });
const international = (digits: string) => ({ digits, international: true });

describe('a phone number as text', () => {
  it.each([
    ['4915112345678', national('4915112345678')],
    ['+4915112345678', international('4915112345678')],
    ['004915112345678', international('4915112345678')],
    ['  +49 (151) 123-456.78 ', international('4915112345678')],
    ['+49 (0)151 / 12345-678', international('49015112345678')],
    ['0049 (0)151 / 12345-678', international('49015112345678')],
    ['0049 (0)33056 / 1234', international('490330561234')],
    ['0151 / 12345-678', national('015112345678')],
    ['(+49) 151 12345678', international('4915112345678')],
    ["'4915112345678", national('4915112345678')],
    ['’+4915112345678', international('4915112345678')],
    ['+49\u00a0151\u202f12345678', international('4915112345678')],
    ['\u202a+4915112345678\u202c', international('4915112345678')],
    ['\u200e4915112345678\u200f', national('4915112345678')],
    ['\ufeff49151\u200b12345678', national('4915112345678')],
    ['+49–151—12345678', international('4915112345678')],
    ['+49‑151‑12345678', international('4915112345678')],
    ['＋４９１５１１２３４５６７８', international('4915112345678')],
    ['+٩٦٦٥٠١٢٣٤٥٦٧', international('966501234567')],
    ['۹۸۹۱۲۱۲۳۴۵۶۷', national('989121234567')],
    ['+९१९८७६५४३२१०', international('919876543210')],
    ['4915112345678.0', national('4915112345678')],
    ['4915112345678,00', national('4915112345678')],
    ['4.915.112.345.678', national('4915112345678')],
    ['015112345678', national('015112345678')],
    ['49151\n12345678\t', national('4915112345678')],
  ])('%j is %j', (text, expected) => {
    expect(readPhoneText(text)).toEqual(expected);
  });

  it.each(['', '   ', '\u00a0', '\u200b', "'"])('%j is missing', (text) => {
    expect(readPhoneText(text)).toBe('phone_missing');
  });

  it.each(['9.66512E+11', '9,66512E+11', '9.66512e11', '+9.66512E+11', '1E+12', '4.91511E+12 ', '９.66512E+11'])(
    '%j has lost digits',
    (text) => {
      expect(readPhoneText(text)).toBe('phone_scientific_notation');
    },
  );

  it.each([
    'Anna',
    '4915112345678x5',
    '49151123+45678',
    '++4915112345678',
    '+',
    '#N/A',
    'TRUE',
    '4915112345678.5',
    '49151,12345678',
    '4915112345678/4915112345679',
    '4915112345678; 4915112345679',
    '004915112345678/4915112345679',
    '49\u0000151',
    '-',
    '½¾',
  ])('%j is invalid', (text) => {
    expect(readPhoneText(text)).toBe('phone_invalid');
  });
});

describe('a phone number stored as a number', () => {
  it.each([
    [4915112345678, '4915112345678'],
    [9.66512e11, '966512000000'],
    [4915112345678.0, '4915112345678'],
  ])('%d gives all its digits', (value, digits) => {
    expect(readPhoneNumber(value)).toEqual(national(digits));
  });

  it.each([4915112345678.5, -4915112345678, 0, 1e22, Number.NaN, 2 ** 53])('%d is invalid', (value) => {
    expect(readPhoneNumber(value)).toBe('phone_invalid');
  });
});
