import { LaneJobs } from './lane-jobs';
import type { LaneJournal } from './lane-journal';
import type { LaneJob, LaneStore } from './lane-store.port';
import type { Lease } from './lease';
import type { Recorder, RecipientAnswer } from './recorder';

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
    const store = {
      laterAttempts: () => later.shift()!(),
      raiseSettledBelow: () => Promise.resolve(),
    } as unknown as LaneStore;
    const recorder = {
      record: (answer: RecipientAnswer) => Promise.resolve(recorded.push(answer)),
    } as unknown as Recorder;
    const lease = { senderId: 'sender', epoch: '1', lost: false } as Lease;
    const jobs = new LaneJobs(store, recorder, {} as LaneJournal, lease);
    await jobs.see([SEEN]);

    const now = { ...SEEN, cursor: 5, sending: true };
    await expect(jobs.see([now])).rejects.toThrow('away');
    await jobs.see([now]);

    expect(recorded.map(({ position, attempt, answer }) => [position, attempt, answer.kind])).toEqual([
      [3, 1, 'held_back'],
      [4, 1, 'held_back'],
      [1, 2, 'held_back'],
    ]);
  });
});
