import { prepared } from '../../../infra/database/prepared-statement';
import { OPTED_OUT, RECIPIENT_ERASED } from '../../sending/domain/send-state';
import { MAX_PACE_SAMPLES } from '../domain/activity';

/** Arbitrary, but unique among the advisory locks in this database. */
const ACTIVITY_LOCK = 7305808553;
/** Maximum number of jobs per transaction, running ones and due ones each. */
const JOBS_AT_ONCE = 1000;

const SAMPLED = `status IN ('Queued', 'Processing') AND completed_at IS NULL`;

const HOUR = (at: string): string => `date_trunc('hour', ${at}, 'UTC')`;

/** The last running job of the next page after job $1; none: the page is the last one. */
export const END_OF_PAGE = prepared(`
SELECT id FROM bulk_jobs WHERE ${SAMPLED} AND id > $1 ORDER BY id OFFSET ${JOBS_AT_ONCE - 1} LIMIT 1`);

/**
 * Locks the rows in job_pace of jobs whose counters have changed since their last sample, of a page of running jobs after $1 up to $2 and of
 * those that are due; none while another process samples. The next statement reads counters at least as new as those that made the jobs due.
 */
export const LOCK_CHANGED_JOBS = prepared(`
SELECT p.job_id AS "jobId" FROM job_pace p CROSS JOIN LATERAL (
  SELECT successfully_sent, failed, skipped FROM bulk_jobs j WHERE j.id = p.job_id LIMIT 1) j
WHERE p.job_id = ANY(CASE WHEN pg_try_advisory_xact_lock(${ACTIVITY_LOCK}) THEN
    ARRAY(SELECT id FROM bulk_jobs WHERE ${SAMPLED} AND NOT at_rest AND id > $1 AND id <= $2 ORDER BY id)
    || ARRAY(SELECT job_id FROM job_pace WHERE due ORDER BY job_id LIMIT ${JOBS_AT_ONCE}) END)
  AND (p.due OR j.successfully_sent <> p.sent OR j.failed <> p.failed OR j.skipped <> p.skipped)
ORDER BY p.job_id FOR UPDATE OF p`);

/**
 * Adds the growth of the counters of locked jobs $1 to their samples and to the hour of their accounts. Recipients that have opted out are part of
 * the failed ones of a job, and did not fail.
 */
export const SAMPLE_JOBS = prepared(`
WITH change AS MATERIALIZED (
  SELECT p.job_id, j.account_id, j.successfully_sent AS sent, j.failed, j.skipped, j.successfully_sent - p.sent AS more_sent,
    (j.failed - j.skipped) - (p.failed - p.skipped) AS more_failed, p.last_at,
    to_timestamp(floor(extract(epoch FROM statement_timestamp())::float8 / p.step_seconds) * p.step_seconds) AS at
  FROM job_pace p CROSS JOIN LATERAL (
    SELECT account_id, successfully_sent, failed, skipped FROM bulk_jobs j WHERE j.id = p.job_id LIMIT 1) j
  WHERE p.job_id = ANY($1::uuid[])),
grown AS (SELECT * FROM change WHERE more_sent <> 0 OR more_failed <> 0),
sampled AS (
  INSERT INTO job_pace_samples AS s (job_id, at, sent, failed) SELECT job_id, at, more_sent, more_failed FROM grown
  ON CONFLICT (job_id, at) DO UPDATE SET sent = s.sent + EXCLUDED.sent, failed = s.failed + EXCLUDED.failed),
counted AS (
  INSERT INTO account_activity AS a (account_id, hour, sent, failed)
  SELECT account_id, ${HOUR('statement_timestamp()')}, sum(more_sent), sum(more_failed) FROM grown
  GROUP BY account_id ORDER BY account_id
  ON CONFLICT (account_id, hour) DO UPDATE SET sent = a.sent + EXCLUDED.sent, failed = a.failed + EXCLUDED.failed),
placed AS (
  UPDATE job_pace p SET due = false, sent = c.sent, failed = c.failed, skipped = c.skipped,
    last_at = CASE WHEN g.job_id IS NULL THEN p.last_at ELSE c.at END,
    samples = p.samples + (g.job_id IS NOT NULL AND p.last_at IS DISTINCT FROM c.at)::int
  FROM change c LEFT JOIN grown g ON g.job_id = c.job_id WHERE p.job_id = ANY($1::uuid[]) AND p.job_id = c.job_id
  RETURNING p.job_id, p.samples)
SELECT job_id AS "jobId" FROM placed WHERE samples >= ${MAX_PACE_SAMPLES}`);

