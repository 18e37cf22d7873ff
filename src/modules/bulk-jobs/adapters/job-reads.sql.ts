import { IS_VISIBLE, SELECT_JOBS } from './bulk-job-rows';

/** $1 account, $2 job. */
export const FIND_JOB = `${SELECT_JOBS} WHERE j.account_id = $1 AND j.id = $2 AND ${IS_VISIBLE}`;

/**
 * Outcomes of job $1 in the last minute, for positions from $2 to below $3: their number, and seconds since the first one. Without those
 * before a gap of more than 10 seconds, such as a pause.
 */
export const RECENT_ANSWERS = `
WITH recent AS (
  SELECT updated_at, updated_at - lag(updated_at) OVER (ORDER BY updated_at) > interval '10 seconds' AS after_gap
  FROM job_recipients
  WHERE job_id = $1 AND position >= $2 AND position < $3 AND outcome IS NOT NULL
    AND updated_at > clock_timestamp() - interval '1 minute')
SELECT count(*)::int AS count,
  coalesce(extract(epoch FROM clock_timestamp() - min(updated_at)), 0)::float8 AS seconds
FROM recent
WHERE updated_at >= coalesce((SELECT max(updated_at) FROM recent WHERE after_gap), '-infinity')`;

/** Open recipients of each running job of sender $1, except job $2. */
export const OPEN_OF_OTHERS = `
SELECT greatest(total_recipients - successfully_sent - failed - unknown_in_grace, 0) AS open FROM bulk_jobs
WHERE sender_id = $1 AND id IS DISTINCT FROM $2::uuid AND completed_at IS NULL AND NOT at_rest
  AND status IN ('Queued', 'Processing')`;

/**
 * The retries of a job, their retries and so on: $1 job. LATERAL with OFFSET 0: without statistics, a plain join would read all jobs.
 */
export const ALL_RETRIES = `
WITH RECURSIVE ${retriesFrom('SELECT $1::uuid')}
SELECT id FROM retries WHERE id <> $1`;

/** The recursive part `retries`: the job that `first` selects, its retries, their retries and so on. */
export function retriesFrom(first: string): string {
  return `retries (id) AS (
  ${first}
  UNION ALL
  SELECT r.id FROM retries CROSS JOIN LATERAL (SELECT id FROM bulk_jobs
    WHERE retry_of = retries.id AND status NOT IN ('Importing', 'Abandoned') OFFSET 0) r)`;
}
