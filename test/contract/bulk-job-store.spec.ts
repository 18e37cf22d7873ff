import type { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresBulkJobStore } from '../../src/modules/bulk-jobs/adapters/postgres-bulk-job-store';
import { PostgresJobIntakeStore } from '../../src/modules/bulk-jobs/adapters/postgres-job-intake-store';
import { type BulkJob, PAUSED_BY_CLIENT } from '../../src/modules/bulk-jobs/domain/bulk-job';
import { IntakeLostError } from '../../src/modules/bulk-jobs/domain/bulk-jobs.errors';
import type { JobDraft } from '../../src/modules/bulk-jobs/domain/job-intake-store.port';
import { RecipientChunk } from '../../src/modules/bulk-jobs/domain/recipient-chunk';
import { describeOnDatabase } from '../support/databases';

const AT_ONCE = new Date(0);
const ORIGIN = { requestId: 'request-1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
const NO_DUPLICATES = { invalidRows: 0, duplicateRows: 0 };

describeOnDatabase('The tables of bulk jobs', (open) => {
  let database: Database;
  let unitOfWork: TypeOrmUnitOfWork;
  let intake: PostgresJobIntakeStore;
  let jobs: PostgresBulkJobStore;
  let accountId: string;
  let senderId: string;
  let revisionId: string;
  const owner = uuidV7();
  const keyId = uuidV7();

  beforeAll(async () => {
    database = await open();
    unitOfWork = new TypeOrmUnitOfWork(database);
    intake = new PostgresJobIntakeStore(database);
    jobs = new PostgresBulkJobStore(database);
  });

  beforeEach(async () => {
    accountId = uuidV7();
    senderId = uuidV7();
    revisionId = uuidV7();
    const templateId = uuidV7();
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free')`, [accountId]);
    await database.execute(
      `INSERT INTO senders (id, account_id, phone_number_id, business_account_id) VALUES ($1, $2, $3, '2')`,
      [senderId, accountId, senderId],
    );
    await unitOfWork.run(async () => {
      await database.execute(
        `INSERT INTO templates (id, account_id, name, language_code, category, status, parameter_format, revision_id, business_account_id)
         VALUES ($1, $2, 'promo', 'en_US', 'Marketing', 'Approved', 'Positional', $3, '2')`,
        [templateId, accountId, revisionId],
      );
      await database.execute(`INSERT INTO template_revisions (id, template_id, components) VALUES ($1, $2, '{}')`, [
        revisionId,
        templateId,
      ]);
    });
  });

  const draft = (): JobDraft => ({
    id: uuidV7(),
    accountId,
    senderId,
    kind: 'Import',
    templateName: 'promo',
    languageCode: 'en_US',
    revisionId,
    extras: { link: 'https://example.com/a.png' },
    reference: 'spring',
    fileName: 'people.csv',
    ...{ name: null, groupId: null, audience: null, retryOf: null, retry: null, uploadHash: null, keyId, ...ORIGIN },
    ...{ validForSeconds: null, scheduledAt: null, sendWindow: null, hold: false },
  });

  function chunkOf(firstPosition: number, phones: string[], problems: Record<number, string> = {}): RecipientChunk {
    const chunk = new RecipientChunk(firstPosition, new Date());
    phones.forEach((phone, index) => {
      const code = problems[index];
      const row = { rowNumber: firstPosition + index + 1, phone, values: ['Ann "A" \\ {x}', 'ü'] };
      chunk.add(row, code ? { code, message: 'Fix it.' } : null);
    });
    return chunk;
  }

  const phones = (count: number) => Array.from({ length: count }, (_, index) => String(491510000000 + index));

  async function storeJob(count: number, change = ''): Promise<BulkJob> {
    const job = draft();
    await intake.begin(job, owner);
    await intake.append(job.id, owner, chunkOf(1, phones(count)));
    const published = await unitOfWork.run(() =>
      intake.publish(job, owner, { totalRecipients: count, ...NO_DUPLICATES }, AT_ONCE),
    );
    if (change) await database.execute(`UPDATE bulk_jobs SET ${change} WHERE id = $1`, [job.id]);
    return (await jobs.find(accountId, job.id)) ?? published;
  }

  const setRecipient = (jobId: string, position: number, change: string) =>
    database.execute(`UPDATE job_recipients SET ${change} WHERE job_id = $1 AND position = $2`, [jobId, position]);

  const rowsOf = async (jobId: string) =>
    (
      await database.rows<{ count: number }>('SELECT count(*)::int AS count FROM job_recipients WHERE job_id = $1', [
        jobId,
      ])
    )[0]!.count;
  const statusOf = async (id: string) =>
    (await database.rows<{ status: string }>('SELECT status FROM bulk_jobs WHERE id = $1', [id]))[0]?.status;

  describe('storing a job', () => {
    it('shows it only after it is published', async () => {
      const job = draft();
      await intake.begin(job, owner);
      await intake.append(job.id, owner, chunkOf(1, phones(2), { 1: 'parameter_missing' }));
      await intake.append(job.id, owner, chunkOf(3, phones(1)));
      expect(await intake.count(job.id)).toBe(3);
      expect(await jobs.find(accountId, job.id)).toBeNull();
      expect((await jobs.list(accountId, {}, { page: 1, pageSize: 20 })).totalCount).toBe(0);
      const totals = { totalRecipients: 3, invalidRows: 1, duplicateRows: 4 };
      const published = await unitOfWork.run(() => intake.publish(job, owner, totals, AT_ONCE));
      const { hold, retry, uploadHash, keyId: key, ...stored } = job;
      expect([hold, retry, uploadHash, key]).toEqual([false, null, null, keyId]);
      expect(published).toMatchObject({
        ...stored,
        ...totals,
        validUntil: null,
        status: 'Queued',
        failed: 1,
        successfullySent: 0,
        cursor: 1,
      });
      expect(await jobs.find(accountId, job.id)).toEqual(published);
      expect(await jobs.recipients(published, {}, 0, 10)).toMatchObject([
        {
          position: 1,
          rowNumber: 2,
          person: '491510000000',
          status: 'Pending',
          errorCode: null,
          attempts: 0,
          messageId: null,
        },
        { position: 2, rowNumber: 3, status: 'Failed', errorCode: 'parameter_missing', errorMessage: 'Fix it.' },
        { position: 3, rowNumber: 4, status: 'Pending', parameters: ['Ann "A" \\ {x}', 'ü'] },
      ]);
    });

    it('stays invisible if the publishing transaction is rolled back', async () => {
      const job = draft();
      await intake.begin(job, owner);
      await intake.append(job.id, owner, chunkOf(1, phones(1)));
      const publishing = unitOfWork.run(async () => {
        await intake.publish(job, owner, { totalRecipients: 1, ...NO_DUPLICATES }, AT_ONCE);
        throw new Error('the claim was lost');
      });
      await expect(publishing).rejects.toThrow('the claim was lost');
      expect(await jobs.find(accountId, job.id)).toBeNull();
      expect(await intake.abandon(job.id, owner)).toBe(true);
    });

    it('accepts data only from its owner', async () => {
      const job = draft();
      const other = uuidV7();
      await intake.begin(job, owner);
      await expect(intake.append(job.id, other, chunkOf(1, phones(1)))).rejects.toThrow(IntakeLostError);
      const publishing = unitOfWork.run(() =>
        intake.publish(job, other, { totalRecipients: 0, ...NO_DUPLICATES }, AT_ONCE),
      );
      await expect(publishing).rejects.toThrow(IntakeLostError);
      expect(await intake.abandon(job.id, other)).toBe(false);
      expect(await rowsOf(job.id)).toBe(0);
      expect(await statusOf(job.id)).toBe('Importing');
    });

    it('replaces text that JSON cannot contain in invalid rows', async () => {
      const job = draft();
      const chunk = new RecipientChunk(1, new Date());
      const row = { rowNumber: 2, phone: '12\udc00', values: ['half \ud800 and NUL \0'] };
      chunk.add(row, { code: 'phone_invalid', message: 'Fix \ud800.' });
      await intake.begin(job, owner);
      await intake.append(job.id, owner, chunk);
      const stored = await database.rows(
        'SELECT phone, parameters, problem_message FROM job_recipients WHERE job_id = $1',
        [job.id],
      );
      expect(stored).toEqual([
        { phone: '12\ufffd', parameters: ['half \ufffd and NUL \ufffd'], problem_message: 'Fix \ufffd.' },
      ]);
    });
  });

  describe('abandoning a job', () => {
    it('removes all its rows, and rejects further ones', async () => {
      const job = draft();
      await intake.begin(job, owner);
      for (const first of [1, 2001, 4001]) await intake.append(job.id, owner, chunkOf(first, phones(2000)));
      expect(await intake.abandon(job.id, owner)).toBe(true);
      await expect(intake.append(job.id, owner, chunkOf(6001, phones(1)))).rejects.toThrow(IntakeLostError);
      await intake.remove(job.id);
      expect(await rowsOf(job.id)).toBe(0);
      expect(await statusOf(job.id)).toBeUndefined();
    });

    it('never touches a published job', async () => {
      const job = await storeJob(2);
      expect(await intake.abandon(job.id, owner)).toBe(false);
      expect(await intake.takeOrphans()).toEqual([]);
      expect(await rowsOf(job.id)).toBe(2);
    });

    it('takes over jobs without a sign of life, and no others', async () => {
      const dead = draft();
      const stoppedCleaning = draft();
      const alive = draft();
      for (const job of [dead, stoppedCleaning, alive]) await intake.begin(job, owner);
      await intake.abandon(stoppedCleaning.id, owner);
      await database.execute(
        `UPDATE bulk_jobs SET import_lease_until = clock_timestamp() - interval '1 second' WHERE id = ANY ($1::uuid[])`,
        [[dead.id, stoppedCleaning.id, alive.id]],
      );
      await intake.renew(alive.id, owner);
      expect((await intake.takeOrphans()).sort()).toEqual([dead.id, stoppedCleaning.id].sort());
      expect(await intake.takeOrphans()).toEqual([]);
      await expect(intake.append(dead.id, owner, chunkOf(1, phones(1)))).rejects.toThrow(IntakeLostError);
      expect(await statusOf(alive.id)).toBe('Importing');
      await intake.abandon(alive.id, owner);
    });
  });

  describe('reading jobs', () => {
    it('shows a job only to its own account', async () => {
      const job = await storeJob(1);
      expect(await jobs.find(uuidV7(), job.id)).toBeNull();
      expect((await jobs.list(uuidV7(), {}, { page: 1, pageSize: 20 })).items).toEqual([]);
    });

    it('lists the newest first, by page and by filter', async () => {
      const first = await storeJob(1, `created_at = '2026-01-01T00:00:00Z', status = 'Completed'`);
      const second = await storeJob(1, `created_at = '2026-01-02T00:00:00Z', kind = 'Group'`);
      const third = await storeJob(1, `created_at = '2026-01-03T00:00:00Z', reference = 'autumn'`);
      const ids = async (filter: object, page = 1, pageSize = 20) => {
        const found = await jobs.list(accountId, filter, { page, pageSize });
        return { ids: found.items.map(({ id }) => id), totalCount: found.totalCount };
      };
      expect(await ids({})).toEqual({ ids: [third.id, second.id, first.id], totalCount: 3 });
      expect(await ids({}, 2, 2)).toEqual({ ids: [first.id], totalCount: 3 });
      expect(await ids({}, 2_147_483_647, 100)).toEqual({ ids: [], totalCount: 3 });
      expect(await ids({ status: 'Completed' })).toEqual({ ids: [first.id], totalCount: 1 });
      expect(await ids({ kind: 'Group' })).toEqual({ ids: [second.id], totalCount: 1 });
      expect(await ids({ reference: 'autumn' })).toEqual({ ids: [third.id], totalCount: 1 });
      expect(await ids({ reference: 'aut' })).toEqual({ ids: [], totalCount: 0 });
      const day = new Date('2026-01-02T00:00:00Z');
      expect((await ids({ createdAfter: day })).ids).toEqual([third.id, second.id]);
      expect((await ids({ createdBefore: day })).ids).toEqual([first.id]);
    });

    it('shows what delays a job: its own reason before that of its lane', async () => {
      const job = await storeJob(1);
      const throttled = async () => (await jobs.find(accountId, job.id))!.throttled;
      const soon = new Date(Date.now() + 60_000);
      expect(await throttled()).toBeNull();
      await database.execute(
        `INSERT INTO sender_lanes (sender_id, throttled_reason, throttled_until) VALUES ($1, 'pace', $2)`,
        [senderId, soon],
      );
      expect(await throttled()).toEqual({ reason: 'pace', until: soon });
      const change = (set: string) => database.execute(`UPDATE bulk_jobs SET ${set} WHERE id = $1`, [job.id]);
      await change(`throttled_reason = 'tier', throttled_until = now() + interval '1 hour'`);
      expect((await throttled())?.reason).toBe('tier');
      await change(`throttled_until = now() - interval '1 second'`);
      expect((await throttled())?.reason).toBe('pace');
      await change(`status = 'Paused'`);
      expect(await throttled()).toBeNull();
    });

    it('counts unsent recipients as failed once a job has ended', async () => {
      const job = await storeJob(5, `status = 'Cancelled', successfully_sent = 2, failed = 1, completed_at = now()`);
      expect(job).toMatchObject({ successfullySent: 2, failed: 3 });
    });

    it('counts unattempted recipients as failed once a job is cancelled, and none twice', async () => {
      const job = await storeJob(10);
      await setRecipient(job.id, 1, `outcome = 'Sent', attempt = 1`);
      await setRecipient(job.id, 2, `outcome = 'Failed', problem = 'phone_invalid'`);
      await setRecipient(job.id, 9, `outcome = 'Failed', problem = 'phone_invalid'`);
      const change = `cursor = 5, invalid_rows = 2, failed = 2, successfully_sent = 1, status = 'Cancelled'`;
      await database.execute(`UPDATE bulk_jobs SET ${change} WHERE id = $1`, [job.id]);
      // Positions 3 and 4 are in flight; 5 to 10 were never tried, one of them invalid from the start.
      expect(await jobs.find(accountId, job.id)).toMatchObject({ successfullySent: 1, failed: 7 });
    });

    it('measures the speed of a job by its latest answers', async () => {
      const job = await storeJob(4, `status = 'Processing', cursor = 4`);
      expect(await jobs.recentAnswers(job)).toEqual({ count: 0, seconds: 0 });
      await setRecipient(job.id, 1, `outcome = 'Sent', updated_at = clock_timestamp() - interval '5 minutes'`);
      await setRecipient(job.id, 2, `outcome = 'Sent', updated_at = clock_timestamp() - interval '10 seconds'`);
      await setRecipient(job.id, 3, `outcome = 'Sent', updated_at = clock_timestamp() - interval '5 seconds'`);
      const recent = await jobs.recentAnswers(job);
      expect(recent.count).toBe(2);
      expect(recent.seconds).toBeGreaterThanOrEqual(10);
      expect(recent.seconds).toBeLessThan(15);
      await setRecipient(job.id, 1, `outcome = 'Sent', updated_at = clock_timestamp() - interval '45 seconds'`);
      expect(await jobs.recentAnswers(job)).toMatchObject({ count: 2, seconds: expect.closeTo(recent.seconds, -1) });
    });
  });

  describe('reading recipients', () => {
    it('continues after a position, and finds states and codes anywhere', async () => {
      const job = await storeJob(6);
      await setRecipient(job.id, 1, `outcome = 'Sent', attempt = 1`);
      await setRecipient(
        job.id,
        2,
        `outcome = 'Failed', problem = 'recipient_unreachable', platform_code = 131026, attempt = 2`,
      );
      await setRecipient(job.id, 4, `outcome = 'Unknown', attempt = 1`);
      await setRecipient(job.id, 6, `outcome = 'Failed', problem = 'expired'`);
      const positions = async (filter: object, after = 0, limit = 10) =>
        (await jobs.recipients(job, filter, after, limit)).map(({ position }) => position);
      expect(await positions({})).toEqual([1, 2, 3, 4, 5, 6]);
      expect(await positions({}, 2, 3)).toEqual([3, 4, 5]);
      expect(await positions({ status: 'Failed' })).toEqual([2, 6]);
      expect(await positions({ status: 'Failed' }, 2)).toEqual([6]);
      expect(await positions({ status: 'Pending' })).toEqual([3, 5]);
      expect(await positions({ status: 'Unknown' })).toEqual([4]);
      expect(await positions({ errorCode: 'expired' })).toEqual([6]);
      expect(await positions({ errorCode: ['expired', 'recipient_unreachable', 'cancelled'] })).toEqual([2, 6]);
      await setRecipient(job.id, 5, `phone = '5511987654321'`);
      expect(await positions({ phone: '5511987654321' })).toEqual([5]);
      expect(await positions({ phone: '5511987654321', status: 'Failed', errorCode: 'expired' })).toEqual([]);
      const [failed] = await jobs.recipients(job, { errorCode: 'recipient_unreachable' }, 0, 1);
      expect(failed).toMatchObject({ status: 'Failed', platformCode: 131026, attempts: 2 });
      expect(failed?.messageId).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('finds a rare state after thousands of others', async () => {
      const job = draft();
      await intake.begin(job, owner);
      for (let first = 1; first < 12_000; first += 2000)
        await intake.append(job.id, owner, chunkOf(first, phones(2000)));
      const stored = await unitOfWork.run(() =>
        intake.publish(job, owner, { totalRecipients: 12_000, ...NO_DUPLICATES }, AT_ONCE),
      );
      await setRecipient(job.id, 11_990, `outcome = 'Skipped', problem = 'opted_out'`);
      const found = await jobs.recipients(stored, { status: 'Skipped' }, 0, 10);
      expect(found.map(({ position }) => position)).toEqual([11_990]);
      expect(await jobs.recipients(stored, { status: 'Skipped' }, 0, 10, 11_989)).toEqual([]);
    });

    it('reads unattempted recipients of an ended job as cancelled, unless they had failed before', async () => {
      const job = await storeJob(4, `status = 'Cancelled', cursor = 3`);
      await setRecipient(job.id, 1, `outcome = 'Sent', attempt = 1`);
      await setRecipient(job.id, 4, `outcome = 'Failed', problem = 'parameter_missing'`);
      const found = await jobs.recipients(job, {}, 0, 10);
      expect(found.map(({ status, errorCode }) => [status, errorCode])).toEqual([
        ['Sent', null],
        ['Pending', null],
        ['Cancelled', 'cancelled'],
        ['Failed', 'parameter_missing'],
      ]);
      const cancelled = { status: 'Cancelled' as const, errorCode: 'cancelled' };
      expect((await jobs.recipients(job, cancelled, 0, 10)).map(({ position }) => position)).toEqual([3]);
      expect((await jobs.recipients(job, { errorCode: 'cancelled' }, 0, 10)).map(({ position }) => position)).toEqual([
        3,
      ]);
    });
  });

  describe('changing the state', () => {
    const pause = { from: ['Queued', 'Processing'] as const, to: 'Paused' as const, keyId };
    const resume = { from: ['Paused'] as const, to: 'Resumed' as const, keyId };
    it('pauses, and resumes to the previous state', async () => {
      const job = await storeJob(1);
      expect(await jobs.change(accountId, job.id, pause)).toBe(true);
      expect(await jobs.find(accountId, job.id)).toMatchObject({
        status: 'Paused',
        pauseReason: PAUSED_BY_CLIENT,
      });
      expect(await jobs.change(accountId, job.id, resume)).toBe(true);
      expect(await jobs.find(accountId, job.id)).toMatchObject({ status: 'Queued', pauseReason: null });

      await database.execute(`UPDATE bulk_jobs SET status = 'Paused', started_at = now() WHERE id = $1`, [job.id]);
      await jobs.change(accountId, job.id, resume);
      expect((await jobs.find(accountId, job.id))?.status).toBe('Processing');
    });

    it('shows why the service paused the job, until a client resumes it', async () => {
      const paused = `status = 'Paused', pause_problem = 'template_paused', pause_reason = 'It is paused.'`;
      const job = await storeJob(1, paused);
      const pauseReason = { code: 'template_paused', message: 'It is paused.' };
      expect(await jobs.find(accountId, job.id)).toMatchObject({ pauseReason });
      await jobs.change(accountId, job.id, resume);
      expect(await jobs.find(accountId, job.id)).toMatchObject({ pauseReason: null });
    });

    it('changes nothing in another state or for another account', async () => {
      const job = await storeJob(1, `status = 'Completed'`);
      expect(await jobs.change(accountId, job.id, pause)).toBe(false);
      expect(await jobs.change(uuidV7(), job.id, { ...pause, from: ['Completed'] })).toBe(false);
      expect((await jobs.find(accountId, job.id))?.status).toBe('Completed');
    });
  });
});
