import { prepared } from '../../../infra/database/prepared-statement';
import { CLOSED, EXPIRED, FIRST_IN_FLIGHT, FIRST_RETRY, FIRST_UNKNOWN, FOR_LANES, HELD } from './lane-jobs.sql';

/** A job that needs its lane: $1 grace in ms. */
const NEEDS_LANE = `
  (j.status IN ('Queued', 'Processing') AND ((${EXPIRED} AND (j.cursor <= j.total_recipients OR w.retry_at IS NOT NULL))
    OR (((j.cursor <= j.total_recipients AND NOT ${HELD}) OR w.retry_at <= statement_timestamp()) AND NOT ${CLOSED})))
  OR (j.status IN ('Cancelled', 'Failed') AND (j.unknown_in_grace = 0 OR w.retry_at IS NOT NULL))
  OR j.settled_below < j.cursor
  OR (j.cursor > j.total_recipients AND j.unknown_in_grace = 0 AND w.retry_at IS NULL)
  OR ${FIRST_IN_FLIGHT} IS NOT NULL
  OR ${FIRST_UNKNOWN} < statement_timestamp() - $1 * interval '1 ms'`;

/** The senders of `rows`, by one index probe each, independent of their number of rows; the last one is NULL. */
const sendersOf = (name: string, rows: string, condition: string): string => `${name} AS (
  (SELECT sender_id ${rows} WHERE ${condition} ORDER BY sender_id LIMIT 1)
  UNION ALL
  SELECT (SELECT t.sender_id ${rows} t WHERE ${condition} AND t.sender_id > p.sender_id ORDER BY t.sender_id LIMIT 1)
  FROM ${name} p WHERE p.sender_id IS NOT NULL)`;

/** Senders with work whose lane is free, of those with jobs or single sends; OFFSET 0 restricts the search for work to free lanes. */
const sendersToRun = (exclusive: string): string => `
WITH RECURSIVE ${sendersOf('with_jobs', 'FROM bulk_jobs', 'completed_at IS NULL AND NOT at_rest')},
${sendersOf('with_retries', 'FROM single_sends', 'retry_at IS NOT NULL')},
${sendersOf('with_requests', 'FROM single_sends', 'sending_epoch IS NOT NULL')},
working AS (SELECT sender_id FROM with_jobs UNION SELECT sender_id FROM with_retries UNION SELECT sender_id FROM with_requests)
SELECT s.id AS "senderId" FROM (
  SELECT s.id, s.messaging_tier FROM working w CROSS JOIN LATERAL (
    SELECT id, messaging_tier FROM senders WHERE id = w.sender_id LIMIT 1) s
  WHERE ${exclusive} OR COALESCE((SELECT l.lease_until FROM sender_lanes l WHERE l.sender_id = s.id), '-infinity')
    < statement_timestamp() OFFSET 0) s
WHERE
  (SELECT true FROM bulk_jobs j CROSS JOIN LATERAL (SELECT ${FIRST_RETRY} AS retry_at OFFSET 0) w
    WHERE j.sender_id = s.id AND ${FOR_LANES} AND (${NEEDS_LANE}) LIMIT 1)
  OR (SELECT true FROM single_sends q WHERE q.sender_id = s.id AND q.retry_at <= statement_timestamp()
    ORDER BY q.retry_at LIMIT 1)
  OR (SELECT true FROM single_sends q WHERE q.sender_id = s.id AND q.sending_epoch IS NOT NULL
    ORDER BY q.sending_epoch LIMIT 1)`;

/**
 * $1 grace in ms, $2 whether this is the only process: it tracks its lanes itself, and must find lanes again that it failed to take or
 * release.
 */
export const SENDERS_TO_RUN = prepared(sendersToRun('$2'));

/**
 * Lanes with an owner, lanes with work and no owner, and the recipients to whom running jobs may send now, of all processes: $1 grace in ms.
 */
