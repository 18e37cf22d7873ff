import { prepared } from '../../../infra/database/prepared-statement';
import { stopped } from './stop-job.sql';

/** The validity of job `j` has ended. */
export const EXPIRED = `COALESCE(j.valid_until <= statement_timestamp(), false)`;

/** Whether a moment is outside the job's send window, by the time zones of the database. */
const closedAt = (moment: string): string =>
  `(send_zone IS NOT NULL AND send_window_closed(send_from, send_until, send_zone, send_days, ${moment}))`;
export const CLOSED = closedAt('statement_timestamp()');

/** The sender's messaging tier has no room for the next recipient, or the platform limits the template. */
export const HELD = `COALESCE(
  j.throttled_until > statement_timestamp() AND COALESCE(j.throttled_tier = s.messaging_tier, true), false)`;

/**
 * The first recipient of a job that waits for a retry, has an unknown outcome, or is in flight: one probe of a small index each,
 * independent of the planner's statistics.
 */
export const FIRST_RETRY = `(SELECT r.retry_at FROM job_recipients r
    WHERE r.job_id = j.id AND r.retry_at IS NOT NULL ORDER BY r.retry_at LIMIT 1)`;
export const FIRST_UNKNOWN = `(SELECT r.unknown_since FROM job_recipients r
    WHERE r.job_id = j.id AND r.unknown_since IS NOT NULL ORDER BY r.unknown_since LIMIT 1)`;
export const FIRST_IN_FLIGHT = `(SELECT r.sending_epoch FROM job_recipients r
    WHERE r.job_id = j.id AND r.sending_epoch IS NOT NULL ORDER BY r.sending_epoch LIMIT 1)`;

/** The jobs of a lane; those at rest need no lane until their status or counters change. */
export const FOR_LANES = `j.completed_at IS NULL AND NOT j.at_rest
  AND j.status IN ('Scheduled', 'Queued', 'Processing', 'Paused', 'Cancelled', 'Failed')`;

/** The state of the jobs of lanes: $1 senders, $2 grace in ms. */
export const UNFINISHED_JOBS = prepared(`
SELECT j.sender_id AS "senderId", j.id, j.account_id AS "accountId", j.status, j.revision_id AS "revisionId", j.header_media AS "extras", j.traceparent,
  j.total_recipients AS "totalRecipients", j.cursor, j.settled_below AS "settledBelow", ${EXPIRED} AS expired, ${HELD} AS held, ${CLOSED} AS closed,
  j.lane_epoch AS "laneEpoch", j.successfully_sent AS "successfullySent", j.failed, j.unknown_in_grace AS "unknownInGrace",
  COALESCE(w.retry_at <= statement_timestamp(), false) AS "retryDue", w.retry_at IS NOT NULL AS "retryWaiting",
  ${FIRST_IN_FLIGHT} IS NOT NULL AS sending,
  COALESCE(${FIRST_UNKNOWN} < statement_timestamp() - $2 * interval '1 ms', false) AS "graceOver"
FROM bulk_jobs j JOIN senders s ON s.id = j.sender_id CROSS JOIN LATERAL (SELECT ${FIRST_RETRY} AS retry_at OFFSET 0) w
WHERE j.sender_id = ANY($1::uuid[]) AND ${FOR_LANES}
ORDER BY j.id`);

/** The epoch is stored in the rows that it protects; waits for open claims under an older epoch. */
export const ADOPT_JOBS = prepared(`
UPDATE bulk_jobs SET lane_epoch = $2
WHERE lane_epoch < $2 AND id = ANY(ARRAY(
  SELECT id FROM bulk_jobs
  WHERE sender_id = $1 AND lane_epoch < $2 AND completed_at IS NULL AND NOT at_rest AND status NOT IN ('Importing', 'Abandoned')
  ORDER BY id FOR UPDATE))`);

/** Locks waiting jobs of the lane, so that the next statement sees their current state: $1 jobs, $2 epoch. */
export const LOCK_WAITING_JOBS = `
SELECT 1 FROM bulk_jobs WHERE id = ANY($1::uuid[]) AND lane_epoch = $2 AND status IN ('Paused', 'Scheduled') ORDER BY id FOR UPDATE`;

/**
 * Puts those of the locked Paused or Scheduled jobs $1 at rest that need no lane: nothing is in flight or unknown, and something is left
 * to send. Without an epoch nothing of them can be claimed. IS TRUE prevents a plan that reads the index of paused jobs.
 */
