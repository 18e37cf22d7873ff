import { parseJsonKeepingIntegers } from './parse-json';

describe('parseJsonKeepingIntegers', () => {
  it('keeps the digits of an integer that a double cannot hold', () => {
    expect(parseJsonKeepingIntegers('{"id":77100000000000123,"list":[-9007199254740993]}')).toEqual({
      id: '77100000000000123',
      list: ['-9007199254740993'],
    });
  });

  it('leaves safe integers, fractions and exponents as numbers', () => {
    const text =
      '[771000000000001, 9007199254740991, 0.12345678901234567890, 1234567890123456789e2, 12345678901234567.5]';
    expect(parseJsonKeepingIntegers(text)).toEqual(JSON.parse(text));
  });

  it('leaves digits inside strings and keys unchanged, also after escaped quotes', () => {
    const text = String.raw`{"a\"12345678901234567890":"say \"12345678901234567890\" \\","b":[1]}`;
    expect(parseJsonKeepingIntegers(text)).toEqual(JSON.parse(text));
  });

  it('rejects invalid JSON with long digits', () => {
    expect(() => parseJsonKeepingIntegers('<html>12345678901234567890</html>')).toThrow(SyntaxError);
    expect(() => parseJsonKeepingIntegers('')).toThrow(SyntaxError);
  });

  it('parses a string of several megabytes', () => {
    const long = 'x"\\'.repeat(700_000);
    expect(parseJsonKeepingIntegers(JSON.stringify({ long, id: 1 }).replace('1}', '12345678901234567890}'))).toEqual({
      long,
      id: '12345678901234567890',
    });
  });
});
