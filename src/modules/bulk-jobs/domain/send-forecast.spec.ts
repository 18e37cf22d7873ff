import type { BulkJob, RecentAnswers, Throttle } from './bulk-job';
import { endOfSend, estimatedCompletionAt, type SendLimits, tierRoom } from './send-forecast';
import type { SendWindow } from './send-window';

const FROM = new Date('2026-03-01T12:00:00Z');
const DAY = 86_400;
const LIMITS: SendLimits = { perSecond: 10, othersOpen: [], tier: null };
/** Ten minutes a day, open since FROM. */
const NOON: SendWindow = { from: '12:00', until: '12:10', timeZone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7] };

describe('The end of a send', () => {
  const secondsFor = (recipients: number, newPeople: number, limits: Partial<SendLimits> = {}): number | null => {
    const end = endOfSend(FROM, recipients, newPeople, { ...LIMITS, ...limits }, null);
    return end && (end.getTime() - FROM.getTime()) / 1000;
  };

  it('follows from the pace', () => {
    expect(secondsFor(1000, 1000)).toBe(100);
    expect(secondsFor(0, 0)).toBe(0);
    expect(secondsFor(1000, 1000, { perSecond: 0 })).toBeNull();
    expect(secondsFor(0, 0, { perSecond: 0 })).toBe(0);
  });

  it('is later if other jobs take turns, each with at most as many messages as this one', () => {
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

  it('starts when the tier has room again, if it has none now', () => {
    const tier = { limit: 1000, used: 1100, roomAt: new Date(FROM.getTime() + 3_600_000) };
    expect(tierRoom({ perSecond: 10, othersOpen: [], tier })).toBe(0);
    expect(secondsFor(500, 500, { tier })).toBe(3600 + 50);
    expect(secondsFor(1500, 1500, { tier })).toBe(3600 + DAY + 50);
  });

  it('counts only the time within the send window, also after a wait for the messaging tier', () => {
    const secondsIn = (recipients: number, limits: Partial<SendLimits> = {}): number => {
      const end = endOfSend(FROM, recipients, recipients, { ...LIMITS, ...limits }, NOON)!;
      return (end.getTime() - FROM.getTime()) / 1000;
    };
    expect(secondsIn(6000)).toBe(600);
    expect(secondsIn(6010)).toBe(DAY + 1);
    expect(secondsIn(30_000)).toBe(4 * DAY + 600);
    const tier = { limit: 1000, used: 400, roomAt: new Date(FROM.getTime() + 7200_000) };
    expect(secondsIn(1500, { tier })).toBe(DAY + 90);
    expect(endOfSend(FROM, 9_000_000, 0, LIMITS, NOON)).toBeNull();
  });
});

describe('The estimated completion of a job', () => {
  const NONE: RecentAnswers = { count: 0, seconds: 0 };
  const RECENT: RecentAnswers = { count: 40, seconds: 10 };
  const after = (seconds: number) => new Date(FROM.getTime() + seconds * 1000);

  function estimate(
    changes: Partial<BulkJob>,
    recent: RecentAnswers,
    wait: Throttle | null = null,
    limits: Partial<SendLimits> = {},
  ): Date | null {
    const counters = { totalRecipients: 100, successfullySent: 20, failed: 0, unknownInGrace: 0 };
    const job = { status: 'Processing', scheduledAt: null, sendWindow: null, ...counters, ...changes } as BulkJob;
    return estimatedCompletionAt(job, recent, wait, { ...LIMITS, ...limits }, FROM);
  }

  it('follows from the rate of the latest answers, which other jobs already slow down', () => {
    expect(estimate({}, RECENT, null, { othersOpen: [500] })).toEqual(after(20));
  });

  it('follows from the pace of the sender and the turns of other jobs before the first answers', () => {
    expect(estimate({ status: 'Queued', successfullySent: 0 }, NONE)).toEqual(after(10));
    expect(estimate({ status: 'Queued', successfullySent: 0 }, NONE, null, { othersOpen: [500] })).toEqual(after(20));
  });

  it('counts from the schedule, from the window, and from the end of a throttle', () => {
    const waiting = { status: 'Scheduled', successfullySent: 0 } as const;
    expect(estimate({ ...waiting, scheduledAt: after(3600) }, NONE)).toEqual(after(3610));
    expect(estimate({ ...waiting, scheduledAt: after(3600), sendWindow: NOON }, NONE)).toEqual(after(DAY + 10));
    const closed = { reason: 'send_window', until: after(DAY) } as const;
    const late: SendWindow = { ...NOON, from: '12:00', until: '12:01' };
    expect(estimate({ totalRecipients: 10_000, sendWindow: late }, NONE, closed)).toEqual(after(17 * DAY + 38));
    const tier = { reason: 'messaging_limit_reached', until: after(3600) } as const;
    expect(estimate({}, RECENT, tier)).toEqual(after(3620));
  });

  it('waits for the messaging tier, towards which every recipient counts', () => {
    const tier = { limit: 50, used: 30, roomAt: after(3600) };
    expect(estimate({}, RECENT, null, { tier })).toEqual(after(3600 + DAY + 2.5));
  });

  it('is the end of a wait for unknown outcomes', () => {
    const wait = { reason: 'unknown_outcomes', until: after(800) } as const;
    expect(estimate({}, NONE, wait)).toEqual(wait.until);
  });

  it('is null for a job without progress', () => {
    expect(estimate({}, NONE)).toBeNull();
    expect(estimate({ status: 'Paused' }, RECENT)).toBeNull();
    expect(estimate({}, RECENT, null, { perSecond: 0 })).toBeNull();
  });
});
