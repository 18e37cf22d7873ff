import { IS_VISIBLE, SELECT_JOBS } from './bulk-job-rows';

/** $1 account, $2 job. */
export const FIND_JOB = `${SELECT_JOBS} WHERE j.account_id = $1 AND j.id = $2 AND ${IS_VISIBLE}`;

/** How many answers of the last minute job $1 got for positions from $2 to below $3, and since how long. */
export const RECENT_ANSWERS = `
SELECT count(*)::int AS count,
  coalesce(extract(epoch FROM clock_timestamp() - min(updated_at)), 0)::float8 AS seconds
FROM job_recipients
WHERE job_id = $1 AND position >= $2 AND position < $3 AND outcome IS NOT NULL
  AND updated_at > clock_timestamp() - interval '1 minute'`;

/** What is left of the other jobs that sender $1 sends now, without job $2. */
export const OPEN_OF_OTHERS = `
SELECT greatest(total_recipients - successfully_sent - failed - unknown_in_grace, 0) AS open FROM bulk_jobs
WHERE sender_id = $1 AND id IS DISTINCT FROM $2::uuid AND completed_at IS NULL AND NOT at_rest
  AND status IN ('Queued', 'Processing')`;
