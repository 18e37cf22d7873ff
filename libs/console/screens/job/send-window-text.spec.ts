import { describeDays, describeWindow } from './send-window-text';

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
  });
});
