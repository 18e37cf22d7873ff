import { afterOpenTime, isOpen, opensAt, type SendWindow } from './send-window';
import { isTimeZone } from './wall-clock';

const ALL = [1, 2, 3, 4, 5, 6, 7];
const MINUTE_MS = 60_000;

function windowOf(from: string, until: string, timeZone: string, days: readonly number[] = ALL): SendWindow {
  return { from, until, timeZone, days };
}

describe('A send window', () => {
  it.each([
    ['2026-07-06T06:59:59.999Z', false],
    ['2026-07-06T07:00:00.000Z', true],
    ['2026-07-06T17:59:59.999Z', true],
    ['2026-07-06T18:00:00.000Z', false],
  ])('is open from its first to its last minute: %s is %p', (at, open) => {
    expect(isOpen(windowOf('09:00', '20:00', 'Europe/Berlin'), new Date(at))).toBe(open);
  });

  it('that spans midnight belongs to the day on which it opens', () => {
    const friday = windowOf('22:00', '06:00', 'UTC', [5]);
    expect(isOpen(friday, new Date('2026-03-06T21:59:00Z'))).toBe(false);
    expect(isOpen(friday, new Date('2026-03-06T22:00:00Z'))).toBe(true);
    expect(isOpen(friday, new Date('2026-03-07T05:59:00Z'))).toBe(true);
    expect(isOpen(friday, new Date('2026-03-07T06:00:00Z'))).toBe(false);
    expect(isOpen(friday, new Date('2026-03-06T05:00:00Z'))).toBe(false);
    expect(opensAt(friday, new Date('2026-03-07T06:00:00Z'))).toEqual(new Date('2026-03-13T22:00:00Z'));
  });

  it('can last until midnight, or the whole day', () => {
    for (const until of ['24:00', '00:00']) {
      expect(isOpen(windowOf('09:00', until, 'UTC'), new Date('2026-03-06T23:59:59Z'))).toBe(true);
      expect(isOpen(windowOf('09:00', until, 'UTC'), new Date('2026-03-07T00:00:00Z'))).toBe(false);
    }
    const weekdays = windowOf('00:00', '24:00', 'UTC', [1, 2, 3, 4, 5]);
    expect(isOpen(weekdays, new Date('2026-03-06T23:59:59Z'))).toBe(true);
    expect(isOpen(weekdays, new Date('2026-03-07T12:00:00Z'))).toBe(false);
    expect(opensAt(weekdays, new Date('2026-03-07T12:00:00Z'))).toEqual(new Date('2026-03-09T00:00:00Z'));
  });

  it('that is open opens immediately', () => {
    const at = new Date('2026-03-06T12:34:56.789Z');
    expect(opensAt(windowOf('09:00', '20:00', 'UTC'), at)).toEqual(at);
  });
});