/** Doubles the step of job $1, which halves the number of samples. */
export const COARSEN_SAMPLES = `
WITH step AS (SELECT step_seconds * 2 AS seconds FROM job_pace WHERE job_id = $1),
fine AS (DELETE FROM job_pace_samples WHERE job_id = $1 RETURNING at, sent, failed),
coarse AS (
  INSERT INTO job_pace_samples (job_id, at, sent, failed)
  SELECT $1, slot, sum(sent), sum(failed) FROM (
    SELECT to_timestamp(floor(extract(epoch FROM at)::float8 / seconds) * seconds) AS slot, sent, failed FROM fine, step) f
  GROUP BY slot RETURNING at)
UPDATE job_pace SET step_seconds = (SELECT seconds FROM step), samples = (SELECT count(*) FROM coarse),
  last_at = (SELECT max(at) FROM coarse)
WHERE job_id = $1`;

/** Adds the oldest $1 changes to the hours of their accounts and returns their number; none while another process does it. */
export const FOLD_ACTIVITY = prepared(`
WITH taken AS MATERIALIZED (
  DELETE FROM activity_deltas WHERE id = ANY(ARRAY(
    SELECT id FROM activity_deltas ORDER BY id LIMIT CASE WHEN pg_try_advisory_xact_lock(${ACTIVITY_LOCK}) THEN $1::int ELSE 0 END))
  RETURNING *),
known AS (SELECT t.*, ${HOUR('t.at')} AS hour FROM taken t
  WHERE EXISTS (SELECT 1 FROM accounts WHERE id = t.account_id)),
counted AS (
  INSERT INTO account_activity AS a (account_id, hour, sent, delivered, read, undelivered, failed, received)
  SELECT account_id, hour, sum(sent), sum(delivered), sum(read), sum(undelivered),
    COALESCE(sum(failed) FILTER (WHERE code IS DISTINCT FROM 'opted_out'), 0), sum(received)
  FROM known GROUP BY account_id, hour ORDER BY account_id, hour
  ON CONFLICT (account_id, hour) DO UPDATE SET sent = a.sent + EXCLUDED.sent, delivered = a.delivered + EXCLUDED.delivered,
    read = a.read + EXCLUDED.read, undelivered = a.undelivered + EXCLUDED.undelivered, failed = a.failed + EXCLUDED.failed,
    received = a.received + EXCLUDED.received),
failures AS (
  INSERT INTO account_failures AS f (account_id, hour, code, count)
  SELECT account_id, hour, code, count(*) FROM known WHERE code IS NOT NULL GROUP BY account_id, hour, code
  ORDER BY account_id, hour, code
  ON CONFLICT (account_id, hour, code) DO UPDATE SET count = f.count + EXCLUDED.count)
SELECT count(*)::int AS count FROM taken`);

/** Counts status reports of jobs, in the statement that adds them to the jobs. */
export const COUNT_STATUSES = (folded: string): string => `
INSERT INTO account_activity AS a (account_id, hour, delivered, read, undelivered)
SELECT account_id, ${HOUR('statement_timestamp()')}, sum(delivered), sum(read), sum(undelivered) FROM ${folded}
GROUP BY account_id ORDER BY account_id
ON CONFLICT (account_id, hour) DO UPDATE SET delivered = a.delivered + EXCLUDED.delivered, read = a.read + EXCLUDED.read,
  undelivered = a.undelivered + EXCLUDED.undelivered`;

export const PACE = `
SELECT p.step_seconds AS "stepSeconds", s.at, s.sent, s.failed FROM job_pace p
LEFT JOIN job_pace_samples s ON s.job_id = p.job_id WHERE p.job_id = $1 ORDER BY s.at`;

/** $1 account, $2 and $3 from and until, $4 hour or day. */
export const SERIES = `
SELECT date_trunc($4, hour, 'UTC') AS at, sum(sent)::int AS sent, sum(delivered)::int AS delivered, sum(read)::int AS read,
  sum(undelivered)::int AS undelivered, sum(failed)::int AS failed, sum(received)::int AS received
FROM account_activity WHERE account_id = $1 AND hour >= $2 AND hour < $3 GROUP BY 1 ORDER BY 1`;

/** $1 account, $2 and $3 from and until, $4 limit. People who were skipped are no failures. */
export const TOP_FAILURES = `
SELECT code AS "errorCode", sum(count)::int AS count FROM account_failures
WHERE account_id = $1 AND hour >= $2 AND hour < $3 AND code NOT IN ('${OPTED_OUT.code}', '${RECIPIENT_ERASED.code}')
GROUP BY code ORDER BY 2 DESC, 1 LIMIT $4`;

/** $1 account, $2 before this time, $3 limit. */
export const EXPIRE_ACTIVITY = `
DELETE FROM account_activity WHERE account_id = $1 AND hour = ANY(ARRAY(
  SELECT hour FROM account_activity WHERE account_id = $1 AND hour < $2 ORDER BY hour LIMIT $3))`;
export const EXPIRE_FAILURES = `
DELETE FROM account_failures WHERE account_id = $1 AND hour = ANY(ARRAY(
  SELECT hour FROM account_failures WHERE account_id = $1 AND hour < $2 ORDER BY hour LIMIT $3))`;
