import type { JobProgress } from '../../client/job-events';
import { notesOn } from './job-notes';

const RUNNING: JobProgress = {
  jobId: 'j-1',
  status: 'Processing',
  totalRecipients: 10,
  successfullySent: 4,
  failed: 0,
  progressPercentage: 40,
  throttled: null,
};
const WAITING: JobProgress = {
  ...RUNNING,
  throttled: { reason: 'messaging_limit_reached', until: '2999-01-15T09:30:00.000Z' },
};

/** The notes on each progress in turn. */
function notesOnAll(...progress: JobProgress[]): string[][] {
  return progress.map(notesOn('j-1', 'Europe/Berlin'));
}

describe('The notes on a watched job', () => {
  it('say once why it waits, and until when, also if the wait is interrupted', () => {
    const waits =
      'The job waits until Tue 15 Jan 2999 10:30 Europe/Berlin: the messaging tier has no room (messaging_limit_reached)';
    expect(notesOnAll(RUNNING, WAITING, { ...WAITING, successfullySent: 5 }, RUNNING, WAITING)).toEqual([
      ...[[], [waits], [], [], []],
    ]);
  });

  it('say so for another reason, and for the first again after it', () => {
    const outage: JobProgress = { ...WAITING, throttled: { reason: 'platform_outage', until: null } };
    expect(notesOnAll(WAITING, outage, WAITING)).toEqual([
      [expect.stringContaining('messaging_limit_reached')],
      ['The job waits: the platform does not answer (platform_outage)'],
      [expect.stringContaining('messaging_limit_reached')],
    ]);
  });

  it('say that leaving is safe once only unknown outcomes remain', () => {
    const settling: JobProgress = { ...WAITING, throttled: { reason: 'unknown_outcomes', until: null } };
    expect(notesOnAll(RUNNING, settling, settling)).toEqual([
      [],
      [
        'The job waits: only outcomes that are not known yet remain (unknown_outcomes)',
        'Everything has been sent: Ctrl-C is safe, and the service still records the outcomes that arrive.',
      ],
      [],
    ]);
  });

  it('say once that it is paused, or waits for outcomes after a cancellation', () => {
    const paused: JobProgress = { ...RUNNING, status: 'Paused' };
    const cancelled: JobProgress = { ...RUNNING, status: 'Cancelled' };
    expect(notesOnAll(RUNNING, paused, paused, cancelled)).toEqual([
      ...[[], [expect.stringContaining('messaging jobs show j-1')], []],
      [expect.stringContaining('Waiting for the outcome')],
    ]);
    expect(notesOnAll(paused, { ...cancelled, progressPercentage: 100 })[1]).toEqual([]);
  });
});
