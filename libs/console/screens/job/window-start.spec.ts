import { windowStart } from './window-start';

describe('The start of the sending hours', () => {
  const office = { from: '09:00', until: '20:00', timeZone: 'Europe/Berlin', days: [1, 2, 3, 4, 5] };
  const start = (now: string, window: Partial<typeof office> = {}) =>
    windowStart({ ...office, ...window }, new Date(now))?.toISOString() ?? null;

  it('is null within them', () => {
    expect(start('2026-11-27T08:00:00Z')).toBeNull();
    expect(start('2026-11-27T18:59:59Z')).toBeNull();
    expect(start('2026-11-28T01:00:00Z', { from: '22:00', until: '06:00' })).toBeNull();
  });

  it('is later on the day, or on the next open day', () => {
    expect(start('2026-11-27T01:49:30Z')).toBe('2026-11-27T08:00:00.000Z');
    expect(start('2026-11-27T19:00:00Z')).toBe('2026-11-30T08:00:00.000Z');
    expect(start('2026-11-29T01:00:00Z', { from: '22:00', until: '06:00' })).toBe('2026-11-30T21:00:00.000Z');
    expect(start('2026-11-27T19:00:00Z', { days: [] })).toBe('2026-11-28T08:00:00.000Z');
  });

  it('follows a change of the clock', () => {
    expect(start('2026-03-28T20:00:00Z', { days: [7] })).toBe('2026-03-29T07:00:00.000Z');
  });
});
