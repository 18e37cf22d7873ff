import { prepared } from '../../../infra/database/prepared-statement';

/** $1 job, $2 first position, $3 the one behind the last, $4 how many. */
export const OPEN_RECIPIENTS = prepared(`
SELECT position, message_id AS "messageId", phone, parameters FROM job_recipients
WHERE job_id = $1 AND position >= $2 AND position < $3 AND outcome IS NULL ORDER BY position LIMIT $4`);

/** $1 job, $2 positions, $3 and $4 the first and the last of them. */
export const ANY_SETTLED = prepared(`
SELECT 1 FROM job_recipients
WHERE job_id = $1 AND position BETWEEN $3 AND $4 AND position = ANY($2::int[]) AND outcome IS NOT NULL LIMIT 1`);

export const SKIP = `
UPDATE job_recipients SET outcome = 'Skipped', problem = $3, problem_message = $4, updated_at = clock_timestamp()
WHERE job_id = $1 AND position = ANY($2::int[])`;

/** $1 job, $2 and $3 first position and the one behind the last, $4 and $5 code and message. */
export const FAIL_OPEN = `
WITH failed AS (
  UPDATE job_recipients SET outcome = 'Failed', problem = $4, problem_message = $5, updated_at = clock_timestamp()
  WHERE job_id = $1 AND position >= $2 AND position < $3 AND outcome IS NULL
  RETURNING 1)
UPDATE bulk_jobs SET failed = failed + (SELECT count(*)::int FROM failed) WHERE id = $1`;

export const CLAIM_DUE = `
UPDATE job_recipients SET attempt = attempt + 1, sending_epoch = $2, retry_at = NULL
WHERE job_id = $1 AND position = ANY(ARRAY(
  SELECT position FROM job_recipients WHERE job_id = $1 AND retry_at <= statement_timestamp()
  ORDER BY retry_at LIMIT $3 FOR UPDATE SKIP LOCKED))
RETURNING job_id AS "jobId", position, message_id AS "messageId", attempt, phone, parameters`;

export const LATER_ATTEMPTS = `
SELECT position, attempt FROM job_recipients
WHERE job_id = $1 AND sending_epoch = $2 AND outcome IS NULL LIMIT 500`;

const COUNT_STRANDED = `
UPDATE bulk_jobs j SET unknown = j.unknown + s.count, unknown_in_grace = j.unknown_in_grace + s.count, updated_at = now()
FROM (SELECT job_id, count(*)::int AS count FROM stranded GROUP BY job_id) s WHERE j.id = s.job_id`;

/**
 * First attempts of one job that were in flight under an older epoch: $1 job, $2 and $3 first position and the one behind
 * the last. Of all jobs at once the planner would read every recipient there is.
 */
export const STRAND_FIRST_ATTEMPTS = `
WITH stranded AS (
  UPDATE job_recipients r SET outcome = 'Unknown', unknown_since = clock_timestamp(), attempt = GREATEST(r.attempt, 1),
    sending_epoch = NULL, updated_at = clock_timestamp()
  WHERE r.job_id = $1 AND r.position >= $2 AND r.position < $3 AND r.outcome IS NULL AND r.retry_at IS NULL
  RETURNING r.job_id)
${COUNT_STRANDED}`;

/** Later attempts that were in flight under an older epoch; their jobs are locked already. */
export const STRAND_LATER_ATTEMPTS = `
WITH stranded AS (
  UPDATE job_recipients r SET outcome = 'Unknown', unknown_since = clock_timestamp(), sending_epoch = NULL,
    updated_at = clock_timestamp()
  FROM bulk_jobs j
  WHERE j.sender_id = $1 AND j.lane_epoch = $2 AND j.completed_at IS NULL AND NOT j.at_rest AND r.job_id = j.id
    AND r.sending_epoch < $2 AND r.outcome IS NULL
  RETURNING r.job_id)
${COUNT_STRANDED}`;

/** $1 job, $2 and $3 first and last position of a range. */
export const COUNT_OUTCOMES = `
SELECT count(*) FILTER (WHERE outcome = 'Sent')::int AS sent,
  count(*) FILTER (WHERE outcome IN ('Failed', 'Skipped', 'Cancelled') OR (outcome = 'Unknown' AND problem IS NOT NULL))::int
    AS failed,
  count(*) FILTER (WHERE outcome IS NULL)::int AS open,
  count(*) FILTER (WHERE outcome = 'Unknown' AND problem IS NULL)::int AS "inGrace"
FROM job_recipients WHERE job_id = $1 AND position BETWEEN $2 AND $3`;

/** A claim by the cursor writes no row: the first attempt stands in it only once it is answered. */
const RECIPIENT = `r.job_id AS "jobId", r.position, r.row_number AS "rowNumber", r.message_id AS "messageId", r.phone,
  r.parameters, GREATEST(r.attempt, 1) AS attempt, r.strikes, r.throttles, r.retry_at AS "retryAt",
  r.unknown_since AS "unknownSince", r.outcome,
  CASE WHEN r.problem IS NOT NULL THEN jsonb_build_object('code', r.problem, 'message', COALESCE(r.problem_message, ''),
    'platformCode', r.platform_code) END AS problem`;

export const RECIPIENTS_AT = prepared(`
SELECT ${RECIPIENT} FROM (SELECT DISTINCT * FROM unnest($1::uuid[], $2::int[]) AS u (job_id, position)) a
CROSS JOIN LATERAL (SELECT * FROM job_recipients r WHERE r.job_id = a.job_id AND r.position = a.position LIMIT 1) r`);

/** $1 job, $2 grace in ms, $3 how many. */
export const RECIPIENTS_WITH_GRACE_OVER = prepared(`
SELECT ${RECIPIENT} FROM job_recipients r
WHERE r.job_id = $1 AND r.unknown_since < statement_timestamp() - $2 * interval '1 ms' AND r.outcome = 'Unknown'
ORDER BY r.unknown_since LIMIT $3`);

export const RECIPIENTS_WAITING = prepared(`
SELECT ${RECIPIENT} FROM job_recipients r
WHERE r.job_id = $1 AND r.retry_at IS NOT NULL AND r.outcome IS NULL ORDER BY r.retry_at LIMIT $2`);

export const SAVE_RECIPIENTS = `
UPDATE job_recipients r SET attempt = s.attempt, strikes = s.strikes, throttles = s.throttles, retry_at = s.retry_at,
  unknown_since = s.unknown_since, outcome = s.outcome, problem = s.problem, problem_message = s.problem_message,
  platform_code = s.platform_code, sending_epoch = NULL, updated_at = clock_timestamp()
FROM unnest(array_fill($1::uuid, ARRAY[cardinality($2::int[])]), $2::int[], $3::int[], $4::smallint[], $5::smallint[], $6::timestamptz[], $7::timestamptz[], $8::text[],
  $9::text[], $10::text[], $11::int[])
  AS s (job_id, position, attempt, strikes, throttles, retry_at, unknown_since, outcome, problem, problem_message, platform_code)
WHERE r.job_id = s.job_id AND r.position = s.position`;
