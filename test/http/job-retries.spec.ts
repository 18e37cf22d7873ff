import { uuidV7 } from '../../src/kernel/uuid';
import { BulkJobStore } from '../../src/modules/bulk-jobs/domain/bulk-job-store.port';
import { BulkJobsApi, errorsOf } from '../support/bulk-jobs-api';
import { describeOnDatabase } from '../support/databases';
import { endedJobs, phone } from '../support/ended-jobs';

describeOnDatabase('A retry over HTTP', (open) => {
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

  it('is rejected once the recipients of the old job have been deleted, also if that happens meanwhile', async () => {
    const expire = (jobId: string) =>
      api.database.execute(`UPDATE bulk_jobs SET recipients_expired_at = now() WHERE id = $1`, [jobId]);
    const old = await finishedJob();
    const store = api.app.get(BulkJobStore);
    const unsent = store.unsent.bind(store);
    jest.spyOn(store, 'unsent').mockImplementationOnce(async (...asked) => {
      const found = await unsent(...asked);
      await expire(old);
      return found;
    });
    for (let time = 1; time <= 2; time++) {
      expect((await retry(old).expect(409)).body.code).toBe('recipients_expired');
    }
    expect(await api.leftOvers()).toMatchObject({ jobs: 1, recipients: 0 });
  });

  it('is a new job with the values of failed recipients, and leaves the old one unchanged', async () => {
    const old = await finishedJob();
    const before = (await api.get(`/bulk-jobs/${old}`).expect(200)).body;
    const oldRecipients = await recipients(old);
    expect(before).toMatchObject({ retryOf: null, allowedActions: ['retry'] });
    const { body, headers } = await retry(old).expect(202);
    expect(body).toEqual({
      jobId: expect.any(String) as string,
      retryOf: old,
      status: 'Queued',
      totalRecipients: 3,
      invalidRows: 0,
      duplicateRows: 0,
      statusUrl: `/api/v1/messaging/bulk-jobs/${body.jobId as string}/status`,
      createdAt: expect.any(String) as string,
      warnings: ['1 recipient was left out: they have opted out.', '1 recipient was left out: they are invalid.'],
    });
    expect(headers.location).toBe(body.statusUrl);
    expect(await recipients(body.jobId as string)).toMatchObject([
      {
        rowNumber: 3,
        phone: phone(2),
        parameters: ['Ann 2', 'A "2"'],
        status: 'Pending',
        attempts: 0,
        errorCode: null,
      },
      { rowNumber: 4, phone: phone(3), parameters: ['Ann 3', 'A "3"'], status: 'Pending' },
      { rowNumber: 9, phone: phone(8), parameters: ['Ann 8', 'A "8"'], status: 'Pending' },
    ]);
    expect((await api.get(`/bulk-jobs/${body.jobId as string}`).expect(200)).body).toMatchObject({
      retryOf: old,
      kind: 'Import',
      fileName: 'peöple.csv',
      reference: 'spring',
      templateName: 'promo',
      failed: 0,
    });
    expect((await api.get(`/bulk-jobs/${old}`).expect(200)).body).toEqual(before);
    expect(await recipients(old)).toEqual(oldRecipients);
  });

  it('fails recipients whose values do not fit the current template', async () => {
    const old = await finishedJob();
    await set(old, 3, `parameters = jsonb_build_array('Ann 3', repeat('x', 1010))`);
    const { body } = await retry(old).expect(202);
    expect(body).toMatchObject({ totalRecipients: 3, invalidRows: 1 });
    expect(await recipients(body.jobId as string)).toMatchObject([
      { phone: phone(2), status: 'Pending' },
      { phone: phone(3), status: 'Failed', errorCode: 'text_too_long' },
      { phone: phone(8), status: 'Pending' },
    ]);
  });

  it('excludes people being erased, although the old job still has them', async () => {
    const old = await finishedJob();
    api.peopleBeingErased = new Set([phone(3)]);
    const { body } = await retry(old).expect(202);
    api.peopleBeingErased = new Set();
    expect(await numbersOf(body.jobId as string)).toEqual([phone(2), phone(8)]);
    expect(body.warnings).toContain('1 recipient was left out: they have been erased.');
  });

  it.each([
    ['those with an unknown outcome', { scope: 'unknown' }, [4]],
    ['both', { scope: 'all', errorCodes: [] }, [2, 3, 4, 8]],
    ['those with a code', { scope: 'failed', errorCodes: ['expired', 'platform_rejected'] }, [3, 8]],
    ['those of a scope with a code', { scope: 'all', errorCodes: ['outcome_unknown'] }, [4]],
  ])('takes %s', async (_, body, positions) => {
    const { body: created } = await retry(await finishedJob(), body).expect(202);
    expect(await numbersOf(created.jobId as string)).toEqual(positions.map(phone));
  });

  it.each([
    ['undelivered', {}, [1]],
    ['undelivered', { errorCodes: ['media_unusable'] }, [1]],
    ['failed', {}, [2, 3, 8]],
    ['all', {}, [1, 2, 3, 4, 8]],
  ])('reports undelivered recipients with scope "%s"', async (scope, codes, positions) => {
    const { body: created } = await retry(await jobWithUndelivered(), { scope, ...codes }).expect(202);
    expect(await numbersOf(created.jobId as string)).toEqual(positions.map(phone));
  });

  it('is allowed if no recipient failed but one is undelivered', async () => {
    const old = await jobWithUndelivered();
    await api.database.execute(
      `UPDATE bulk_jobs SET total_recipients = 1, successfully_sent = 1, failed = 0, skipped = 0, invalid_rows = 0 WHERE id = $1`,
      [old],
    );
    expect((await api.get(`/bulk-jobs/${old}`).expect(200)).body.allowedActions).toEqual(['retry']);
    const listed = await api.get(`/bulk-jobs/${old}/recipients?status=Undelivered`).expect(200);
    expect(listed.body.items).toMatchObject([{ phone: phone(1), errorCode: 'media_unusable' }]);
    const failed = await api.get(`/bulk-jobs/${old}/recipients?status=Failed&limit=1`).expect(200);
    expect(failed.body.items).toEqual([]);
  });

  it('includes recipients never tried by a cancelled job, but not those with an outcome that may still be settled', async () => {
    const jobId = await job(6, `status = 'Cancelled', cursor = 5, invalid_rows = 1, failed = 1, unknown_in_grace = 1`);
    await set(jobId, 1, `outcome = 'Sent', attempt = 1`);
    await set(jobId, 2, `outcome = 'Unknown', attempt = 1, unknown_since = now()`);
    await set(jobId, 3, `retry_at = now(), attempt = 1`);
    await set(jobId, 6, `outcome = 'Failed', problem = 'phone_invalid'`);
    const { body } = await retry(jobId, { scope: 'all' }).expect(202);
    // Position 4 is in flight.
    expect(await numbersOf(body.jobId as string)).toEqual([3, 5].map(phone));
    expect((body.warnings as string[]).sort()).toEqual([
      '1 recipient was left out: they are invalid.',
      '2 recipients were left out: they are in flight or their outcome may still be settled.',
    ]);
    const { body: cancelled } = await retry(jobId, { errorCodes: ['cancelled'] }).expect(202);
    expect(await numbersOf(cancelled.jobId as string)).toEqual([3, 5].map(phone));
  });

  it('reaches the failed recipients of a job that waits only for unknown outcomes, and excludes those', async () => {
    const waiting = `status = 'Processing', started_at = now(), cursor = 5, unknown = 1, unknown_in_grace = 1`;
    const jobId = await job(4, `${waiting}, successfully_sent = 1, failed = 2`);
    await set(jobId, 1, `outcome = 'Sent', attempt = 1`);
    await set(jobId, 2, `outcome = 'Failed', problem = 'recipient_unreachable', attempt = 1`);
    await set(jobId, 3, `outcome = 'Failed', problem = 'platform_rejected', attempt = 1`);
    await set(jobId, 4, `outcome = 'Unknown', attempt = 1, unknown_since = now()`);
    expect((await api.get(`/bulk-jobs/${jobId}`).expect(200)).body.allowedActions).toEqual([
      'pause',
      'cancel',
      'retry',
    ]);
    expect((await retry(jobId, { scope: 'all', dryRun: true }).expect(200)).body.recipients).toBe(2);
    const { body } = await retry(jobId, { scope: 'all' }).expect(202);
    expect(await numbersOf(body.jobId as string)).toEqual([2, 3].map(phone));
    expect(body.warnings).toEqual([
      '1 recipient was left out: they are in flight or their outcome may still be settled.',
    ]);
    expect((await api.get(`/bulk-jobs/${jobId}`).expect(200)).body).toMatchObject({ status: 'Processing', failed: 2 });
    await api.database.execute(`UPDATE bulk_jobs SET failed = 1 WHERE id = $1`, [jobId]);
    await retry(jobId).expect(409);
  });

  it('can itself be retried', async () => {
    const { body: first } = await retry(await finishedJob()).expect(202);
    await api.database.execute(`UPDATE bulk_jobs SET status = 'Cancelled', completed_at = now() WHERE id = $1`, [
      first.jobId,
    ]);
    const { body: second } = await retry(first.jobId as string).expect(202);
    expect(second).toMatchObject({ retryOf: first.jobId, totalRecipients: 3 });
    const { body: retries } = await api.get(`/bulk-jobs?retryOf=${first.retryOf as string}`).expect(200);
    expect(retries).toMatchObject({ totalCount: 1, items: [{ jobId: first.jobId }] });
    await api.get('/bulk-jobs?retryOf=first').expect(400);
  });

  it('has the validity of the job, counted from its own start', async () => {
    const old = await finishedJob(
      `status = 'Completed', completed_at = now(), cursor = 9, valid_until = created_at + interval '1 hour'`,
    );
    const { body } = await retry(old).expect(202);
    const { body: detail } = await api.get(`/bulk-jobs/${body.jobId as string}`).expect(200);
    expect(Date.parse(detail.validUntil as string) - Date.parse(detail.createdAt as string)).toBe(3_600_000);
  });

  it('handles jobs larger than any chunk', async () => {
    const old = await job(
      1300,
      `status = 'Completed', cursor = 1301, completed_at = now(), failed = 1297, successfully_sent = 3`,
    );
    await api.database.execute(
      `UPDATE job_recipients SET outcome = CASE WHEN position IN (1, 600, 1300) THEN 'Sent' ELSE 'Failed' END, attempt = 1,
         problem = CASE WHEN position NOT IN (1, 600, 1300) THEN 'platform_rejected' END WHERE job_id = $1`,
      [old],
    );
    const { body } = await retry(old).expect(202);
    expect(body).toMatchObject({ totalRecipients: 1297, warnings: [] });
    const [stored] = await api.database.rows<object>(
      `SELECT count(*)::int AS count, min(position) AS first, max(position) AS last, count(DISTINCT phone)::int AS phones,
         min(row_number) AS first_row, max(row_number) AS last_row, count(DISTINCT message_id)::int AS messages
       FROM job_recipients WHERE job_id = $1`,
      [body.jobId],
    );
    expect(stored).toEqual({
      count: 1297,
      first: 1,
      last: 1297,
      phones: 1297,
      first_row: 3,
      last_row: 1300,
      messages: 1297,
    });
  });

  it.each(['Queued', 'Processing', 'Paused'])('is rejected while the job is %s', async (status) => {
    const { body } = await retry(await finishedJob(`status = '${status}', cursor = 9`)).expect(409);
    expect(body).toMatchObject({ code: 'invalid_job_state', currentStatus: status });
    expect(body.allowedActions).not.toContain('retry');
  });

  it('is rejected if no recipient is left to retry, and creates nothing', async () => {
    const old = await finishedJob();
    const { body } = await retry(old, { errorCodes: ['message_erased'] }).expect(422);
    expect(body.code).toBe('nothing_to_retry');
    const unreachable = await retry(old, { errorCodes: ['phone_invalid', 'opted_out'] }).expect(422);
    expect(unreachable.body).toMatchObject({
      code: 'nothing_to_retry',
      message: expect.stringMatching(/opted out.*invalid/) as string,
    });
    expect((await api.get('/bulk-jobs').expect(200)).body.totalCount).toBe(1);
    expect(await api.leftOvers()).toEqual({ jobs: 1, recipients: 0 });
  });

  it('is rejected if the template now takes another number of values', async () => {
    api.bodyOfOldJobs = 'Hi {{1}}';
    const { body } = await retry(await finishedJob()).expect(422);
    expect(body).toMatchObject({ code: 'parameter_mismatch', expected: 2, actual: 1 });
  });

  it("is rejected for another account's job, and for an unknown one", async () => {
    const old = await finishedJob();
    await api.newAccount();
    for (const id of [old, uuidV7(), 'x']) expect((await retry(id).expect(404)).body.code).toBe('job_not_found');
  });

  it.each([
    [{ scope: 'sent' }, [['scope', 'not_allowed']]],
    [{ errorCodes: 'expired' }, [['errorCodes', 'wrong_type']]],
    [{ errorCodes: ['expired', 'no_such_code'] }, [['errorCodes', 'not_allowed']]],
    [{ errorCodes: [null] }, [['errorCodes', 'not_allowed']]],
    [{ colour: 'red' }, [['colour', 'unknown_field']]],
  ])('is rejected with the body %j', async (body, errors) => {
    const { body: refusal } = await retry(await finishedJob(), body).expect(400);
    expect(errorsOf(refusal)).toEqual(errors);
  });

  it('with an Idempotency-Key creates one job for any number of requests', async () => {
    const old = await finishedJob();
    const key = { 'Idempotency-Key': 'retry-1' };
    const first = await retry(old, { scope: 'failed' }, key).expect(202);
    const again = await retry(old, {}, key).expect(202);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const inCapitals = await retry(old.toUpperCase(), {}, key).expect(202);
    expect(inCapitals.body).toEqual(first.body);
    expect((await retry(old, { scope: 'all' }, key).expect(422)).body.code).toBe('idempotency_mismatch');
    expect((await api.get('/bulk-jobs').expect(200)).body.totalCount).toBe(2);
  });

  it('with an Idempotency-Key creates one job for concurrent requests', async () => {
    const old = await finishedJob();
    const key = { 'Idempotency-Key': 'retry-at-once' };
    const answers = await Promise.all([retry(old, {}, key), retry(old, {}, key), retry(old, {}, key)]);
    for (const { status, body } of answers.filter((answer) => answer.status !== 202)) {
      expect([status, body.code]).toEqual([409, 'idempotency_in_progress']);
    }
    const made = answers.filter(({ status }) => status === 202).map(({ body }) => (body as { jobId: string }).jobId);
    expect(new Set(made).size).toBe(1);
    expect((await api.get('/bulk-jobs').expect(200)).body.totalCount).toBe(2);
  });

  it('frees its Idempotency-Key if nothing was created', async () => {
    const old = await finishedJob();
    const key = { 'Idempotency-Key': 'retry-2' };
    await retry(old, { errorCodes: ['message_erased'] }, key).expect(422);
    await retry(old, {}, key).expect(202);
  });

  it('needs no body', async () => {
    const { body } = await api.post(`/bulk-jobs/${await finishedJob()}/retry`).expect(202);
    expect(body.totalRecipients).toBe(3);
  });
});