export const PUT_AT_REST = `
UPDATE bulk_jobs j SET at_rest = true, lane_epoch = 0
WHERE j.id = ANY($1::uuid[]) AND j.lane_epoch = $2 AND (j.status IN ('Paused', 'Scheduled')) IS TRUE AND j.completed_at IS NULL
  AND j.settled_below = j.cursor AND j.unknown_in_grace = 0 AND ${FIRST_IN_FLIGHT} IS NULL
  AND (j.cursor <= j.total_recipients OR ${FIRST_RETRY} IS NOT NULL)`;

export const JOBS_WITH_FIRST_ATTEMPTS = prepared(`
SELECT id, settled_below AS "settledBelow", cursor FROM bulk_jobs
WHERE sender_id = $1 AND lane_epoch = $2 AND completed_at IS NULL AND NOT at_rest AND settled_below < cursor ORDER BY id`);

/** Updates only jobs that ADOPT_JOBS has locked in the same transaction. */
export const SETTLE_BELOW_CURSOR = `
UPDATE bulk_jobs SET settled_below = cursor
WHERE sender_id = $1 AND lane_epoch = $2 AND completed_at IS NULL AND NOT at_rest AND settled_below < cursor`;

/** The clock is read under the lock: a claim that waited for it must not leave after its window or validity has ended. */
const MOMENT = `moment AS MATERIALIZED (SELECT clock_timestamp() AS at FROM locked)`;

/**
 * Claims first attempts, or expires them. A template limit is cleared once a message of the job is accepted (ADD_TO_COUNTERS), so that
 * attempts in between do not split one wait into several: $1 job, $2 epoch, $3 cursor read, $4 new cursor, $5 settled below, $6 skipped,
 * $7 and $8 until when which messaging tier has no room, $9 whether the validity has ended. The claim also fails if a hold was committed
 * while it waited for the lock, as it would clear the hold.
 */
export const MOVE_CURSOR = prepared(`
WITH locked AS MATERIALIZED (SELECT id FROM bulk_jobs WHERE id = $1 FOR UPDATE), ${MOMENT}
UPDATE bulk_jobs SET cursor = $4, settled_below = GREATEST(settled_below, LEAST($5::int, $4::int)), status = 'Processing',
  started_at = COALESCE(started_at, clock_timestamp()), skipped = skipped + $6, failed = failed + $6, updated_at = now(),
  throttled_until = $7::timestamptz, throttled_tier = $8,
  throttled_reason = CASE WHEN $7::timestamptz IS NOT NULL THEN 'messaging_limit_reached'
    WHEN throttled_reason = 'template_limited' THEN throttled_reason END
FROM moment
WHERE id = $1 AND lane_epoch = $2 AND status IN ('Queued', 'Processing') AND cursor = $3
  AND COALESCE(valid_until <= moment.at, false) = $9::boolean
  AND ($9 OR NOT (${closedAt('moment.at')}
    OR COALESCE(throttled_reason = 'template_limited' AND throttled_until > moment.at, false)))`);

export const LOCK_RUNNING_JOB = prepared(`
WITH locked AS MATERIALIZED (
  SELECT valid_until, send_zone, send_from, send_until, send_days FROM bulk_jobs
  WHERE id = $1 AND lane_epoch = $2 AND status IN ('Queued', 'Processing') FOR UPDATE), ${MOMENT}
SELECT 1 FROM locked, moment
WHERE (valid_until IS NULL OR valid_until > moment.at) AND NOT ${closedAt('moment.at')}`);

export const LOCK_OWNED_JOB = `SELECT 1 FROM bulk_jobs WHERE id = $1 AND lane_epoch = $2 AND completed_at IS NULL FOR UPDATE`;

export const RAISE_SETTLED_BELOW = prepared(`
UPDATE bulk_jobs SET settled_below = LEAST($3, cursor)
WHERE id = $1 AND lane_epoch = $2 AND settled_below < LEAST($3, cursor)`);

export const COMPLETE = `
UPDATE bulk_jobs SET status = CASE WHEN status IN ('Cancelled', 'Failed') THEN status ELSE 'Completed' END,
  failed = total_recipients - successfully_sent,
  completed_at = clock_timestamp(), pause_reason = NULL, pause_problem = NULL, throttled_reason = NULL, throttled_until = NULL, updated_at = now()
WHERE id = $1 AND lane_epoch = $2 AND completed_at IS NULL AND unknown_in_grace = 0 AND settled_below = cursor
  AND (status IN ('Cancelled', 'Failed') OR successfully_sent + failed = total_recipients)`;

