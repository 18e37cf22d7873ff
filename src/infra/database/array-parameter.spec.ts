import { arrayParameter } from './array-parameter';

describe('arrayParameter', () => {
  it.each([
    [[], '{}'],
    [['a', '', 'NULL', null], '{"a","","NULL",null}'],
    [['{', ',', ' b '], '{"{",","," b "}'],
    [[1, 0.5, -3], '{1,0.5,-3}'],
    [[new Date(Date.UTC(2026, 10, 23, 12, 0, 0, 5))], '{"2026-11-23T12:00:00.005Z"}'],
  ])('formats %j as %s', (list, text) => {
    expect(arrayParameter(list)).toBe(text);
  });

  it.each([
    [['a"b']],
    [['a\\b']],
    [['a\nb']],
    [['\ud800']],
    [[['a']]],
    [[Buffer.from('a')]],
    [[{ a: 1 }]],
    [[undefined]],
    [[1n]],
    [[true]],
    [[NaN]],
    [[Infinity]],
    [[new Date(NaN)]],
    [[new Date(Date.UTC(10_000, 0))]],
    [[new Date(Date.UTC(999, 0))]],
  ])('leaves other elements to the driver: %#', (list: unknown[]) => {
    expect(arrayParameter(list)).toBe(list);
  });
});
