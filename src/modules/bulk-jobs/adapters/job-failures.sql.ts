import { EXPIRED } from '../../sending/domain/send-state';
import { FIRST_ROWS } from '../domain/job-failures';

/** Whether recipient `r` was invalid when the job was created: failed without an attempt, for another reason than expiry. */
export const isInvalid = (r: string): string =>
  `(${r}.outcome = 'Failed' AND ${r}.attempt = 0 AND ${r}.problem <> '${EXPIRED.code}')`;

const COUNTED = `problem AS "errorCode", platform_code AS "platformCode", count(*)::int AS count,
  bool_or(retryable) AS retryable`;
const firstBy = (column: string): string => `(array_agg(problem_message ORDER BY ${column}))[1] AS message,
  (array_agg(row_number ORDER BY ${column}))[1:${FIRST_ROWS}] AS "firstRows"`;

/**
 * Counts failed recipients in the order of the index on problems: $1 job, $2 and $3 problem and position of the previous call's last
 * one, $4 limit, $5 the first position that was never tried. Each row includes problem and position of the last one counted.
 */
export const COUNT_FAILED = `
WITH part AS MATERIALIZED (
  SELECT r.problem, r.position, r.row_number, r.problem_message, r.platform_code,
    r.phone <> '' AND r.outcome <> 'Skipped' AND NOT ${isInvalid('r')} AS retryable
  FROM job_recipients r
  WHERE r.job_id = $1 AND r.problem IS NOT NULL AND (r.problem, r.position) > ($2::text, $3::int)
  ORDER BY r.problem, r.position LIMIT $4)
SELECT ${COUNTED}, ${firstBy('position')}, count(*) FILTER (WHERE position >= $5)::int AS "neverTried",
  (SELECT problem FROM part ORDER BY problem DESC, position DESC LIMIT 1) AS "lastProblem",
  (SELECT position FROM part ORDER BY problem DESC, position DESC LIMIT 1) AS "lastPosition"
FROM part GROUP BY problem, platform_code`;

/** Counts failed messages, including those refused immediately: $1 job, $2 last id of the previous call, $3 limit. */
export const COUNT_UNDELIVERED = `
WITH part AS MATERIALIZED (
  SELECT id, status, row_number, problem, problem_message, platform_code, conversation_id IS NOT NULL AS retryable
  FROM messages
  WHERE job_id = $1 AND failed_at IS NOT NULL AND id > $2::uuid
  ORDER BY id LIMIT $3)
SELECT ${COUNTED}, ${firstBy('id')}, status, (SELECT id FROM part ORDER BY id DESC LIMIT 1) AS "lastId"
FROM part GROUP BY problem, platform_code, status`;

/** Row numbers of recipients that were never tried: $1 job, from position $2 to below $3. */
export const FIRST_NEVER_TRIED = `
SELECT row_number AS "rowNumber" FROM job_recipients
WHERE job_id = $1 AND position >= $2 AND position < $3 AND problem IS NULL ORDER BY position LIMIT ${FIRST_ROWS}`;