/** Every change of a row changes a counter, so unchanged counters mean that the counted rows are unchanged too. */
export const REPAIR = `
UPDATE bulk_jobs SET successfully_sent = $3, failed = $4, unknown_in_grace = $5, updated_at = now()
WHERE id = $1 AND lane_epoch = $2 AND completed_at IS NULL
  AND successfully_sent = $6 AND failed = $7 AND unknown_in_grace = $8`;

/** $1 job, $2 epoch, $3 grace in ms. The reason marks the wait; its end is calculated when clients read the job. */
export const BEGIN_UNKNOWN_WAIT = prepared(`
UPDATE bulk_jobs j SET throttled_reason = 'unknown_outcomes', throttled_until = NULL, throttled_tier = NULL
WHERE j.id = $1 AND j.lane_epoch = $2 AND j.unknown_in_grace > 0
  AND j.throttled_reason IS DISTINCT FROM 'unknown_outcomes'
RETURNING (SELECT r.unknown_since FROM job_recipients r WHERE r.job_id = j.id AND r.unknown_since IS NOT NULL
  ORDER BY r.unknown_since DESC LIMIT 1) + $3 * interval '1 ms' AS until`);

/** $1 job, $2 epoch, $3 milliseconds. */
export const HOLD = prepared(`
UPDATE bulk_jobs SET throttled_reason = 'template_limited', throttled_until = statement_timestamp() + $3 * interval '1 ms',
  throttled_tier = NULL
WHERE id = $1 AND lane_epoch = $2 AND status IN ('Queued', 'Processing')
RETURNING throttled_until AS until`);

/** $1 sender, $2 milliseconds. A claim that waits for one of these jobs fails, as it would clear the hold. */
export const HOLD_OF_OTHER_SENDERS = prepared(`
UPDATE bulk_jobs SET throttled_reason = 'template_limited', throttled_until = statement_timestamp() + $2 * interval '1 ms',
  throttled_tier = NULL
WHERE id = ANY(ARRAY(
  SELECT j.id FROM senders own JOIN senders s ON s.business_account_id = own.business_account_id AND s.id <> own.id
  JOIN bulk_jobs j ON j.sender_id = s.id
  WHERE own.id = $1 AND j.completed_at IS NULL AND NOT j.at_rest AND j.status IN ('Queued', 'Processing')
    AND j.cursor <= j.total_recipients AND COALESCE(j.throttled_until <= statement_timestamp(), true)
  ORDER BY j.id FOR UPDATE OF j SKIP LOCKED))
RETURNING id, account_id AS "accountId", throttled_until AS until`);

/** Pauses or fails: $1 job, $2 epoch, $3 whether it is final, $4 code and $5 reason. */
export const STOP = `
UPDATE bulk_jobs SET ${stopped('$3', '$4', '$5')}
WHERE id = $1 AND lane_epoch = $2 AND status IN ('Queued', 'Processing')`;

export const LOCK_JOBS = prepared(`
SELECT id, account_id AS "accountId", sender_id AS "senderId", status IN ('Cancelled', 'Failed') AS ended, completed_at IS NOT NULL AS completed,
  cursor, template_name AS "templateName",
  language_code AS "languageCode", revision_id AS "revisionId", header_media AS "extras", reference,
  clock_timestamp() AS now
FROM bulk_jobs WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`);

/** Wakes a job at rest, which may need its lane again. A message accepted after a hold ends the limit of the template. */
export const ADD_TO_COUNTERS = prepared(`
UPDATE bulk_jobs SET throttled_reason = CASE WHEN $2::int > 0 AND throttled_reason = 'template_limited'
    AND COALESCE(throttled_until <= statement_timestamp(), true) THEN NULL ELSE throttled_reason END,
  successfully_sent = successfully_sent + $2::int, failed = failed + $3, skipped = skipped + $4,
  unknown = unknown + $5, unknown_in_grace = unknown_in_grace + $6, at_rest = false, updated_at = now()
WHERE id = $1`);

/** $1 job, from position $2 to below $3, $4 limit, $5 its sender. */
export const OPEN_RECIPIENTS = prepared(`
SELECT position, message_id AS "messageId", phone AS person, user_id AS "userId", parameters, extras AS own,
  (SELECT messaging_tier FROM senders WHERE id = $5) AS "messagingTier"
FROM job_recipients
WHERE job_id = $1 AND position >= $2 AND position < $3 AND outcome IS NULL ORDER BY position LIMIT $4`);

/** $1 job, $2 positions, $3 and $4 the first and the last of them. */
export const ANY_SETTLED = prepared(`
SELECT 1 FROM job_recipients
WHERE job_id = $1 AND position BETWEEN $3 AND $4 AND position = ANY($2::int[]) AND outcome IS NOT NULL LIMIT 1`);

