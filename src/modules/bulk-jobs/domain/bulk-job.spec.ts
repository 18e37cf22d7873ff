import {
  allowedActions,
  type BulkJob,
  currentWait,
  openRecipients,
  progressPercentage,
  ratePerSecond,
  validityRestarts,
} from './bulk-job';

const NOW = new Date('2026-03-01T12:00:00Z');
const secondsBefore = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

function job(changes: Partial<BulkJob> = {}): BulkJob {
  return {
    id: 'job',
    accountId: 'account',
    senderId: 'sender',
    kind: 'Import',
    status: 'Processing',
    templateName: 'promo',
    languageCode: 'en_US',
    revisionId: 'revision',
    extras: null,
    name: null,
    reference: null,
    fileName: null,
    groupId: null,
    audience: null,
    retryOf: null,
    totalRecipients: 100,
    invalidRows: 0,
    duplicateRows: 0,
    cursor: 1,
    successfullySent: 0,
    failed: 0,
    skipped: 0,
    unknown: 0,
    unknownInGrace: 0,
    delivered: 0,
    read: 0,
    undelivered: 0,
    pauseReason: null,
    lastUnknownSince: null,
    error: null,
    throttled: null,
    windowOpensAt: null,
    halted: null,
    createdBy: null,
    pausedBy: null,
    cancelledBy: null,
    createdAt: NOW,
    pausedAt: null,
    scheduledAt: null,
    sendWindow: null,
    validForSeconds: null,
    validUntil: null,
    startedAt: null,
    completedAt: null,
    recipientsExpiredAt: null,
    ...changes,
  };
}

describe('progressPercentage', () => {
  it.each([
    [0, 0, 3, 0],
    [1, 0, 3, 33.3],
    [1, 1, 3, 66.6],
    [0, 1, 1000, 0.1],
    [999_998, 1, 1_000_000, 99.9],
    [0, 999, 1_000_000, 0],
    [29, 0, 100, 29],
  ])('truncates %d sent and %d failed of %d to %d', (successfullySent, failed, totalRecipients, expected) => {
    expect(progressPercentage(job({ successfullySent, failed, totalRecipients }))).toBe(expected);
  });

  it('stays below 100 until the job is complete, even if every recipient has an outcome', () => {
    expect(progressPercentage(job({ successfullySent: 90, failed: 10 }))).toBe(99.9);
    expect(progressPercentage(job({ successfullySent: 90, failed: 10, completedAt: NOW, status: 'Completed' }))).toBe(
      100,
    );
  });

  it('is 100 for a job without recipients', () => {
    expect(progressPercentage(job({ totalRecipients: 0 }))).toBe(100);
  });

  it('does not change while the job is paused', () => {
    expect(progressPercentage(job({ status: 'Paused', successfullySent: 55 }))).toBe(55);
  });

  it('is 100 for a cancelled job once its last message in flight is settled', () => {
    expect(progressPercentage(job({ status: 'Cancelled', successfullySent: 40, failed: 1 }))).toBe(41);
    expect(progressPercentage(job({ status: 'Cancelled', successfullySent: 40, failed: 60, completedAt: NOW }))).toBe(
      100,
    );
  });
});

describe('openRecipients', () => {
  it('counts neither final outcomes nor unknown ones in their grace time', () => {
    expect(openRecipients(job({ successfullySent: 50, failed: 20, unknown: 12, unknownInGrace: 10 }))).toBe(20);
  });
});

describe('allowedActions', () => {
  it.each([
    ['Scheduled', ['pause', 'cancel']],
    ['Queued', ['pause', 'cancel']],
    ['Processing', ['pause', 'cancel']],
    ['Paused', ['resume', 'cancel']],
    ['Completed', ['retry']],
    ['Failed', ['retry']],
    ['Cancelled', ['retry']],
  ] as const)('in the state %s are %j', (status, expected) => {
    expect(allowedActions(job({ status, failed: 1 }))).toEqual(expected);
  });

  it.each([
    ['no recipient failed', { failed: 0 }],
    ['all failed recipients had opted out or were invalid', { failed: 5, skipped: 2, invalidRows: 3 }],
  ])('do not offer a retry where %s', (_, counters) => {
    expect(allowedActions(job({ status: 'Completed', ...counters }))).toEqual([]);
  });

  it('offer a retry of a running job only when all but unknown outcomes are final', () => {
    const waiting = job({ status: 'Processing', successfullySent: 58, failed: 41, unknown: 1, unknownInGrace: 1 });
    expect(allowedActions(waiting)).toEqual(['pause', 'cancel', 'retry']);
    expect(allowedActions({ ...waiting, status: 'Paused' })).toEqual(['resume', 'cancel', 'retry']);
    expect(allowedActions({ ...waiting, successfullySent: 57 })).toEqual(['pause', 'cancel']);
    expect(allowedActions({ ...waiting, successfullySent: 99, failed: 0 })).toEqual(['pause', 'cancel']);
  });
});

