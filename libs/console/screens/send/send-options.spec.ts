import { DEFAULT_WINDOW, problemOf, SEND_NOW, startOf, timingOf } from './send-options';

describe('Send options', () => {
  const now = new Date('2026-11-23T14:00:00Z');
  const at = (startsAt: string) => problemOf({ ...SEND_NOW, startsAt }, now);
  const within = (change: Partial<typeof DEFAULT_WINDOW>) =>
    problemOf({ ...SEND_NOW, window: { ...DEFAULT_WINDOW, ...change } }, now);

  it('are valid by default, and with a start in the future and a window', () => {
    expect([at(''), at('2026-11-25T10:00'), within({})]).toEqual([null, null, null]);
  });

  it('require a valid start in the future', () => {
    expect([at(' '), at('2020-01-01T10:00')]).toEqual([
      'Enter a start date and time.',
      'The start time is in the past. Choose a later time.',
    ]);
  });

  it('require a window with hours and days', () => {
    expect([within({ from: '' }), within({ until: DEFAULT_WINDOW.from }), within({ days: [] })]).toEqual([
      'Enter when sending hours start and end.',
      'The sending hours start and end at the same time.',
      'Choose at least one day.',
    ]);
  });

  it('start when the sending hours open, if that is after the chosen time', () => {
    const opensAt = '2026-11-24T09:00';
    const later = { ...SEND_NOW, startsAt: '2026-11-23T23:49' };
    const start = (options: typeof SEND_NOW, opens = opensAt) => startOf(options, opens, now);
    const inHours = { window: DEFAULT_WINDOW };
    expect([start(SEND_NOW), start({ ...SEND_NOW, ...inHours }, '2026-11-23T14:00:00Z')]).toEqual([null, null]);
    expect(start({ ...SEND_NOW, ...inHours })).toEqual(new Date(opensAt));
    expect(start(later)).toEqual(new Date(later.startsAt));
    expect(start({ ...later, ...inHours })).toEqual(new Date(opensAt));
  });

  it('become the schedule fields of a request, without an invalid start', () => {
    expect(timingOf(SEND_NOW)).toEqual({});
    expect(timingOf({ ...SEND_NOW, startsAt: ' ', window: DEFAULT_WINDOW })).toEqual({ sendWindow: DEFAULT_WINDOW });
    expect(timingOf({ ...SEND_NOW, startsAt: '2026-11-25T10:00' })).toEqual({
      scheduledAt: new Date('2026-11-25T10:00').toISOString(),
    });
  });
});