export const SKIP = `
UPDATE job_recipients SET outcome = 'Skipped', problem = $3, problem_message = $4, updated_at = clock_timestamp()
WHERE job_id = $1 AND position = ANY($2::int[])`;

/** $1 job, from position $2 to below $3, $4 and $5 code and message. */
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
RETURNING job_id AS "jobId", position, message_id AS "messageId", attempt, phone AS person, user_id AS "userId", parameters,
  extras AS own`;

export const LATER_ATTEMPTS = `
SELECT position, attempt FROM job_recipients
WHERE job_id = $1 AND sending_epoch = $2 AND outcome IS NULL LIMIT 500`;

const COUNT_STRANDED = `
UPDATE bulk_jobs j SET unknown = j.unknown + s.count, unknown_in_grace = j.unknown_in_grace + s.count, updated_at = now()
FROM (SELECT job_id, count(*)::int AS count FROM stranded GROUP BY job_id) s WHERE j.id = s.job_id`;

/**
 * First attempts of one job that were in flight under an older epoch: $1 job, from position $2 to below $3. One job at a time: for
 * several jobs a plan may read all recipients.
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

/** $1 job, $2 and $3 first and last position of a range, $4 cursor. */
export const COUNT_OUTCOMES = `
SELECT count(*) FILTER (WHERE outcome = 'Sent')::int AS sent,
  count(*) FILTER (WHERE outcome IN ('Failed', 'Skipped', 'Cancelled') OR (outcome = 'Unknown' AND problem IS NOT NULL))::int
    AS failed,
  count(*) FILTER (WHERE outcome IS NULL AND position < $4)::int AS open,
  count(*) FILTER (WHERE outcome = 'Unknown' AND problem IS NULL)::int AS "inGrace"
FROM job_recipients WHERE job_id = $1 AND position BETWEEN $2 AND $3`;

/** A claim by the cursor writes no row: `attempt` is 0 until the first attempt has an answer. */
const RECIPIENT = `r.job_id AS "jobId", r.position, r.row_number AS "rowNumber", r.message_id AS "messageId", r.phone AS person,
  r.user_id AS "userId", r.parameters, r.extras AS own, r.reference, GREATEST(r.attempt, 1) AS attempt, r.strikes, r.throttles,
  r.retry_at AS "retryAt",
  r.unknown_since AS "unknownSince", r.outcome,
  CASE WHEN r.problem IS NOT NULL THEN jsonb_build_object('code', r.problem, 'message', COALESCE(r.problem_message, ''),
    'platformCode', r.platform_code) END AS problem`;

export const RECIPIENTS_AT = prepared(`
SELECT ${RECIPIENT} FROM (SELECT DISTINCT * FROM unnest($1::uuid[], $2::int[]) AS u (job_id, position)) a
CROSS JOIN LATERAL (SELECT * FROM job_recipients r WHERE r.job_id = a.job_id AND r.position = a.position LIMIT 1) r`);

/** $1 job, $2 grace in ms, $3 limit. */
export const RECIPIENTS_WITH_GRACE_OVER = prepared(`
SELECT ${RECIPIENT} FROM job_recipients r
WHERE r.job_id = $1 AND r.unknown_since < statement_timestamp() - $2 * interval '1 ms' AND r.outcome = 'Unknown'
ORDER BY r.unknown_since LIMIT $3`);

export const RECIPIENTS_WAITING = prepared(`
SELECT ${RECIPIENT} FROM job_recipients r
WHERE r.job_id = $1 AND r.retry_at IS NOT NULL AND r.outcome IS NULL ORDER BY r.retry_at LIMIT $2`);

export const SAVE_RECIPIENTS = prepared(`
UPDATE job_recipients r SET attempt = s.attempt, strikes = s.strikes, throttles = s.throttles, retry_at = s.retry_at,
  unknown_since = s.unknown_since, outcome = s.outcome, problem = s.problem, problem_message = s.problem_message,
  platform_code = s.platform_code, sending_epoch = NULL, updated_at = clock_timestamp()
FROM unnest(array_fill($1::uuid, ARRAY[cardinality($2::int[])]), $2::int[], $3::int[], $4::smallint[], $5::smallint[], $6::timestamptz[], $7::timestamptz[], $8::text[],
  $9::text[], $10::text[], $11::int[])
  AS s (job_id, position, attempt, strikes, throttles, retry_at, unknown_since, outcome, problem, problem_message, platform_code)
WHERE r.job_id = s.job_id AND r.position = s.position`);
