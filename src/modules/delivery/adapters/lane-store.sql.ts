import { stopped } from './stop-job.sql';

/** Its validity is over. */
const EXPIRED = `COALESCE(j.valid_until <= clock_timestamp(), false)`;

/** The messaging tier that holds has no room for its next recipient. */
const HELD = `COALESCE(j.throttled_until > clock_timestamp() AND COALESCE(j.throttled_tier = s.messaging_tier, true), false)`;

/**
 * Senders with something to do whose lane is free: $1 grace in ms, $2 there is no other process. That one knows itself
 * which lanes it runs, and a lane whose taking or giving back broke must not be left alone until the next start.
 */
export const SENDERS_TO_RUN = `
SELECT w.sender_id FROM (
  SELECT j.sender_id FROM bulk_jobs j JOIN senders s ON s.id = j.sender_id
  WHERE j.completed_at IS NULL AND j.status IN ('Queued', 'Processing', 'Paused', 'Cancelled', 'Failed') AND (
    (j.status IN ('Queued', 'Processing') AND ((j.cursor <= j.total_recipients
      AND NOT ${HELD}) OR EXISTS (
      SELECT 1 FROM job_recipients r WHERE r.job_id = j.id AND r.retry_at <= clock_timestamp())))
    OR (j.status IN ('Queued', 'Processing') AND ${EXPIRED} AND (j.cursor <= j.total_recipients OR EXISTS (
      SELECT 1 FROM job_recipients r WHERE r.job_id = j.id AND r.retry_at IS NOT NULL)))
    OR (j.status IN ('Cancelled', 'Failed') AND (j.unknown_in_grace = 0 OR EXISTS (
      SELECT 1 FROM job_recipients r WHERE r.job_id = j.id AND r.retry_at IS NOT NULL)))
    OR j.settled_below < j.cursor
    OR EXISTS (SELECT 1 FROM job_recipients r WHERE r.job_id = j.id AND r.sending_epoch IS NOT NULL)
    OR EXISTS (SELECT 1 FROM job_recipients r
      WHERE r.job_id = j.id AND r.unknown_since < clock_timestamp() - $1 * interval '1 ms')
    OR (j.cursor > j.total_recipients AND j.unknown_in_grace = 0 AND NOT EXISTS (
      SELECT 1 FROM job_recipients r WHERE r.job_id = j.id AND r.retry_at IS NOT NULL)))
  UNION SELECT s.sender_id FROM single_sends s WHERE s.retry_at <= clock_timestamp()
  UNION SELECT s.sender_id FROM single_sends s WHERE s.sending_epoch IS NOT NULL
) w LEFT JOIN sender_lanes l ON l.sender_id = w.sender_id
WHERE l.sender_id IS NULL OR l.lease_until < clock_timestamp() OR $2`;

/**
 * Takes the lane when nobody holds it: $1 sender, $2 this process, $3 it is the only one. A knock may name a sender of
 * another deployment on the same Redis: there is no lane for it here.
 */
export const TAKE_LANE = `
INSERT INTO sender_lanes AS l (sender_id, epoch, owner, lease_until)
SELECT id, 1, $2, CASE WHEN $3::boolean THEN 'infinity' ELSE clock_timestamp() + interval '4 s' END
FROM senders WHERE id = $1
ON CONFLICT (sender_id) DO UPDATE SET epoch = l.epoch + 1, owner = EXCLUDED.owner, lease_until = EXCLUDED.lease_until,
  throttled_reason = NULL, throttled_until = NULL
WHERE l.lease_until < clock_timestamp() OR $3
RETURNING epoch`;

export const RENEW_LANE = `
UPDATE sender_lanes SET lease_until = clock_timestamp() + interval '4 s' WHERE sender_id = $1 AND epoch = $2`;

export const GIVE_LANE_BACK = `
UPDATE sender_lanes SET owner = NULL, lease_until = '-infinity', throttled_reason = NULL, throttled_until = NULL
WHERE sender_id = $1 AND epoch = $2`;

export const HOLD_LANE = `SELECT 1 FROM sender_lanes WHERE sender_id = $1 AND epoch = $2 FOR SHARE`;

