import type { MessageStatus } from '../../messages/domain/message';
import type { StatusChange } from '../../messages/domain/status-update';
import { deltasOf } from './status-counts.service';

const change = (before: MessageStatus, after: MessageStatus, jobId: string | null = 'job'): StatusChange => ({
  messageId: 'message',
  accountId: 'account',
  jobId,
  before,
  after,
  problem: null,
  scope: null,
  at: new Date(),
});

describe('What statuses add to the counters of a job', () => {
  it.each<[MessageStatus, MessageStatus, number, number, number]>([
    ['Sent', 'Delivered', 1, 0, 0],
    ['Delivered', 'Read', 0, 1, 0],
    ['Sent', 'Read', 1, 1, 0],
    ['Sent', 'Undelivered', 0, 0, 1],
    ['Undelivered', 'Delivered', 1, 0, -1],
    ['Undelivered', 'Read', 1, 1, -1],
  ])('is right for %s to %s', (before, after, delivered, read, undelivered) => {
    expect(deltasOf([change(before, after)])).toEqual([{ jobId: 'job', delivered, read, undelivered }]);
  });

  it('is one sum for each job, and nothing for single sends', () => {
    const changes = [
      change('Sent', 'Delivered'),
      change('Sent', 'Read'),
      change('Sent', 'Undelivered', 'other'),
      change('Sent', 'Read', null),
    ];

    expect(deltasOf(changes)).toEqual([
      { jobId: 'job', delivered: 2, read: 1, undelivered: 0 },
      { jobId: 'other', delivered: 0, read: 0, undelivered: 1 },
    ]);
  });

  it('is nothing where changes take each other back', () => {
    expect(deltasOf([change('Sent', 'Undelivered'), change('Undelivered', 'Sent')])).toEqual([]);
  });
});