describe('A send window in the night of a clock change', () => {
  it.each([
    // The clock goes from 02:00 to 03:00 at 01:00Z.
    ['forward', 'Europe/Berlin', '02:30', '06:00', '2026-03-29T00:00:00Z', '2026-03-29T01:00:00Z'],
    ['forward, before', 'Europe/Berlin', '01:00', '02:30', '2026-03-28T23:30:00Z', '2026-03-29T00:00:00Z'],
    // The whole window is skipped: it opens on the next day.
    ['forward, all of it', 'Europe/Berlin', '02:00', '03:00', '2026-03-29T00:30:00Z', '2026-03-30T00:00:00Z'],
    ['forward, over midnight', 'Europe/Berlin', '23:00', '02:30', '2026-03-28T21:00:00Z', '2026-03-28T22:00:00Z'],
    // The clock goes from 03:00 back to 02:00 at 01:00Z: 02:30 occurs twice.
    ['back', 'Europe/Berlin', '02:30', '04:00', '2026-10-25T00:00:00Z', '2026-10-25T00:30:00Z'],
    ['back, again', 'Europe/Berlin', '02:00', '02:30', '2026-10-25T00:30:00Z', '2026-10-25T01:00:00Z'],
    ['forward', 'America/New_York', '02:15', '05:00', '2026-03-08T06:00:00Z', '2026-03-08T07:00:00Z'],
    ['back', 'America/New_York', '01:30', '01:45', '2026-11-01T05:45:00Z', '2026-11-01T06:30:00Z'],
    // The clock is changed by half an hour, at 02:00 of daylight time.
    ['forward', 'Australia/Lord_Howe', '02:10', '05:00', '2026-10-03T15:00:00Z', '2026-10-03T15:30:00Z'],
    ['back', 'Australia/Lord_Howe', '01:45', '01:50', '2026-04-04T14:50:00Z', '2026-04-04T15:15:00Z'],
    ['never', 'Asia/Tokyo', '02:30', '04:00', '2026-03-28T17:00:00Z', '2026-03-28T17:30:00Z'],
  ])('(%s, %s, %s to %s) opens after %s at %s', (_name, zone, from, until, at, expected) => {
    expect(opensAt(windowOf(from, until, zone), new Date(at))).toEqual(new Date(expected));
  });

  it.each([
    ['2026-03-29T00:59:59Z', true],
    ['2026-03-29T01:00:00Z', false],
  ])('closes when the clock skips its end: at %s it is open: %p', (at, open) => {
    expect(isOpen(windowOf('23:00', '02:30', 'Europe/Berlin'), new Date(at))).toBe(open);
  });

  it.each([
    ['the night with an hour less', '2026-03-28T22:00:00Z', '2026-03-29T04:00:00Z'],
    ['the night with an hour more', '2026-10-24T21:00:00Z', '2026-10-25T05:00:00Z'],
  ])('is open while the clock shows its hours in %s', (_night, opened, closed) => {
    const night = windowOf('23:00', '06:00', 'Europe/Berlin');
    const length = new Date(closed).getTime() - new Date(opened).getTime();
    expect(afterOpenTime(night, new Date(opened), length)).toEqual(new Date(closed));
    const next = afterOpenTime(night, new Date(opened), length + 1)!;
    expect(next.getTime()).toBeGreaterThan(new Date(closed).getTime() + 16 * 3_600_000);
  });

  it.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Santiago'])(
    'opens in %s at the first quarter of an hour in which it is open, from any moment',
    (timeZone) => {
      const quarter = 15 * MINUTE_MS;
      const text = (quarters: number): string =>
        `${String(Math.floor(quarters / 4)).padStart(2, '0')}:${String((quarters % 4) * 15).padStart(2, '0')}`;
      for (let n = 0; n < 40; n++) {
        const days = ALL.filter((day) => (n * 37 + day * 11) % 3 !== 0);
        const from = (n * 29) % 96;
        const window = windowOf(text(from), text((from + 1 + ((n * 53) % 95)) % 96), timeZone, days);
        const at = new Date(Date.UTC(2026, 0, 1) + n * 9 * 24 * 4 * quarter + ((n * 71) % 96) * quarter);
        let expected = at.getTime();
        while (!isOpen(window, new Date(expected))) expected += quarter;
        expect({ window, at, opens: opensAt(window, at) }).toEqual({ window, at, opens: new Date(expected) });
      }
    },
  );
});

describe('The time that a window is open', () => {
  const office = windowOf('09:00', '17:00', 'UTC', [1, 2, 3, 4, 5]);
  const hours = (count: number): number => count * 3_600_000;

  it('is added up over nights and weekends', () => {
    const friday = new Date('2026-03-06T16:00:00Z');
    expect(afterOpenTime(office, friday, 0)).toEqual(friday);
    expect(afterOpenTime(office, friday, hours(1))).toEqual(new Date('2026-03-06T17:00:00Z'));
    expect(afterOpenTime(office, friday, hours(2))).toEqual(new Date('2026-03-09T10:00:00Z'));
    expect(afterOpenTime(office, friday, hours(17))).toEqual(new Date('2026-03-10T17:00:00Z'));
  });

  it('is null beyond a year', () => {
    expect(
      afterOpenTime(windowOf('09:00', '09:01', 'UTC', [1]), new Date('2026-03-06T16:00:00Z'), hours(24)),
    ).toBeNull();
  });
});

describe('A time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata', 'Etc/GMT+5'])('is %s', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });

  it.each(['', '+02:00', 'GMT+2', 'CET', 'Europe/Nowhere', 'Europe/Berlin; x', '../etc/passwd', 'local'])(
    'is not %p',
    (name) => {
      expect(isTimeZone(name)).toBe(false);
    },
  );
});