/** The fence stands on the rows that it protects; this waits for claims that are open under an older epoch. */
export const STAMP_JOBS = `
UPDATE bulk_jobs SET lane_epoch = $2
WHERE sender_id = $1 AND completed_at IS NULL AND lane_epoch < $2 AND status NOT IN ('Importing', 'Abandoned')`;

const COUNT_STRANDED = `
UPDATE bulk_jobs j SET unknown = j.unknown + s.count, unknown_in_grace = j.unknown_in_grace + s.count, updated_at = now()
FROM (SELECT job_id, count(*)::int AS count FROM stranded GROUP BY job_id) s WHERE j.id = s.job_id`;

export const JOBS_WITH_FIRST_ATTEMPTS = `
SELECT id, settled_below, cursor FROM bulk_jobs
WHERE sender_id = $1 AND lane_epoch = $2 AND completed_at IS NULL AND settled_below < cursor ORDER BY id`;

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

/** Later attempts that were in flight under an older epoch. */
export const STRAND_LATER_ATTEMPTS = `
WITH stranded AS (
  UPDATE job_recipients r SET outcome = 'Unknown', unknown_since = clock_timestamp(), sending_epoch = NULL,
    updated_at = clock_timestamp()
  FROM bulk_jobs j
  WHERE j.sender_id = $1 AND j.lane_epoch = $2 AND j.completed_at IS NULL AND r.job_id = j.id
    AND r.sending_epoch < $2 AND r.outcome IS NULL
  RETURNING r.job_id)
${COUNT_STRANDED}`;

export const SETTLE_BELOW_CURSOR = `
UPDATE bulk_jobs SET settled_below = cursor
WHERE sender_id = $1 AND lane_epoch = $2 AND completed_at IS NULL AND settled_below < cursor`;

/** What a lane sees: $1 sender, $2 grace in ms. */
export const LOOK = `
SELECT j.id, j.account_id, j.status, j.revision_id, j.header_media, j.total_recipients, j.cursor, j.settled_below,
  ${EXPIRED} AS expired, ${HELD} AS held,
  j.lane_epoch, j.successfully_sent, j.failed, j.unknown_in_grace,
  EXISTS (SELECT 1 FROM job_recipients r WHERE r.job_id = j.id AND r.retry_at <= clock_timestamp()) AS retry_due,
  EXISTS (SELECT 1 FROM job_recipients r WHERE r.job_id = j.id AND r.retry_at IS NOT NULL) AS retry_waiting,
  EXISTS (SELECT 1 FROM job_recipients r WHERE r.job_id = j.id AND r.sending_epoch IS NOT NULL) AS sending,
  EXISTS (SELECT 1 FROM job_recipients r
    WHERE r.job_id = j.id AND r.unknown_since < clock_timestamp() - $2 * interval '1 ms') AS grace_over
FROM bulk_jobs j JOIN senders s ON s.id = j.sender_id
WHERE j.sender_id = $1 AND j.completed_at IS NULL
  AND j.status IN ('Queued', 'Processing', 'Paused', 'Cancelled', 'Failed')
ORDER BY j.id`;

export const SINGLE_DUE = `
SELECT 1 FROM single_sends WHERE sender_id = $1 AND retry_at <= clock_timestamp() AND valid_until > clock_timestamp() LIMIT 1`;

/** What may be tried of a range: $1 job, $2 first position, $3 the one behind the last, $4 how many. */
export const PEEK = `
SELECT position, message_id, phone, parameters FROM job_recipients
WHERE job_id = $1 AND position >= $2 AND position < $3 AND outcome IS NULL ORDER BY position LIMIT $4`;

/** The claim of first attempts: $1 job, $2 epoch, $3 cursor seen, $4 new cursor, $5 settled below, $6 skipped,
 * $7 and $8 until when which messaging tier holds it back. */
export const MOVE_CURSOR = `
UPDATE bulk_jobs SET cursor = $4, settled_below = GREATEST(settled_below, LEAST($5::int, $4::int)), status = 'Processing',
  started_at = COALESCE(started_at, clock_timestamp()), skipped = skipped + $6, failed = failed + $6, updated_at = now(),
  throttled_until = $7::timestamptz, throttled_tier = $8,
  throttled_reason = CASE WHEN $7::timestamptz IS NOT NULL THEN 'messaging_limit_reached' END
WHERE id = $1 AND lane_epoch = $2 AND status IN ('Queued', 'Processing') AND cursor = $3
  AND (valid_until IS NULL OR valid_until > clock_timestamp())`;

