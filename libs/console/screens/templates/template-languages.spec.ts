import { languageCodeOf } from './template-languages';

describe('The language of a template', () => {
  it.each([
    ['Deutsch', 'de'],
    [' german ', 'de'],
    ['en-us', 'en_US'],
    ['English (United States)', 'en_US'],
    ['Klingonisch', 'Klingonisch'],
  ])('typed as %s is %s', (typed, code) => {
    expect(languageCodeOf(typed)).toBe(code);
  });
});