describe('validityRestarts', () => {
  const hour = { validForSeconds: 3600 };

  it('is true for a job on hold, and for one paused before it was allowed to send', () => {
    expect(validityRestarts(job({ status: 'Paused', ...hour, pausedAt: NOW }))).toBe(true);
    expect(validityRestarts(job({ ...hour, pausedAt: NOW, validUntil: secondsBefore(-3700) }))).toBe(true);
  });

  it('is false for any other: its validity continues while it is paused', () => {
    expect(validityRestarts(job({ ...hour, pausedAt: NOW, validUntil: secondsBefore(-3500) }))).toBe(false);
    expect(validityRestarts(job({ ...hour, pausedAt: NOW, startedAt: NOW }))).toBe(false);
    expect(validityRestarts(job({ pausedAt: NOW }))).toBe(false);
  });
});

describe('ratePerSecond', () => {
  it('is the rate of the latest answers while the job runs, so that an old pause does not count', () => {
    const running = job({ startedAt: secondsBefore(86_400), successfullySent: 40 });
    expect(ratePerSecond(running, { count: 800, seconds: 10 })).toBe(80);
    expect(ratePerSecond(running, { count: 3, seconds: 0.01 })).toBe(3);
    expect(ratePerSecond(running, { count: 0, seconds: 0 })).toBe(0);
  });

  it('is the rate of the whole run without invalid rows once the job is complete', () => {
    const complete = job({
      status: 'Completed',
      successfullySent: 70,
      failed: 30,
      invalidRows: 20,
      startedAt: secondsBefore(16),
      completedAt: NOW,
    });
    expect(ratePerSecond(complete, { count: 0, seconds: 0 })).toBe(5);
  });

  it.each(['Queued', 'Paused', 'Cancelled'] as const)('is null for a job that is %s', (status) => {
    expect(ratePerSecond(job({ status, startedAt: secondsBefore(10) }), { count: 9, seconds: 1 })).toBeNull();
  });
});

describe('currentWait', () => {
  const GRACE_MS = 900_000;
  const tier = { reason: 'messaging_limit_reached', until: secondsBefore(-3600) } as const;
  const unknown = { unknown: 2, unknownInGrace: 2, lastUnknownSince: secondsBefore(100) };

  it('is for unknown outcomes if nothing else is open, until the grace time of the last one ends', () => {
    const last = job({ successfullySent: 98, ...unknown });
    const wait = { reason: 'unknown_outcomes', until: secondsBefore(-800) } as const;
    expect(currentWait(last, GRACE_MS, NOW)).toEqual(wait);
    expect(currentWait(last, 100_000, NOW)).toBeNull();
  });

  it('is for a platform limit, or for nothing, while recipients are pending', () => {
    expect(currentWait(job({ successfullySent: 97, ...unknown, throttled: tier }), GRACE_MS, NOW)).toEqual(tier);
    expect(currentWait(job({ successfullySent: 97, ...unknown }), GRACE_MS, NOW)).toBeNull();
    expect(currentWait(job({ successfullySent: 100 }), GRACE_MS, NOW)).toBeNull();
  });

  it('is for the send window while it is closed, or for a limit that lasts longer', () => {
    const windowOpensAt = secondsBefore(-3600);
    const closed = { reason: 'send_window', until: windowOpensAt } as const;
    expect(currentWait(job({ windowOpensAt }), GRACE_MS, NOW)).toEqual(closed);
    expect(currentWait(job({ windowOpensAt, successfullySent: 100 }), GRACE_MS, NOW)).toBeNull();
    const longer = { ...tier, until: secondsBefore(-3601) };
    expect(currentWait(job({ windowOpensAt, throttled: longer }), GRACE_MS, NOW)).toEqual(longer);
    const shorter = { ...tier, until: secondsBefore(-60) };
    expect(currentWait(job({ windowOpensAt, throttled: shorter }), GRACE_MS, NOW)).toEqual(closed);
  });

  it('is for a person before any limit, and for unknown outcomes first if nothing else is open', () => {
    const halt = { reason: 'no_worker', until: null } as const;
    expect(currentWait(job({ halted: 'no_worker', throttled: tier }), GRACE_MS, NOW)).toEqual(halt);
    const last = job({ halted: 'no_worker', successfullySent: 98, ...unknown });
    expect(currentWait(last, GRACE_MS, NOW)?.reason).toBe('unknown_outcomes');
    expect(currentWait(last, 100_000, NOW)).toEqual(halt);
  });
});
