import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresJobFailureStore } from '../../src/modules/bulk-jobs/adapters/postgres-job-failure-store';
import { BulkJobsService } from '../../src/modules/bulk-jobs/domain/bulk-jobs.service';
import { largestFirst } from '../../src/modules/bulk-jobs/domain/job-failures';
import { BulkJobsApi } from '../support/bulk-jobs-api';
import { describeOnDatabase } from '../support/databases';

describeOnDatabase('The failures of a job', (open) => {
  let api: BulkJobsApi;
  let database: Database;

  beforeAll(async () => {
    database = await open();
    api = new BulkJobsApi(database);
    await api.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.app.close());

  /** A job of `rows` valid rows, from row 1 of the file, of which the first `tried` were sent. */
  async function newJob(rows: number, tried: number, change = ''): Promise<string> {
    const file = Array.from({ length: rows }, (_, n) => `+49151${String(10_000_000 + n)},Ann,1`).join('\n');
    const { body } = await api.upload(file, { hasHeader: 'false' }).expect(202);
    await database.execute(
      `UPDATE job_recipients SET outcome = 'Sent', attempt = 1 WHERE job_id = $1 AND position <= $2`,
      [body.jobId, tried],
    );
    await database.execute(
      `UPDATE bulk_jobs SET status = 'Processing', started_at = now(), cursor = $2 + 1, settled_below = $2 + 1 ${change}
       WHERE id = $1`,
      [body.jobId, tried],
    );
    return body.jobId as string;
  }

  const fail = (
    jobId: string,
    from: number,
    to: number,
    problem: string,
    platformCode: number | null,
    outcome: string,
  ) =>
    database.execute(
      `UPDATE job_recipients SET outcome = $6, problem = $4, platform_code = $5, problem_message = $4 || ' at ' || position
       WHERE job_id = $1 AND position BETWEEN $2 AND $3`,
      [jobId, from, to, problem, platformCode, outcome],
    );

  const undeliver = (jobId: string, from: number, to: number, problem: string, platformCode: number) =>
    database.execute(
      `INSERT INTO messages (id, account_id, conversation_id, direction, type, status, problem, problem_message, platform_code,
         job_id, row_number, created_at, sent_at, failed_at)
       SELECT message_id, $6, $7, 'Outbound', 'Template', 'Undelivered', $4, $4 || ' later', $5, job_id, row_number, now(),
         now(), now()
       FROM job_recipients WHERE job_id = $1 AND position BETWEEN $2 AND $3`,
      [jobId, from, to, problem, platformCode, api.caller.accountId, uuidV7()],
    );

  const setJob = (jobId: string, change: string) =>
    database.execute(`UPDATE bulk_jobs SET ${change} WHERE id = $1`, [jobId]);

  async function shown(jobId: string) {
    const { body: detail } = await api.get(`/bulk-jobs/${jobId}`).expect(200);
    const { body } = await api.get(`/bulk-jobs/${jobId}/failures`).expect(200);
    const sum = (of: 'failed' | 'undelivered') =>
      (body.items as Record<string, number>[]).reduce((all, one) => all + one[of]!, 0);
    expect({ failed: sum('failed'), undelivered: sum('undelivered') }).toEqual({
      failed: detail.failed,
      undelivered: detail.undelivered,
    });
    return body.items as unknown[];
  }

  it("are counted by code and platform code, largest first, and add up to the job's counters", async () => {
    const jobId = await newJob(40, 40);
    await fail(jobId, 2, 13, 'recipient_unreachable', 131026, 'Failed');
    await fail(jobId, 14, 14, 'parameter_missing', 131008, 'Failed');
    await fail(jobId, 15, 16, 'opted_out', null, 'Skipped');
    await undeliver(jobId, 20, 22, 'recipient_unreachable', 131026);
    await undeliver(jobId, 23, 26, 'message_expired', 131043);
    await setJob(jobId, 'failed = 15, skipped = 2, undelivered = 7, successfully_sent = 25');
    expect(await shown(jobId)).toEqual([
      {
        errorCode: 'recipient_unreachable',
        platformCode: 131026,
        message: 'recipient_unreachable at 2',
        failed: 12,
        undelivered: 3,
        retryable: true,
        firstRows: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
      },
      {
        errorCode: 'message_expired',
        platformCode: 131043,
        message: 'message_expired later',
        failed: 0,
        undelivered: 4,
        retryable: true,
        firstRows: [23, 24, 25, 26],
      },
      expect.objectContaining({ errorCode: 'opted_out', failed: 2, retryable: false, firstRows: [15, 16] }),
      expect.objectContaining({ errorCode: 'parameter_missing', failed: 1, retryable: true }),
    ]);
  });

  it('of invalid rows cannot be retried, nor those of erased people', async () => {
    const { body } = await api
      .upload('phone,name,order\n12,Ann,1\n+4915123456781,,1\n+4915123456782,Ben,2\n')
      .expect(202);
    await fail(body.jobId, 3, 3, 'expired', null, 'Failed');
    await database.execute(`UPDATE job_recipients SET phone = '' WHERE job_id = $1 AND position = 3`, [body.jobId]);
    await setJob(body.jobId, `failed = 3`);
    expect(await shown(body.jobId)).toMatchObject([
      { errorCode: 'expired', retryable: false, firstRows: [4] },
      { errorCode: 'parameter_missing', platformCode: null, failed: 1, retryable: false, firstRows: [3] },
      { errorCode: 'phone_invalid', failed: 1, retryable: false, firstRows: [2] },
    ]);
  });

  it('of an interrupted job include recipients never tried, and none twice', async () => {
    const jobId = await newJob(12, 4);
    await fail(jobId, 3, 3, 'cancelled', null, 'Cancelled');
    await fail(jobId, 9, 9, 'phone_invalid', null, 'Failed');
    await setJob(jobId, `status = 'Cancelled', failed = 2, invalid_rows = 1, successfully_sent = 3`);
    expect(await shown(jobId)).toMatchObject([
      { errorCode: 'cancelled', failed: 8, retryable: true, firstRows: [3, 5, 6, 7, 8, 10, 11, 12] },
      { errorCode: 'phone_invalid', failed: 1 },
    ]);
    await setJob(jobId, `completed_at = now()`);
    expect(await shown(jobId)).toHaveLength(2);
  });

  it('are counted in steps if there are more than one statement reads', async () => {
    const store = new PostgresJobFailureStore(database);
    const jobId = await newJob(4, 4);
    const more = (first: number, last: number, problem: string) =>
      database.execute(
        `INSERT INTO job_recipients (job_id, position, row_number, message_id, phone, parameters, attempt, outcome, problem,
           problem_message)
         SELECT $1, n, n, gen_random_uuid(), '1', '[]', 1, 'Failed', $4, 'x' FROM generate_series($2::int, $3::int) n`,
        [jobId, first, last, problem],
      );
    await more(5, 2504, 'expired');
    await more(2505, 7504, 'platform_rejected');
    await more(7505, 10_004, 'text_too_long');
    await setJob(jobId, `total_recipients = 10004, cursor = 10005, failed = 10000`);
    const job = { ...(await api.app.get(BulkJobsService).get(api.caller.accountId, jobId)), undelivered: 0 };
    expect(largestFirst(await store.count(job))).toMatchObject([
      {
        errorCode: 'platform_rejected',
        failed: 5000,
        firstRows: [2505, 2506, 2507, 2508, 2509, 2510, 2511, 2512, 2513, 2514],
      },
      { errorCode: 'expired', failed: 2500, firstRows: [5, 6, 7, 8, 9, 10, 11, 12, 13, 14] },
      { errorCode: 'text_too_long', failed: 2500 },
    ]);
  });

  it('are empty once the recipients have expired', async () => {
    const jobId = await newJob(3, 3);
    await fail(jobId, 1, 1, 'expired', null, 'Failed');
    await setJob(jobId, `recipients_expired_at = now(), failed = 1`);
    const { body } = await api.get(`/bulk-jobs/${jobId}/failures`).expect(200);
    expect(body).toEqual({ items: [], countedAt: expect.any(String) });
  });
});