/** Whether one of the positions that were peeked at, $2, was settled before the cursor moved: their people may be erased. */
export const SETTLED_MEANWHILE = `
SELECT 1 FROM job_recipients WHERE job_id = $1 AND position = ANY($2::int[]) AND outcome IS NOT NULL LIMIT 1`;

export const SKIP_OPTED_OUT = `
UPDATE job_recipients SET outcome = 'Skipped', problem = 'opted_out',
  problem_message = 'The recipient has opted out of messages.', updated_at = clock_timestamp()
WHERE job_id = $1 AND position = ANY($2::int[])`;

/**
 * Passes by those whom the validity of their job leaves no time: $1 job, $2 epoch, $3 cursor seen, $4 new cursor, $5 settled
 * below.
 */
export const EXPIRE_CURSOR = `
UPDATE bulk_jobs SET cursor = $4, settled_below = GREATEST(settled_below, LEAST($5::int, $4::int)), status = 'Processing',
  started_at = COALESCE(started_at, clock_timestamp()), throttled_until = NULL, throttled_reason = NULL, updated_at = now()
WHERE id = $1 AND lane_epoch = $2 AND status IN ('Queued', 'Processing') AND cursor = $3
  AND valid_until <= clock_timestamp()`;

/** Fails those and counts them: $1 job, $2 and $3 first position and the one behind the last, $4 and $5 code and message. */
export const EXPIRE_RECIPIENTS = `
WITH expired AS (
  UPDATE job_recipients SET outcome = 'Failed', problem = $4, problem_message = $5, updated_at = clock_timestamp()
  WHERE job_id = $1 AND position >= $2 AND position < $3 AND outcome IS NULL
  RETURNING 1)
UPDATE bulk_jobs SET failed = failed + (SELECT count(*)::int FROM expired) WHERE id = $1`;

/** Asked only for people who have opted out of marketing alone. */
export const IS_MARKETING = `
SELECT 1 FROM bulk_jobs j JOIN templates t ON t.account_id = j.account_id AND t.name = j.template_name
  AND t.language_code = j.language_code
WHERE j.id = $1 AND t.category = 'Marketing'`;

export const LOCK_RUNNING_JOB = `
SELECT account_id FROM bulk_jobs WHERE id = $1 AND lane_epoch = $2 AND status IN ('Queued', 'Processing')
  AND (valid_until IS NULL OR valid_until > clock_timestamp()) FOR UPDATE`;

export const CLAIM_RETRIES = `
UPDATE job_recipients SET attempt = attempt + 1, sending_epoch = $2, retry_at = NULL
WHERE job_id = $1 AND position IN (
  SELECT position FROM job_recipients WHERE job_id = $1 AND retry_at <= clock_timestamp() ORDER BY retry_at LIMIT $3)
RETURNING position, message_id, attempt, phone, parameters`;

export const LATER_ATTEMPTS = `
SELECT position, attempt FROM job_recipients
WHERE job_id = $1 AND sending_epoch = $2 AND outcome IS NULL ORDER BY position LIMIT 500`;

export const RAISE_SETTLED_BELOW = `
UPDATE bulk_jobs SET settled_below = LEAST($3, cursor)
WHERE id = $1 AND lane_epoch = $2 AND settled_below < LEAST($3, cursor)`;

export const COMPLETE = `
UPDATE bulk_jobs SET status = CASE WHEN status IN ('Cancelled', 'Failed') THEN status ELSE 'Completed' END,
  failed = total_recipients - successfully_sent, started_at = COALESCE(started_at, clock_timestamp()),
  completed_at = clock_timestamp(), pause_reason = NULL, pause_problem = NULL, throttled_reason = NULL, throttled_until = NULL, updated_at = now()
WHERE id = $1 AND lane_epoch = $2 AND completed_at IS NULL AND unknown_in_grace = 0 AND settled_below = cursor
  AND (status IN ('Cancelled', 'Failed') OR successfully_sent + failed = total_recipients)`;

