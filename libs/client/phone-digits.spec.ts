import { readPhoneText } from '../phone-numbers/phone-text';
import { phoneDigits } from './phone-digits';

describe('phoneDigits', () => {
  it.each([
    ['+49 (0) 151/1234-5678', '49015112345678'],
    ['004915112345678', '4915112345678'],
    ['4915112345678', '4915112345678'],
    ['+４９ 151 12345678', '4915112345678'],
    ['\u202a+49 151 12345678\u202c', '4915112345678'],
    ['abc49 15112345678', null],
    ['49 15112345678 ext. 5', null],
    ['49151+12345678', null],
    ['', null],
  ])('reads %j as %j', (text, digits) => {
    expect(phoneDigits(text)).toBe(digits);
  });

  it.each([
    ...[
      '+49 (0) 151/12345678',
      '0049 151 12345678',
      '4915112345678',
      '+49-151-12345678',
      '49.151.12345678',
      '+\uff14\uff19151',
    ],
    ...[
      '+\u0664\u0669 \u0661\u0665\u0661',
      '\u06f4\u06f9\u06f1\u06f5\u06f1',
      '\u0967\u0968\u0969\u096a',
      '\u0e51\u0e52\u0e53',
    ],
    ...[
      "'4915112345678",
      '\u20184915112345678\u2019',
      '+49\u00ad151\ufeff123',
      '\u061c+49151\ufe0f',
      '49\u2011151\u2212123',
    ],
    ...['', '+', '49 151 abc', '49151+123', '4.9E+12', '\u{1d7d8}151', '49\u{116d0}'],
  ])('reads %j as the service does', (text) => {
    const read = readPhoneText(text);
    expect(phoneDigits(text)).toBe(typeof read === 'string' ? null : read.digits);
  });
});