export const WORKLOAD = prepared(`
SELECT (SELECT count(*)::int FROM sender_lanes WHERE lease_until > statement_timestamp()) AS owned,
  (SELECT count(*)::int FROM (${sendersToRun('false')}) free) AS unowned,
  (SELECT COALESCE(sum(GREATEST(0, j.total_recipients - j.successfully_sent - j.failed - j.unknown_in_grace)), 0)::float8
    FROM bulk_jobs j JOIN senders s ON s.id = j.sender_id JOIN accounts a ON a.id = j.account_id
    WHERE j.status IN ('Queued', 'Processing') AND j.completed_at IS NULL AND NOT j.at_rest
      AND a.status = 'Active' AND NOT a.sending_paused AND NOT ${HELD} AND NOT ${CLOSED}) AS recipients`);

/**
 * A report is valid for 3 s, less than a lease, so that workers that take over from a dead one no longer count it. $1 owner, $2 lanes,
 * $3 whether this is the only process: it reports once and replaces earlier ones.
 */
export const REPORT_WORKER = `
WITH dead AS (
  DELETE FROM lane_workers WHERE owner = ANY(ARRAY(
    SELECT owner FROM lane_workers WHERE owner <> $1 AND (lease_until < statement_timestamp() - interval '1 min' OR $3::boolean)
    ORDER BY owner FOR UPDATE SKIP LOCKED))),
own AS (
  INSERT INTO lane_workers (owner, lanes, lease_until) VALUES ($1, $2::int, CASE WHEN $3 THEN 'infinity' ELSE clock_timestamp() + interval '3 s' END)
  ON CONFLICT (owner) DO UPDATE SET lanes = EXCLUDED.lanes, lease_until = EXCLUDED.lease_until)
SELECT count(*)::int + 1 AS workers, COALESCE(sum(lanes), 0)::int + $2::int AS lanes
FROM lane_workers WHERE owner <> $1 AND lease_until > statement_timestamp()`;

export const REMOVE_WORKER = `DELETE FROM lane_workers WHERE owner = $1`;

/**
 * Takes a free lane: $1 sender, $2 this process, $3 whether it is the only one. Does nothing for an unknown sender: a wake-up may
 * come from another deployment on the same Redis.
 */
export const TAKE_LANE = `
INSERT INTO sender_lanes AS l (sender_id, epoch, owner, lease_until)
SELECT id, 1, $2, CASE WHEN $3::boolean THEN 'infinity' ELSE clock_timestamp() + interval '4 s' END
FROM senders WHERE id = $1
ON CONFLICT (sender_id) DO UPDATE SET epoch = l.epoch + 1, owner = EXCLUDED.owner, lease_until = EXCLUDED.lease_until,
  throttled_reason = NULL, throttled_until = NULL
WHERE l.lease_until < statement_timestamp() OR $3
RETURNING epoch`;

/** Renews lanes whose rows nobody has locked, as a claim does for its duration: $1 senders, $2 epochs. */
export const RENEW_LANES = prepared(`
UPDATE sender_lanes SET lease_until = clock_timestamp() + interval '4 s' WHERE sender_id = ANY(ARRAY(
  SELECT l.sender_id FROM unnest($1::uuid[], $2::bigint[]) AS r (sender_id, epoch) CROSS JOIN LATERAL (
    SELECT sender_id FROM sender_lanes WHERE sender_id = r.sender_id AND epoch = r.epoch FOR NO KEY UPDATE SKIP LOCKED) l))
RETURNING sender_id AS "senderId"`);

export const RENEW_LANE = prepared(`
UPDATE sender_lanes SET lease_until = clock_timestamp() + interval '4 s' WHERE sender_id = $1 AND epoch = $2`);

export const RELEASE_LANE = `
UPDATE sender_lanes SET owner = NULL, lease_until = '-infinity', throttled_reason = NULL, throttled_until = NULL
WHERE sender_id = $1 AND epoch = $2`;

export const HOLD_LANE = prepared(`SELECT 1 FROM sender_lanes WHERE sender_id = $1 AND epoch = $2 FOR SHARE`);

export const SHOW_THROTTLE = `
UPDATE sender_lanes SET throttled_reason = $3, throttled_until = $4 WHERE sender_id = $1 AND epoch = $2`;
