import { LaneJobs } from './lane-jobs';
import type { LaneJob } from './lane-job-store.port';
import type { LaneParts } from './lane-parts';
import type { Lease } from './lease';
import type { RecipientAnswer } from './recipient-rows';

const SEEN: LaneJob = {
  id: 'job',
  accountId: 'account',
  status: 'Processing',
  revisionId: 'revision',
  headerMedia: null,
  totalRecipients: 9,
  cursor: 3,
  settledBelow: 3,
  expired: false,
  held: false,
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
  it('give back what a lost claim took, also when the database fails in between', async () => {
    const recorded: RecipientAnswer[] = [];
    const later = [() => Promise.reject(new Error('away')), () => Promise.resolve([{ position: 1, attempt: 2 }])];
    let unfinished = [SEEN];
    const parts = {
      ownership: { unfinishedJobs: () => Promise.resolve(unfinished) },
      jobs: { raiseSettledBelow: () => Promise.resolve() },
      recipients: { laterAttempts: () => later.shift()!() },
      recorder: { record: (answer: RecipientAnswer) => Promise.resolve(recorded.push(answer)) },
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
