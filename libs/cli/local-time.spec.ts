import { localTime } from './local-time';

describe('A local time', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: new Date('2026-11-28T12:00:00Z') });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    ['2026-12-01T08:00:00.000Z', 'Europe/Berlin', 'Tue 1 Dec 09:00 Europe/Berlin'],
    ['2026-12-31T23:30:00.000Z', 'Europe/Berlin', 'Fri 1 Jan 2027 00:30 Europe/Berlin'],
    ['2026-12-31T23:30:00.000Z', 'UTC', 'Thu 31 Dec 23:30 UTC'],
  ])('of %s in %s is %s', (iso, zone, expected) => {
    expect(localTime(iso, zone)).toBe(expected);
  });

  it('is that of the machine without a zone', () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    expect(localTime('2026-12-01T08:00:00.000Z')).toBe(localTime('2026-12-01T08:00:00.000Z', timeZone));
  });
});
