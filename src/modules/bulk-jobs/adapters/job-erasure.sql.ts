/** What remains of an erased recipient. */
const NOTHING = `phone = '', parameters = '[]', user_id = NULL, extras = NULL, reference = NULL, other_cells = NULL`;

/**
 * The jobs of an account from a position on, and which of them may have the person as a recipient: $1 account, $2 latest creation, $3 and $4
 * the position, $5 limit, $6 keys of the person.
 */
export const JOBS_TO_EXAMINE = `
WITH examined AS MATERIALIZED (
  SELECT id, created_at, status FROM bulk_jobs
  WHERE account_id = $1 AND created_at < $2 AND status <> 'Abandoned' AND NOT recipients_cleared
    AND ($3::timestamptz IS NULL OR (created_at, id) >= ($3, $4::uuid))
  ORDER BY created_at, id LIMIT $5)
SELECT j.id AS "jobId", j.created_at::text AS "createdAt", j.status = 'Importing' AS "isImporting",
  COALESCE((SELECT bool_or(k.keys && $6::int[]) OR min(k.first_position) > 1 FROM job_recipient_keys k WHERE k.job_id = j.id), true)
    AS "mayHavePerson"
FROM examined j ORDER BY j.created_at, j.id`;

/**
 * The ranges of positions that may have the person, and those before the first one with keys (recipient-key-backfill.ts). $1 job, $2 keys of
 * the person, $3 positions per range without keys.
 */
export const RANGES = `
WITH keyed AS MATERIALIZED (
  SELECT first_position, last_position, keys && $2::int[] AS "hasKey" FROM job_recipient_keys WHERE job_id = $1)
SELECT first_position AS first, last_position AS last FROM keyed WHERE "hasKey"
UNION ALL
SELECT n, LEAST(n + $3::int - 1, unkeyed)
FROM (SELECT COALESCE((SELECT min(first_position) FROM keyed) - 1, total_recipients) AS unkeyed FROM bulk_jobs WHERE id = $1) j,
  generate_series(1, unkeyed, $3::int) n
ORDER BY first`;

/**
 * $1 job, $2 and $3 range, $4 number and user id of the person. Invalid rows contain the number as written in the file: only its digits are
 * compared.
 */
export const RECIPIENTS_OF_PERSON = `
SELECT position FROM job_recipients
WHERE job_id = $1 AND position BETWEEN $2 AND $3 AND (phone = ANY($4::text[]) OR user_id = ANY($4::text[]) OR (
  outcome = 'Failed' AND attempt = 0 AND ltrim(regexp_replace(phone, '\\D', '', 'g'), '0') = ANY($4::text[])))`;

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

/** The identities in a range: $1 job, $2 and $3 range. */
export const IDENTITIES = `
SELECT phone, user_id AS "userId", outcome = 'Failed' AND attempt = 0 AS "isInvalid"
FROM job_recipients WHERE job_id = $1 AND position BETWEEN $2 AND $3`;

/** The ranges with keys that have any of the positions $2 to $3 of the job $1. */
export const KEYED_RANGES = `
SELECT first_position AS first, last_position AS last FROM job_recipient_keys
WHERE job_id = $1 AND first_position <= $3 AND first_position >= COALESCE(
  (SELECT max(first_position) FROM job_recipient_keys WHERE job_id = $1 AND first_position <= $2), $2)`;

export const REPLACE_KEYS = `UPDATE job_recipient_keys SET keys = $3 WHERE job_id = $1 AND first_position = $2`;

/** The recipients of $2 whose message is in flight. */
export const IN_FLIGHT = `
SELECT 1 FROM job_recipients
WHERE job_id = $1 AND position = ANY($2::int[]) AND outcome IS NULL AND phone <> '' LIMIT 1`;
