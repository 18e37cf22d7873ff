import { SeenRows } from './seen-rows';

describe('rows seen before', () => {
  it('are recognised by phone and all values', () => {
    const seen = new SeenRows();
    expect(seen.add('4915112345678', ['a', 'b'])).toBe(true);
    expect(seen.add('4915112345678', ['a', 'b'])).toBe(false);
    expect(seen.add('4915112345678', ['a', 'c'])).toBe(true);
    expect(seen.add('4915112345679', ['a', 'b'])).toBe(true);
    expect(seen.add('4915112345678', ['a'])).toBe(true);
    expect(seen.add('4915112345678', ['ab', ''])).toBe(true);
    expect(seen.add('4915112345678', ['', 'ab'])).toBe(true);
  });

  it('are recognised among many, without false positives', () => {
    const seen = new SeenRows();
    const newOnes = (): number =>
      Array.from({ length: 50_000 }, (_, n) => seen.add(String(n), ['x'])).filter(Boolean).length;
    expect(newOnes()).toBe(50_000);
    expect(newOnes()).toBe(0);
  });
});
