import fc from 'fast-check';
import { FirstAttemptWindow } from './first-attempt-window';
import { LaneJobs } from './lane-jobs';
import type { LaneJob } from './lane-job-store.port';
import type { LaneParts } from './lane-parts';
import type { Lease } from './lease';
import type { RecipientAnswer } from './recorder';

const SEEN: LaneJob = {
  id: 'job',
  accountId: 'account',
  status: 'Processing',
  revisionId: 'revision',
  extras: null,
  totalRecipients: 9,
  cursor: 3,
  settledBelow: 3,
  expired: false,
  held: false,
  closed: false,
  laneEpoch: '1',
  successfullySent: 2,
  failed: 0,
  unknownInGrace: 0,
  retryDue: false,
  retryWaiting: false,
  sending: false,
  graceOver: false,
};

describe('The jobs of a lane', () => {
  it('retry the recipients of a lost claim, even if the database fails in between', async () => {
    const recorded: RecipientAnswer[] = [];
    const later = [() => Promise.reject(new Error('away')), () => Promise.resolve([{ position: 1, attempt: 2 }])];
    let unfinished = [SEEN];
    const parts = {
      jobs: {
        unfinished: () => Promise.resolve(unfinished),
        raiseSettledBelow: () => Promise.resolve(),
        laterAttempts: () => later.shift()!(),
      },
      recorder: { record: (answer: RecipientAnswer) => Promise.resolve(recorded.push(answer)) },
      afterRestore: { check: () => Promise.resolve(true) },
    } as unknown as LaneParts;
    const lease = { senderId: 'sender', epoch: '1', lost: false } as Lease;
    const jobs = new LaneJobs(parts, lease);
    await jobs.refresh();

    unfinished = [{ ...SEEN, cursor: 5, sending: true }];
    await expect(jobs.refresh()).rejects.toThrow('away');
    await jobs.refresh();

    expect(recorded.map(({ position, attempt, answer }) => [position, attempt, answer.kind])).toEqual([
      [3, 1, 'held_back'],
      [4, 1, 'held_back'],
      [1, 2, 'held_back'],
    ]);
  });
});

describe('The window of first attempts', () => {
  it('ends at the cursor while nothing is open', () => {
    const window = new FirstAttemptWindow();

    expect(window.empty).toBe(true);
    expect(window.settledBelow(7)).toBe(7);
  });

  it('begins at the lowest position without a recorded answer', () => {
    const window = new FirstAttemptWindow();
    for (const position of [3, 4, 6]) window.opened(position);
    window.recorded(4);
    expect(window.settledBelow(7)).toBe(3);
    window.recorded(3);
    expect(window.settledBelow(7)).toBe(6);
    window.recorded(6);
    expect(window.settledBelow(7)).toBe(7);
    expect(window.empty).toBe(true);
  });

  it('is correct for any order of answers, over thousands of positions', () => {
    const steps = fc.array(fc.tuple(fc.nat(5), fc.nat()), { minLength: 1, maxLength: 1500 });
    fc.assert(
      fc.property(steps, (sequence) => {
        const window = new FirstAttemptWindow();
        const open: number[] = [];
        let cursor = 1;
        for (const [claims, pick] of sequence) {
          for (let n = 0; n < claims; n++) {
            window.opened(cursor);
            open.push(cursor++);
          }
          const [answered] = open.splice(pick % Math.max(1, open.length), 1);
          if (answered !== undefined) window.recorded(answered);
          expect(window.settledBelow(cursor)).toBe(open[0] ?? cursor);
          expect(window.empty).toBe(open.length === 0);
        }
      }),
      { numRuns: 30 },
    );
  });
});
