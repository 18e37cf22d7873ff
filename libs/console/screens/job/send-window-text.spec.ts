import type { setCatalog } from '../../language/translate';
import { describeDays, describeWindow, weekdaysFrom } from './send-window-text';

describe('A send window as text', () => {
  it('lists the days in order, unless it is open every day', () => {
    expect(describeDays([3, 1])).toBe('Mon, Wed');
    expect([describeDays(undefined), describeDays([]), describeDays([1, 2, 3, 4, 5, 6, 7])]).toEqual(
      Array(3).fill('every day'),
    );
  });

  it('has hours, days and time zone', () => {
    expect(describeWindow({ from: '09:00', until: '20:00', timeZone: 'Europe/Berlin', days: [6, 7] })).toBe(
      '09:00–20:00, Sat, Sun (Europe/Berlin)',
    );
    expect(describeWindow({ from: '09:00', until: '24:00', timeZone: 'UTC' })).toBe('09:00–00:00, every day (UTC)');
  });

  it('has the order of days and the clock of the locale', () => {
    expect(weekdaysFrom(7).map(({ day, short }) => `${day} ${short}`)).toEqual([
      ...['7 Sun', '1 Mon', '2 Tue', '3 Wed', '4 Thu', '5 Fri', '6 Sat'],
    ]);
    jest.isolateModules(() => {
      const translate = jest.requireActual<{ setCatalog: typeof setCatalog }>('../../language/translate');
      translate.setCatalog(null, 'en-US');
      const text = jest.requireActual<{ describeWindow: typeof describeWindow }>('./send-window-text');
      expect(text.describeWindow({ from: '09:00', until: '20:30', timeZone: 'UTC', days: [1, 7] })).toBe(
        '9:00 AM–8:30 PM, Mon, Sun (UTC)',
      );
    });
  });
});