/** Counts the rows of a range of positions: $1 job, $2 and $3 first and last position. */
export const PROVE_RANGE = `
SELECT count(*) FILTER (WHERE outcome = 'Sent')::int AS sent,
  count(*) FILTER (WHERE outcome IN ('Failed', 'Skipped', 'Cancelled') OR (outcome = 'Unknown' AND problem IS NOT NULL))::int
    AS failed,
  count(*) FILTER (WHERE outcome IS NULL)::int AS open,
  count(*) FILTER (WHERE outcome = 'Unknown' AND problem IS NULL)::int AS in_grace
FROM job_recipients WHERE job_id = $1 AND position BETWEEN $2 AND $3`;

/** Every change of a row changes a counter: while they stand as they were seen, so do the rows that were counted. */
export const REPAIR = `
UPDATE bulk_jobs SET successfully_sent = $3, failed = $4, unknown_in_grace = $5, updated_at = now()
WHERE id = $1 AND lane_epoch = $2 AND completed_at IS NULL
  AND successfully_sent = $6 AND failed = $7 AND unknown_in_grace = $8`;

/** Pauses or fails: $1 job, $2 epoch, $3 for good, $4 code and $5 reason. */
export const STOP = `
UPDATE bulk_jobs SET ${stopped('$3', '$4', '$5')}
WHERE id = $1 AND lane_epoch = $2 AND status IN ('Queued', 'Processing')`;

export const SHOW_THROTTLE = `
UPDATE sender_lanes SET throttled_reason = $3, throttled_until = $4 WHERE sender_id = $1 AND epoch = $2`;

export const LOCK_JOBS = `
SELECT id, account_id, status, template_name, language_code, revision_id, header_media, reference, clock_timestamp() AS now
FROM bulk_jobs WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`;

const RECIPIENT = `r.job_id, r.position, r.row_number, r.message_id, r.phone, r.parameters, r.attempt, r.strikes, r.throttles,
  r.retry_at, r.unknown_since, r.outcome, r.problem, r.problem_message, r.platform_code`;

export const RECIPIENTS_AT = `
SELECT ${RECIPIENT} FROM (SELECT DISTINCT * FROM unnest($1::uuid[], $2::int[]) AS u (job_id, position)) a
JOIN job_recipients r ON r.job_id = a.job_id AND r.position = a.position`;

/** $1 job, $2 grace in ms, $3 how many. */
export const RECIPIENTS_WITH_GRACE_OVER = `
SELECT ${RECIPIENT} FROM job_recipients r
WHERE r.job_id = $1 AND r.unknown_since < clock_timestamp() - $2 * interval '1 ms' AND r.outcome = 'Unknown' LIMIT $3`;

export const RECIPIENTS_WAITING = `
SELECT ${RECIPIENT} FROM job_recipients r
WHERE r.job_id = $1 AND r.retry_at IS NOT NULL AND r.outcome IS NULL LIMIT $2`;

export const SAVE_RECIPIENTS = `
UPDATE job_recipients r SET attempt = s.attempt, strikes = s.strikes, throttles = s.throttles, retry_at = s.retry_at,
  unknown_since = s.unknown_since, outcome = s.outcome, problem = s.problem, problem_message = s.problem_message,
  platform_code = s.platform_code, sending_epoch = NULL, updated_at = clock_timestamp()
FROM unnest($2::int[], $3::int[], $4::smallint[], $5::smallint[], $6::timestamptz[], $7::timestamptz[], $8::text[],
  $9::text[], $10::text[], $11::int[])
  AS s (position, attempt, strikes, throttles, retry_at, unknown_since, outcome, problem, problem_message, platform_code)
WHERE r.job_id = $1 AND r.position = s.position`;

export const ADD_TO_COUNTERS = `
UPDATE bulk_jobs SET successfully_sent = successfully_sent + $2, failed = failed + $3, skipped = skipped + $4,
  unknown = unknown + $5, unknown_in_grace = unknown_in_grace + $6, updated_at = now()
WHERE id = $1`;
