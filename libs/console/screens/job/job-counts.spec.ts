import { countsOf, isWithoutSuccess, notReached } from './job-counts';

const JOB = { jobId: 'job', status: 'Completed', totalRecipients: 40, successfullySent: 30, failed: 10 } as const;
const ALL_FAILED = { notSent: 0, unconfirmed: 0 };

describe('The counts of a job', () => {
  it('count each recipient once: failed are neither invalid, opted out, unconfirmed nor not attempted', () => {
    const job = { ...JOB, invalidRows: 3, skipped: 2, unknown: 1 };
    expect(countsOf(job, { notSent: 0, unconfirmed: 1 })).toEqual({
      ...{ valid: 37, invalid: 3, sent: 30, failed: 4, optedOut: 2, unconfirmed: 1, notSent: 0, processed: 37 },
    });
    expect(countsOf(job, { notSent: 4, unconfirmed: 1 })).toMatchObject({ failed: 0, notSent: 4, processed: 33 });
  });

  it('have nothing processed before the job begins, though its invalid rows have failed', () => {
    const job = { ...JOB, status: 'Scheduled', successfullySent: 0, failed: 3, invalidRows: 3 } as const;
    expect(countsOf(job, ALL_FAILED)).toMatchObject({ valid: 37, failed: 0, processed: 0 });
  });

  it('are complete without the figures that lists leave out if they are 0', () => {
    expect(countsOf(JOB, ALL_FAILED)).toMatchObject({ valid: 40, invalid: 0, failed: 10, optedOut: 0 });
  });

  it('never show a negative number while figures are of different moments', () => {
    expect(countsOf(JOB, { notSent: 12, unconfirmed: 0 }).failed).toBe(0);
  });

  it('include everyone without the message in those not reached', () => {
    expect(notReached({ ...JOB, invalidRows: 3, skipped: 2, undelivered: 5 })).toBe(15);
  });

  it('are without success if nobody got the message, unless only because of invalid rows and opt-outs', () => {
    const job = { ...JOB, successfullySent: 0, failed: 40 };
    expect(isWithoutSuccess(job)).toBe(true);
    expect(isWithoutSuccess({ ...job, status: 'Processing' })).toBe(false);
    expect(isWithoutSuccess({ ...job, invalidRows: 10, skipped: 30 })).toBe(false);
    expect(isWithoutSuccess({ ...job, successfullySent: 40, failed: 0, undelivered: 40 })).toBe(true);
    expect(isWithoutSuccess(JOB)).toBe(false);
  });
});
