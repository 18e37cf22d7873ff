import { countsOf, outcomeText, resultText } from './job-counts';
import { isWithoutSuccess, notReached } from './job-outcome';

const JOB = { jobId: 'job', status: 'Completed', totalRecipients: 40, successfullySent: 30, failed: 10 } as const;
const ALL_FAILED = { notSent: 0, unconfirmed: 0 };

describe('The counts of a job', () => {
  it('count each recipient once: failed are neither invalid, opted out, unconfirmed nor not attempted', () => {
    const job = { ...JOB, invalidRows: 3, skipped: 2, unknown: 1 };
    expect(countsOf(job, { notSent: 0, unconfirmed: 1 })).toEqual({
      ...{
        valid: 37,
        invalid: 3,
        confirmed: 35,
        sent: 30,
        failed: 4,
        optedOut: 2,
        unconfirmed: 1,
        unsettled: 0,
        notSent: 0,
        unsorted: 0,
        waiting: 0,
        processed: 37,
      },
    });
    expect(countsOf(job, { notSent: 4, unconfirmed: 1 })).toMatchObject({ failed: 0, notSent: 4, processed: 33 });
  });

  it('in words name who got nothing apart from whom it was sent to', () => {
    const job = { ...JOB, skipped: 3, successfullySent: 35, failed: 5, unknown: 1 };
    expect(outcomeText(countsOf(job, { notSent: 0, unconfirmed: 1 }))).toBe(
      '35 of 40 sent, 1 failed, 3 opted out, 1 unconfirmed',
    );
    expect(outcomeText(countsOf({ ...JOB, successfullySent: 40, failed: 0 }, ALL_FAILED))).toBe('40 of 40 sent');
  });

  it('say first how many of the sent messages were delivered', () => {
    const job = { ...JOB, totalRecipients: 35, successfullySent: 27, failed: 8, undelivered: 1, delivered: 26 };
    expect(resultText(job)).toBe('26 of 27 sent messages delivered');
    expect(resultText({ ...job, successfullySent: 1, delivered: 1 })).toBe('1 of 1 sent message delivered');
  });

  it('in words add up to the valid recipients, with those not sent yet, before, during and after sending', () => {
    const job = { ...JOB, totalRecipients: 11, invalidRows: 1, skipped: 1, successfullySent: 7, failed: 4 };
    expect(outcomeText(countsOf(job, ALL_FAILED))).toBe('7 of 10 sent, 2 failed, 1 opted out');
    const during = { ...job, status: 'Processing', failed: 3 } as const;
    expect(outcomeText(countsOf(during, ALL_FAILED))).toBe('7 of 10 sent, 1 failed, 1 opted out, 1 not sent yet');
    expect(outcomeText(countsOf({ ...during, unknown: 1 }, ALL_FAILED))).toBe(
      '7 of 10 sent, 1 failed, 1 opted out, 1 unconfirmed',
    );
    const before = { ...job, status: 'Scheduled', skipped: 0, successfullySent: 0, failed: 1 } as const;
    expect(outcomeText(countsOf(before, ALL_FAILED))).toBe('0 of 10 sent');
    expect(outcomeText(countsOf({ ...job, status: 'Cancelled' }, { notSent: 2, unconfirmed: 0 }))).toBe(
      '7 of 10 sent, 1 opted out, 2 not sent',
    );
  });

  it('of a job that ended early are neither failed nor not sent until it is known which', () => {
    const job = { ...JOB, status: 'Cancelled', invalidRows: 1, skipped: 1 } as const;
    const counts = countsOf(job, { notSent: null, unconfirmed: 0 });
    expect(counts).toMatchObject({ failed: 0, notSent: 0, unsorted: 8, processed: 31 });
    expect(outcomeText(counts)).toBe('30 of 39 sent, 1 opted out');
  });

  it('take the rate of sent messages of those who have not opted out', () => {
    const job = { ...JOB, totalRecipients: 11, invalidRows: 1, skipped: 1, successfullySent: 8, failed: 3 };
    expect(countsOf(job, ALL_FAILED)).toMatchObject({ valid: 10, confirmed: 9 });
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
