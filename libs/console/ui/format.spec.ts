import { bytes, clockTime, compact, count, duration, fieldTime, humanize, pace, relativeTime, share } from './format';

describe('Formatting', () => {
  const now = new Date(2026, 10, 23, 14, 5, 9);
  const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000);

  it('groups digits of counts', () => {
    expect([count(1_000_000), compact(1_500_000)]).toEqual(['1,000,000', '1.5m']);
    expect(pace(79.54)).toBe('79.5/s');
  });

  it.each([
    [0, 10, '0%'],
    [1, 0, '0%'],
    [999_999, 1_000_000, '99.9%'],
    [10, 10, '100%'],
    [9_996, 10_000, '99.9%'],
    [1, 1_000_000, '< 0.1%'],
    [6, 10_000, '0.1%'],
    [2, 11, '18.2%'],
    [1, 3, '33.3%'],
    [29, 100, '29%'],
    [1, 1000, '0.1%'],
  ])('rounds the share of %d in %d to %s', (part, whole, text) => {
    expect(share(part, whole)).toBe(text);
  });

  it.each([
    [0, '1 s'],
    [89, '89 s'],
    [90, '2 min'],
    [3540, '59 min'],
    [3600, '1 h'],
    [7500, '2 h 5 min'],
    [48 * 3600, '2 days'],
    [73 * 3600, '3 days'],
  ])('formats %d seconds as %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });

  it.each([
    [0, 'just now'],
    [5, 'in a few seconds'],
    [-5, 'just now'],
    [-45, '45 seconds ago'],
    [-200, '3 minutes ago'],
    [7200, 'in 2 hours'],
    [-86_400, 'yesterday'],
  ])('describes a time %d seconds away as %s', (seconds, text) => {
    expect(relativeTime(inSeconds(seconds), now)).toBe(text);
  });

  it('adds the date to times of other days only', () => {
    expect(clockTime(inSeconds(60), now)).toBe('14:06');
    expect(clockTime(inSeconds(86_400), now)).toBe('24 Nov, 14:05');
  });

  it('writes the same clock everywhere, that of the locale', async () => {
    jest.resetModules();
    (await import('../language/translate')).setCatalog(null, 'en-US');
    const american = await import('./format');
    const at = new Date(2026, 10, 24, 7, 4);
    const texts = [american.timeOfDay(at), american.clockTime(at, now), american.plannedTime(at)];
    const [clock, short, planned] = texts.map((text) => text.replaceAll(/\s/g, ' '));
    expect([clock, short, planned]).toEqual(['7:04 AM', 'Nov 24, 7:04 AM', 'Nov 24, 2026, 7:04 AM']);
  });

  it('writes local time for datetime-local inputs', () => {
    expect(fieldTime(now)).toBe('2026-11-23T14:05');
  });

  it.each([
    [999, '999 B'],
    [1_400, '1.4 KB'],
    [6_000_000, '6 MB'],
  ])('formats %d bytes as %s', (size, text) => {
    expect(bytes(size)).toBe(text);
  });

  it('turns codes into labels', () => {
    expect(humanize('recipient_unreachable')).toBe('Recipient unreachable');
  });
});
