import type { Database } from '../../src/infra/database/database';

const ROWS_AT_ONCE = 50_000;

/** The size of a job. */
export interface JobExtent {
  recipients: number;
  /** One in this many added recipients failed; the others were sent. */
  failedEvery: number;
}

/** Adds recipients to a job up to a size and marks it as completed an hour ago, with exact counts. */
export async function growJob(
  database: Database,
  jobId: string,
  { recipients, failedEvery }: JobExtent,
): Promise<void> {
  const [job] = await database.rows<{ known: number }>(
    'SELECT total_recipients AS known FROM bulk_jobs WHERE id = $1',
    [jobId],
  );
  for (let first = job!.known + 1; first <= recipients; first += ROWS_AT_ONCE) {
    await database.execute(
      `INSERT INTO job_recipients (job_id, position, row_number, message_id, phone, parameters, attempt, outcome, problem,
         problem_message, updated_at)
       SELECT $1, n, n + 1, gen_random_uuid(), (491510000000 + n)::text, jsonb_build_array('Customer ' || n, 'PK-' || n), 1,
         CASE WHEN is_failed THEN 'Failed' ELSE 'Sent' END, CASE WHEN is_failed THEN 'recipient_unreachable' END,
         CASE WHEN is_failed THEN 'Message undeliverable' END, now()
       FROM generate_series($2::int, $3::int) n, LATERAL (SELECT n % $4::int = 0 AS is_failed) f`,
      [jobId, first, Math.min(first + ROWS_AT_ONCE - 1, recipients), failedEvery],
    );
  }
  await database.execute(
    `UPDATE bulk_jobs SET total_recipients = $2::int, cursor = $2 + 1, settled_below = $2 + 1, status = 'Completed',
       started_at = now() - interval '3 hours', completed_at = now() - interval '1 hour',
       (successfully_sent, failed) = (SELECT count(*) FILTER (WHERE problem IS NULL), count(problem) FROM job_recipients WHERE job_id = $1)
     WHERE id = $1`,
    [jobId, recipients],
  );
}
