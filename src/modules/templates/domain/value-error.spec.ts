import { errorOfValue } from './value-error';

describe('errorOfValue', () => {
  it.each(['Mira', 'a    b', '0', '  x  ', 'Zoë 👩‍👩‍👧 café', '{{1}}', 'x'.repeat(5000)])('accepts %j', (text) => {
    expect(errorOfValue(text)).toBeNull();
  });

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['\u00a0', 'empty'],
    ['a\nb', 'line_break'],
    ['a\r', 'line_break'],
    ['a\tb', 'tab'],
    ['a     b', 'too_many_spaces'],
    ['a\0b', 'invalid_characters'],
    ['a\u001bb', 'invalid_characters'],
    ['\ud83d', 'invalid_characters'],
  ])('finds the error of %j: %s', (text, code) => {
    expect(errorOfValue(text)).toMatchObject({ code, message: expect.stringMatching(/^(is|contains) .+\.$/) });
  });
});
