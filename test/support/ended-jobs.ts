import type { BulkJobsApi } from './bulk-jobs-api';

/** The number of the recipient at a position. */
export const phone = (position: number) => String(491_512_000_000 + position);

/** Creates ended jobs, and retries them. */
export function endedJobs(api: () => BulkJobsApi) {
  const set = (jobId: string, position: number, change: string) =>
    api().database.execute(`UPDATE job_recipients SET ${change} WHERE job_id = $1 AND position = $2`, [
      jobId,
      position,
    ]);

  /** A job with this many recipients, and its current state. */
  async function job(count: number, change: string): Promise<string> {
    const rows = Array.from(
      { length: count },
      (_, index) => `${phone(index + 1)},Ann ${index + 1},"A ""${index + 1}"""`,
    );
    const { body } = await api()
      .upload(`phone,name,order\n${rows.join('\n')}\n`, { reference: 'spring' })
      .expect(202);
    const jobId = body.jobId as string;
    await api().database.execute(`UPDATE bulk_jobs SET ${change} WHERE id = $1`, [jobId]);
    return jobId;
  }

  /** One recipient in each state; 7 failed on import, 8 expired. */
  async function finishedJob(change = `status = 'Completed', completed_at = now(), cursor = 9`): Promise<string> {
    const jobId = await job(8, `successfully_sent = 2, failed = 6, skipped = 1, invalid_rows = 1, ${change}`);
    await set(jobId, 1, `outcome = 'Sent', attempt = 1`);
    await set(jobId, 2, `outcome = 'Failed', problem = 'recipient_unreachable', attempt = 1`);
    await set(jobId, 3, `outcome = 'Failed', problem = 'platform_rejected', attempt = 4`);
    await set(jobId, 4, `outcome = 'Unknown', problem = 'outcome_unknown', attempt = 1`);
    await set(jobId, 5, `outcome = 'Skipped', problem = 'opted_out'`);
    await set(jobId, 6, `outcome = 'Sent', attempt = 2`);
    await set(jobId, 7, `outcome = 'Failed', problem = 'phone_invalid'`);
    await set(jobId, 8, `outcome = 'Failed', problem = 'expired'`);
    return jobId;
  }

  /** A finished job with recipient 1 undelivered and 6 delivered. */
  async function jobWithUndelivered(): Promise<string> {
    const old = await finishedJob();
    await api().database.execute(`UPDATE bulk_jobs SET undelivered = 1 WHERE id = $1`, [old]);
    for (const [position, status] of [
      [1, 'Undelivered'],
      [6, 'Delivered'],
    ]) {
      await api().database.execute(
        `INSERT INTO messages (id, account_id, direction, type, job_id, status, problem, created_at, sent_at)
         SELECT r.message_id, j.account_id, 'Outbound', 'Template', j.id, $3, CASE WHEN $3 = 'Undelivered' THEN 'media_unusable' END,
           now(), now()
         FROM job_recipients r JOIN bulk_jobs j ON j.id = r.job_id WHERE j.id = $1 AND r.position = $2::int`,
        [old, position, status],
      );
    }
    return old;
  }

  const retry = (jobId: string, body: object = {}, headers: Record<string, string> = {}) =>
    api().post(`/bulk-jobs/${jobId}/retry`, body).set(headers);

  const recipients = async (jobId: string) =>
    (await api().get(`/bulk-jobs/${jobId}/recipients?limit=200`).expect(200)).body.items as Record<string, unknown>[];
  const numbersOf = async (jobId: string) => (await recipients(jobId)).map(({ phone: number }) => number);

  return { set, job, finishedJob, jobWithUndelivered, retry, recipients, numbersOf };
}
