import { endOfSend, type SendLimits, tierRoom } from './send-forecast';

const FROM = new Date('2026-03-01T12:00:00Z');
const DAY = 86_400;

describe('The end of a send', () => {
  const secondsFor = (recipients: number, newPeople: number, limits: Partial<SendLimits> = {}): number | null => {
    const end = endOfSend(FROM, recipients, newPeople, { perSecond: 10, othersOpen: [], tier: null, ...limits });
    return end && (end.getTime() - FROM.getTime()) / 1000;
  };

  it('follows from the pace', () => {
    expect(secondsFor(1000, 1000)).toBe(100);
    expect(secondsFor(0, 0)).toBe(0);
    expect(secondsFor(1000, 1000, { perSecond: 0 })).toBeNull();
    expect(secondsFor(0, 0, { perSecond: 0 })).toBe(0);
  });

  it('is later where other jobs have their turns, each at most as often as this one', () => {
    expect(secondsFor(1000, 1000, { othersOpen: [100, 5000] })).toBe(210);
  });

  it('does not depend on a messaging tier that has room', () => {
    const tier = { limit: 1000, used: 400, roomAt: null };
    expect(tierRoom({ perSecond: 10, othersOpen: [], tier })).toBe(600);
    expect(secondsFor(900, 600, { tier })).toBe(90);
  });

  it('waits for the messaging tier, a whole tier each 24 hours', () => {
    const tier = { limit: 1000, used: 400, roomAt: null };
    expect(secondsFor(700, 700, { tier })).toBe(DAY + 10);
    expect(secondsFor(1600, 1600, { tier })).toBe(DAY + 100);
    expect(secondsFor(1700, 1700, { tier })).toBe(2 * DAY + 10);
  });

  it('begins when there is room again, if there is none now', () => {
    const tier = { limit: 1000, used: 1100, roomAt: new Date(FROM.getTime() + 3_600_000) };
    expect(tierRoom({ perSecond: 10, othersOpen: [], tier })).toBe(0);
    expect(secondsFor(500, 500, { tier })).toBe(3600 + 50);
    expect(secondsFor(1500, 1500, { tier })).toBe(3600 + DAY + 50);
  });
});
