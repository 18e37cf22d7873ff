import { isLocalTime, momentOfLocalTime } from './wall-clock';

describe('a local time', () => {
  it.each([
    ['2026-11-24T09:00', 'Europe/Berlin', '2026-11-24T08:00:00.000Z'],
    ['2026-07-24T09:00:30.5', 'Europe/Berlin', '2026-07-24T07:00:30.500Z'],
    ['2026-11-24T09:00', 'UTC', '2026-11-24T09:00:00.000Z'],
    ['2026-11-24T09:00', 'Asia/Kathmandu', '2026-11-24T03:15:00.000Z'],
    ['2026-01-01T00:30', 'Pacific/Kiritimati', '2025-12-31T10:30:00.000Z'],
    ['2026-12-31T23:30', 'America/Los_Angeles', '2027-01-01T07:30:00.000Z'],
  ])('%s in %s is %s', (text, timeZone, moment) => {
    expect(momentOfLocalTime(text, timeZone).toISOString()).toBe(moment);
  });

  it.each([
    ['2026-03-29T02:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
    ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
    ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
  ])('%s, which the clock in %s skips, moves forward to %s', (text, timeZone, moment) => {
    expect(momentOfLocalTime(text, timeZone).toISOString()).toBe(moment);
  });

  it.each([
    ['2026-10-25T02:00', 'Europe/Berlin', '2026-10-25T00:00:00.000Z'],
    ['2026-10-25T02:59', 'Europe/Berlin', '2026-10-25T00:59:00.000Z'],
    ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
  ])('%s, which the clock in %s shows twice, is the first: %s', (text, timeZone, moment) => {
    expect(momentOfLocalTime(text, timeZone).toISOString()).toBe(moment);
  });

  it('has no zone, and a time of day', () => {
    expect(isLocalTime('2026-11-24T09:00')).toBe(true);
    for (const text of ['2026-11-24', '2026-11-24T09', '2026-11-24T09:00Z', '2026-11-24T09:00+01:00']) {
      expect(isLocalTime(text)).toBe(false);
    }
  });
});
