import { prepared } from '../../../infra/database/prepared-statement';
import { COUNT_STATUSES } from './activity.sql';
import { stopped } from './stop-job.sql';

/** Arbitrary, but unique among the advisory locks in this database. */
const FOLD_LOCK = 7305808552;

export const UNSETTLED = prepared(`
SELECT r.job_id AS "jobId", r.position, r.outcome IS NOT NULL AS "wasUnknown"
FROM unnest($1::uuid[], $2::int[], $3::uuid[], $4::uuid[]) AS u (job_id, position, message_id, sender_id)
CROSS JOIN LATERAL (SELECT * FROM job_recipients r WHERE r.job_id = u.job_id AND r.position = u.position LIMIT 1) r
CROSS JOIN LATERAL (SELECT sender_id, status FROM bulk_jobs j WHERE j.id = u.job_id LIMIT 1) j
WHERE r.message_id = u.message_id AND (r.outcome IS NULL OR r.outcome = 'Unknown')
  AND j.sender_id = u.sender_id AND j.status NOT IN ('Importing', 'Abandoned')`);

/** Takes effect at the next claim, which requires a running job. */
export const STOP = `
UPDATE bulk_jobs SET ${stopped('$2', '$3', '$4')}
WHERE id = $1 AND status IN ('Queued', 'Processing')
RETURNING id, account_id AS "accountId"`;

/** $1 days, $2 limit, $3 and $4 code and reason. */
export const EXPIRE_PAUSES = `
UPDATE bulk_jobs SET status = 'Cancelled', error_code = $3, error_message = $4, pause_reason = NULL, pause_problem = NULL,
  paused_at = NULL, updated_at = now()
WHERE status = 'Paused' AND id = ANY(ARRAY(
  SELECT id FROM bulk_jobs WHERE status = 'Paused' AND paused_at < statement_timestamp() - $1 * interval '1 day'
  ORDER BY paused_at LIMIT $2 FOR UPDATE SKIP LOCKED))
RETURNING id, account_id AS "accountId", sender_id AS "senderId"`;

export const ADD_DELTAS = prepared(`
INSERT INTO job_status_deltas (job_id, delivered, read, undelivered)
SELECT * FROM unnest($1::uuid[], $2::int[], $3::int[], $4::int[])`);

/** Jobs of the oldest $1 deltas; none while another process folds. */
export const JOBS_WITH_DELTAS = prepared(`
SELECT DISTINCT job_id AS "jobId" FROM (
  SELECT job_id FROM job_status_deltas ORDER BY id LIMIT CASE WHEN pg_try_advisory_xact_lock(${FOLD_LOCK}) THEN $1::int ELSE 0 END) d`);

/** Locks those of the jobs $1 that are not locked; skips locked jobs and never blocks. */
export const LOCK_FREE_JOBS = prepared(`
SELECT id FROM bulk_jobs WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE SKIP LOCKED`);

/** Takes deltas of the locked jobs $1 and of deleted jobs among $2, all jobs found; $3 limit. */
export const TAKE_DELTAS = prepared(`
DELETE FROM job_status_deltas WHERE id = ANY(ARRAY(
  SELECT d.id FROM job_status_deltas d
  WHERE d.job_id = ANY($1::uuid[]) OR (d.job_id = ANY($2::uuid[]) AND NOT EXISTS (SELECT 1 FROM bulk_jobs WHERE id = d.job_id))
  ORDER BY d.id LIMIT $3 FOR UPDATE SKIP LOCKED))
RETURNING job_id AS "jobId", delivered, read, undelivered`);

/** Adds deltas to locked jobs and to the hour of their accounts. */
export const FOLD = `
WITH folded AS (
UPDATE bulk_jobs j SET delivered = j.delivered + d.delivered, read = j.read + d.read,
  undelivered = j.undelivered + d.undelivered, updated_at = now()
FROM unnest($1::uuid[], $2::int[], $3::int[], $4::int[]) AS d (job_id, delivered, read, undelivered)
WHERE j.id = d.job_id
RETURNING j.account_id, d.delivered, d.read, d.undelivered)
${COUNT_STATUSES('folded')}`;
