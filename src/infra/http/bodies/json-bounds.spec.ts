import { findUnparsable } from './json-bounds';

const object = (fields: number): string => `{${Array.from({ length: fields }, (_, n) => `"f${n}":1`).join()}}`;
const find = (text: string) => findUnparsable(Buffer.from(text), { maxValues: 150_000 })?.code;

describe('findUnparsable', () => {
  it.each([
    ['an object of 1,000 fields', object(1000)],
    ['several such objects', `[${object(1000)},${object(1000)}]`],
    ['a list in an object', `{"a":[${'1,'.repeat(3_000)}1],"b":1}`],
    ['signs in texts', JSON.stringify({ a: '[{,"'.repeat(9_000), b: '\\', c: '' })],
    ['escaped quotation marks', `["${'\\"'.repeat(9_000)}",${'"\\\\",'.repeat(100)}1]`],
    ['a text without end', '{"a":"'],
    ['closing brackets alone', ']]}}'],
  ])('finds nothing in %s', (_, text) => {
    expect(find(text)).toBeUndefined();
  });

  it.each([
    ['an object of 1,001 fields', `{"list":[{"to":"1"},${object(1001)}]}`, 'too_many'],
    ['too many values', `[${'1,'.repeat(150_001)}1]`, 'too_many'],
    ['too many empty lists', `[${'[],'.repeat(150_001)}1]`, 'too_many'],
    ['too many nested lists', `[${`${'['.repeat(900)}${']'.repeat(900)},`.repeat(170)}1]`, 'too_many'],
    ['nesting of 60,000 levels', '{"a":'.repeat(60_000), 'too_deep'],
    ['a comma after texts with escapes', `["\\\\","\\"",${'"\\\\\\"",'.repeat(150_000)}]`, 'too_many'],
  ])('finds %s', (_, text, code) => {
    expect(find(text)).toBe(code);
  });
});
