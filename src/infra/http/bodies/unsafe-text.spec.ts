import { findUnsafe } from './unsafe-text';

describe('Text and names that no field accepts', () => {
  it('are all found, in field order', () => {
    const body = { to: 'a\0', parts: [{ text: 'b\ud800' }, { text: 'c' }], toString: 1, 'd\0': { inner: '\0' } };
    expect(findUnsafe(body).map(({ field, code }) => `${field} ${code}`)).toEqual([
      'to invalid_characters',
      'parts[0].text invalid_characters',
      'toString unknown_field',
      'd invalid_characters',
    ]);
  });

  it('are at most 100', () => {
    expect(findUnsafe(Array.from({ length: 300 }, () => ({ text: '\0' })))).toHaveLength(100);
    expect(findUnsafe(Array.from({ length: 300 }, () => ({ 'a\0': 1 })))).toHaveLength(100);
  });

  it('are none in ordinary text', () => {
    expect(findUnsafe({ to: '4915112345678', text: 'Straße 😀\n', none: null })).toEqual([]);
  });
});
