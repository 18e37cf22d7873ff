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
});
