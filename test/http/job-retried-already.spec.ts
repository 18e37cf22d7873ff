import { BulkJobsApi } from '../support/bulk-jobs-api';
import { describeOnDatabase } from '../support/databases';
import { endedJobs } from '../support/ended-jobs';

describeOnDatabase('A retry of recipients that another job already retries', (open) => {
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

  const { set, finishedJob, retry, numbersOf } = endedJobs(() => api);
  const already = (jobId: unknown) => expect.stringMatching(`^already_retried: job ${String(jobId)} `) as string;
  const warningsOf = async (old: string, body: object) =>
    ((await retry(old, body).expect(202)).body as { warnings: string[] }).warnings;
  const ofCheck = async (old: string, body: object) =>
    ((await retry(old, { ...body, dryRun: true }).expect(200)).body as { warnings: string[] }).warnings;
  const setJob = (jobId: string, change: string) =>
    api.database.execute(`UPDATE bulk_jobs SET ${change} WHERE id = $1`, [jobId]);

  it('warns with the id of the other job, in the dry run, too', async () => {
    const old = await finishedJob();
    expect(await ofCheck(old, {})).toEqual([]);
    const { body: first } = await retry(old, {}, { 'Idempotency-Key': 'first' }).expect(202);
    expect(first.warnings).not.toContainEqual(expect.stringMatching('already_retried'));
    expect(await ofCheck(old, { scope: 'all' })).toEqual([already(first.jobId)]);
    const { body: second } = await retry(old, {}, { 'Idempotency-Key': 'second' }).expect(202);
    expect(second.warnings).toContainEqual(already(first.jobId));
  });

  it('has no warning for other recipients', async () => {
    const old = await finishedJob();
    await retry(old, { errorCodes: ['expired'] }).expect(202);
    for (const other of [{ scope: 'unknown' }, { errorCodes: ['platform_rejected'] }]) {
      expect(await ofCheck(old, other)).toEqual([]);
      expect(await warningsOf(old, other)).not.toContainEqual(expect.stringMatching('already_retried'));
    }
  });

  it('has no warning for a selection without recipients', async () => {
    const old = await finishedJob();
    await retry(old).expect(202);
    expect(await ofCheck(old, { errorCodes: ['phone_invalid'] })).toEqual([]);
  });

  it('warns of a finished retry only if it has sent messages', async () => {
    const old = await finishedJob();
    const { body: first } = await retry(old).expect(202);
    await setJob(first.jobId as string, `status = 'Cancelled', completed_at = now()`);
    expect(await ofCheck(old, {})).toEqual([]);
    await setJob(first.jobId as string, `successfully_sent = 1`);
    expect(await ofCheck(old, {})).toEqual([already(first.jobId)]);
  });

  const check = (old: string, body: object) => retry(old, { ...body, dryRun: true }).expect(200);

  it('leaves out on request whom another retry reached or may still reach, and then has no warning of it', async () => {
    const old = await finishedJob();
    const { body: first } = await retry(old).expect(202);
    const numbers = await numbersOf(first.jobId as string);
    const without = { skipRetried: true };
    // Nobody was tried yet.
    expect((await check(old, without)).body).toMatchObject({ recipients: 0, leftOut: numbers.length, warnings: [] });
    expect((await retry(old, without).expect(422)).body).toMatchObject({
      code: 'nothing_to_retry',
      message: expect.stringContaining('3 recipients were left out: they were reached by an earlier retry'),
    });
    await set(first.jobId as string, 1, `outcome = 'Sent', attempt = 1`);
    await set(first.jobId as string, 2, `outcome = 'Failed', problem = 'expired', attempt = 1`);
    await set(first.jobId as string, 3, `outcome = 'Unknown', problem = 'outcome_unknown', attempt = 1`);
    await setJob(
      first.jobId as string,
      `status = 'Completed', cursor = 4, successfully_sent = 1, completed_at = now()`,
    );
    expect((await check(old, without)).body).toMatchObject({ recipients: 1, leftOut: 2, warnings: [] });
    const { body: second } = await retry(old, without).expect(202);
    expect(await numbersOf(second.jobId as string)).toEqual([numbers[1]]);
    expect(second.warnings).not.toContainEqual(expect.stringMatching('already_retried'));
    expect((await check(old, {})).body).toMatchObject({ recipients: 3, warnings: [already(second.jobId)] });
    expect((await check(old, {})).body).not.toHaveProperty('leftOut');
  });

  it('leaves out whom other retries of the same job reached, also from a retry of one of them', async () => {
    const old = await finishedJob();
    const [first, second] = [await retry(old).expect(202), await retry(old).expect(202)];
    const [firstId, secondId] = [first.body.jobId as string, second.body.jobId as string];
    for (const position of [1, 2, 3])
      await set(firstId, position, `outcome = 'Failed', problem = 'expired', attempt = 1`);
    await set(secondId, 2, `outcome = 'Sent', attempt = 1`);
    const ended = `status = 'Completed', cursor = 4, completed_at = now()`;
    await setJob(firstId, ended);
    expect((await check(firstId, { skipRetried: true })).body).toMatchObject({ recipients: 0, leftOut: 3 });
    for (const position of [1, 3])
      await set(secondId, position, `outcome = 'Failed', problem = 'expired', attempt = 1`);
    await setJob(secondId, `${ended}, successfully_sent = 1`);
    expect((await check(firstId, { skipRetried: true })).body).toMatchObject({ recipients: 2, leftOut: 1 });
    expect((await check(secondId, { skipRetried: true })).body).toMatchObject({ recipients: 2, leftOut: 0 });
  });

  it('creates one of several concurrent retries that leave each other out', async () => {
    const old = await finishedJob();
    const answers = await Promise.all(Array.from({ length: 4 }, () => retry(old, { skipRetried: true })));
    const created = answers.filter(({ status }) => status === 202);
    const refused = answers
      .filter(({ status }) => status !== 202)
      .map(({ body }) => body as { code: string; jobId?: string });
    expect([created.length, refused.length]).toEqual([1, 3]);
    for (const { code, jobId } of refused) {
      expect(['already_retried', 'nothing_to_retry']).toContain(code);
      if (code === 'already_retried') expect(jobId).toBe((created[0]!.body as { jobId: string }).jobId);
    }
  });

  it('warns in all but the first of several concurrent retries', async () => {
    const old = await finishedJob();
    const keys = Array.from({ length: 5 }, (_, n) => ({ 'Idempotency-Key': `same-moment-${n}` }));
    const answers = await Promise.all(keys.map((key) => retry(old, {}, key).expect(202)));
    const warned = answers.filter(({ body }) =>
      (body as { warnings: string[] }).warnings.some((warning) => warning.startsWith('already_retried')),
    );
    expect(warned).toHaveLength(4);
  });
});
