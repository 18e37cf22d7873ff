import { uuidV7 } from '../../src/kernel/uuid';
import type { RetryCheckDto } from '../../src/modules/bulk-jobs/adapters/job-retries.dto';
import { BulkJobsApi, errorsOf } from '../support/bulk-jobs-api';
import { describeOnDatabase } from '../support/databases';
import { endedJobs, phone } from '../support/ended-jobs';

describeOnDatabase('The dry run of a retry over HTTP', (open) => {
  let api: BulkJobsApi;

  beforeAll(async () => {
    api = new BulkJobsApi(await open());
    await api.start();
  });
  beforeEach(() => {
    api.bodyOfOldJobs = undefined;
    return api.newAccount();
  });
  afterAll(() => api.app.close());

  const { set, job, finishedJob, jobWithUndelivered, retry, recipients, numbersOf } = endedJobs(() => api);

  const check = (jobId: string, body: object = {}) => retry(jobId, { ...body, dryRun: true });

  it.each([
    [{}, 3, [1, 1]],
    [{ scope: 'failed' }, 3, [1, 1]],
    [{ scope: 'undelivered' }, 1, []],
    [{ scope: 'unknown' }, 1, []],
    [{ scope: 'all' }, 5, [1, 1]],
    [{ scope: 'all', errorCodes: ['media_unusable', 'expired', 'phone_invalid'] }, 2, [1]],
    [{ errorCodes: ['platform_rejected'] }, 1, []],
  ])('of %j returns the number of recipients of the later job, and creates none', async (body, count, left) => {
    const old = await jobWithUndelivered();
    const answer = (await check(old, body).expect(200)).body as RetryCheckDto;
    expect(await api.leftOvers()).toEqual({ jobs: 1, recipients: 0 });
    expect(answer.recipients).toBe(count);
    expect(answer.unreachable.map((one) => one.count)).toEqual(left);
    const { body: created } = await retry(old, body).expect(202);
    expect(created.totalRecipients).toBe(count);
    const taken = new Set(await numbersOf(created.jobId as string));
    const codes = (await recipients(old)).filter(({ phone: number }) => taken.has(number)).map((one) => one.errorCode);
    expect(answer.byErrorCode.flatMap((one) => Array<unknown>(one.count).fill(one.errorCode)).sort()).toEqual(
      codes.sort(),
    );
  });

  it('returns the codes, most frequent first, and the unreachable recipients', async () => {
    const old = await finishedJob();
    await set(old, 1, `outcome = 'Failed', problem = 'recipient_unreachable', attempt = 1, phone = ''`);
    await set(old, 2, `problem = 'platform_rejected'`);
    api.peopleBeingErased = new Set([phone(8)]);
    const { body } = await check(old, { scope: 'all' }).expect(200);
    api.peopleBeingErased = new Set();
    expect(body).toEqual({
      recipients: 3,
      byErrorCode: [
        { errorCode: 'platform_rejected', count: 2 },
        { errorCode: 'outcome_unknown', count: 1 },
      ],
      unreachable: [
        { errorCode: 'recipient_erased', count: 2 },
        { errorCode: 'opted_out', count: 1 },
        { errorCode: 'phone_invalid', count: 1 },
      ],
      warnings: [],
    });
  });

  it('counts recipients never tried by a cancelled job, but not those in flight', async () => {
    const jobId = await job(5, `status = 'Cancelled', cursor = 4`);
    await set(jobId, 1, `outcome = 'Unknown', attempt = 1, unknown_since = now()`);
    await set(jobId, 2, `retry_at = now(), attempt = 1`);
    expect((await check(jobId, { scope: 'all' }).expect(200)).body).toEqual({
      recipients: 3,
      byErrorCode: [{ errorCode: 'cancelled', count: 3 }],
      unreachable: [],
      warnings: [],
    });
    expect((await retry(jobId, { scope: 'all' }).expect(202)).body.totalRecipients).toBe(3);
  });

  it('handles jobs larger than any chunk', async () => {
    const old = await job(1300, `status = 'Completed', cursor = 1301, completed_at = now(), failed = 1300`);
    await api.database.execute(
      `UPDATE job_recipients SET outcome = 'Failed', attempt = 1, problem = 'expired' WHERE job_id = $1`,
      [old],
    );
    const byErrorCode = [{ errorCode: 'expired', count: 1300 }];
    expect((await check(old).expect(200)).body).toEqual({
      recipients: 1300,
      byErrorCode,
      unreachable: [],
      warnings: [],
    });
  });

  it('without recipients is not an error', async () => {
    const old = await finishedJob();
    expect((await check(old, { errorCodes: ['phone_invalid'] }).expect(200)).body).toEqual({
      recipients: 0,
      byErrorCode: [],
      unreachable: [{ errorCode: 'phone_invalid', count: 1 }],
      warnings: [],
    });
  });

  it('is rejected like the retry', async () => {
    const running = await finishedJob(`status = 'Processing', cursor = 9`);
    expect((await check(running).expect(409)).body).toMatchObject({
      code: 'invalid_job_state',
      currentStatus: 'Processing',
    });
    const expired = await finishedJob(`status = 'Completed', completed_at = now(), recipients_expired_at = now()`);
    expect((await check(expired).expect(409)).body.code).toBe('recipients_expired');
    expect((await check(uuidV7()).expect(404)).body.code).toBe('job_not_found');
    const old = await finishedJob();
    expect(errorsOf((await retry(old, { dryRun: 'true' }).expect(400)).body)).toEqual([['dryRun', 'wrong_type']]);
    expect(errorsOf((await retry(old, { dryRun: null }).expect(400)).body)).toEqual([['dryRun', 'required']]);
    api.bodyOfOldJobs = 'Hi {{1}}';
    expect((await check(old).expect(422)).body.code).toBe('parameter_mismatch');
    await api.newAccount();
    expect((await check(old).expect(404)).body.code).toBe('job_not_found');
  });

  it('in the query is rejected instead of sending', async () => {
    const { body } = await api.post(`/bulk-jobs/${await finishedJob()}/retry?dryRun=true`, {}).expect(400);
    expect(errorsOf(body)).toEqual([['dryRun', 'unknown_field']]);
    expect(await api.leftOvers()).toMatchObject({ jobs: 1 });
  });

  it('frees its Idempotency-Key', async () => {
    const old = await finishedJob();
    const key = { 'Idempotency-Key': 'retry-3' };
    await retry(old, { dryRun: true }, key).expect(200);
    await retry(old, {}, key).expect(202);
  });
});
