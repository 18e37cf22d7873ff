import { personKey } from './schema/bulk-jobs.sql';

/** What remains of an erased recipient. */
const NOTHING = `phone = '', parameters = '[]', user_id = NULL, extras = NULL, reference = NULL, other_cells = NULL`;

/** The recipients of a job by the index on person keys. Invalid rows contain the number as written in the file: only its digits are compared. */
const BY_KEY = (job: string, people: string) => `
  SELECT r.position FROM job_recipients r
  WHERE r.job_id = ${job} AND ${personKey('r.phone')} = ANY(ARRAY(SELECT ${personKey('p')} FROM unnest(${people}::text[]) p))
    AND (r.phone = ANY(${people}::text[])
      OR (r.outcome = 'Failed' AND r.attempt = 0 AND ${personKey('r.phone')} = ANY(${people}::text[])))`;
const BY_USER_ID = (job: string, people: string) => `
  SELECT r.position FROM job_recipients r WHERE r.job_id = ${job} AND r.user_id IS NOT NULL AND r.user_id = ANY(${people}::text[])`;

/**
 * The jobs of an account from a position on, and which of them have the person as a recipient: $1 account, $2 latest creation, $3 and $4 the
 * position, $5 limit, $6 number and user id of the person.
 */
export const JOBS_TO_EXAMINE = `
WITH examined AS MATERIALIZED (
  SELECT id, created_at, status FROM bulk_jobs
  WHERE account_id = $1 AND created_at < $2 AND status <> 'Abandoned'
    AND ($3::timestamptz IS NULL OR (created_at, id) >= ($3, $4::uuid))
  ORDER BY created_at, id LIMIT $5)
SELECT j.id AS "jobId", j.created_at::text AS "createdAt", j.status = 'Importing' AS "isImporting",
  COALESCE((${BY_KEY('j.id', '$6')} LIMIT 1), (${BY_USER_ID('j.id', '$6')} LIMIT 1)) IS NOT NULL AS "hasPerson"
FROM examined j ORDER BY j.created_at, j.id`;

/** $1 job, $2 number and user id of the person, $3 limit. */
export const RECIPIENTS_OF_PERSON = `
SELECT position FROM (${BY_KEY('$1', '$2')} UNION ${BY_USER_ID('$1', '$2')}) found LIMIT $3`;

export const LOCK_JOB = `
SELECT cursor, completed_at IS NOT NULL OR status IN ('Cancelled', 'Failed') AS "hasEnded"
FROM bulk_jobs WHERE id = $1 FOR UPDATE`;

/** While the job is locked, recipients beyond the cursor or waiting for a retry are not in flight. */
export const SKIP_ERASED = `
UPDATE job_recipients SET outcome = 'Skipped', problem = $4, problem_message = $5, retry_at = NULL, ${NOTHING},
  updated_at = clock_timestamp()
WHERE job_id = $1 AND position = ANY($2::int[]) AND outcome IS NULL AND (position >= $3 OR retry_at IS NOT NULL)`;

export const COUNT_ERASED = `
UPDATE bulk_jobs SET skipped = skipped + $2, failed = failed + $2, updated_at = now() WHERE id = $1`;

/** Recipients that an ended job never tried keep an outcome of NULL. */
export const BLANK = `
UPDATE job_recipients SET ${NOTHING}
WHERE job_id = $1 AND position = ANY($2::int[])
  AND (outcome IS NOT NULL OR ($4::boolean AND position >= $3 AND retry_at IS NULL))`;

/** The recipients of $2 whose message is in flight. */
export const IN_FLIGHT = `
SELECT 1 FROM job_recipients
WHERE job_id = $1 AND position = ANY($2::int[]) AND outcome IS NULL AND phone <> '' LIMIT 1`;
