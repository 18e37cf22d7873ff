import { printable, readParameter } from './parameter-text';

const kept = (text: string) => ({ text, collapsed: false });
const collapsed = (text: string) => ({ text, collapsed: true });

describe('a cell as a template value', () => {
  it.each([
    ['Anna', kept('Anna')],
    ['', kept('')],
    ['  \u00a0 ', kept('')],
    ['  Anna B.  ', kept('Anna B.')],
    ['Anna\n', kept('Anna')],
    ['four    spaces', kept('four    spaces')],
    ['five     spaces', collapsed('five spaces')],
    ['two\nlines', collapsed('two lines')],
    ['two\r\n\r\nlines', collapsed('two lines')],
    ['a  \t  b', collapsed('a b')],
    ['a\u2028b', collapsed('a b')],
    ['مرحبا 😀', kept('مرحبا 😀')],
    ['x'.repeat(1024), kept('x'.repeat(1024))],
    ['😀'.repeat(1024), kept('😀'.repeat(1024))],
  ])('%j becomes %j', (cell, expected) => {
    expect(readParameter(cell)).toEqual(expected);
  });

  it.each(['x'.repeat(1025), '😀'.repeat(1025), 'a\n'.repeat(600)])('is too long beyond 1,024 characters', (cell) => {
    expect(readParameter(cell)).toBe('parameter_too_long');
  });

  it.each([
    'a\0b',
    'a\u0007b',
    'a\u000bb',
    '\u001b[0m',
    'a\u007fb',
    'a\u0085b',
    'broken \ud83d',
    '\ude00 broken',
    'a\nb\0',
  ])('%j contains invalid characters', (cell) => {
    expect(readParameter(cell)).toBe('parameter_invalid_characters');
  });
});

it('printable text has no control characters', () => {
  expect(printable('a\0b\nc\ud83d', 64)).toBe('a b c\ufffd');
  expect(printable('😀😀', 3)).toBe('😀\ufffd');
});
