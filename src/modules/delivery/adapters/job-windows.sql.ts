import { prepared } from '../../../infra/database/prepared-statement';
import { CLOSED, FIRST_IN_FLIGHT, FIRST_RETRY } from './lane-jobs.sql';

const RUNS = `j.status IN ('Queued', 'Processing') AND j.completed_at IS NULL`;

/** A running job outside its send window with something left to send. */
const IS_CLOSED = `${RUNS} AND j.send_zone IS NOT NULL AND NOT j.at_rest AND ${CLOSED}
  AND (j.cursor <= j.total_recipients OR ${FIRST_RETRY} IS NOT NULL)`;

const UNMARKED = `COALESCE(j.window_opens_at <= statement_timestamp(), true)`;
/**
 * Nothing of the job is in flight or unknown, and its validity has not ended. It keeps its lane for 3 s after a change, as event
 * streams read running jobs by their lanes.
 */
const NEEDS_NO_LANE = `(j.settled_below = j.cursor AND j.unknown_in_grace = 0 AND ${FIRST_IN_FLIGHT} IS NULL
  AND j.updated_at < statement_timestamp() - interval '3 s' AND COALESCE(j.valid_until > statement_timestamp(), true))`;

/** Locks jobs to be marked or put at rest, so that the next statement sees their current state: $1 limit. Never blocks. */
export const LOCK_CLOSED = prepared(`
SELECT j.id FROM bulk_jobs j WHERE ${IS_CLOSED} AND (${UNMARKED} OR ${NEEDS_NO_LANE})
ORDER BY j.id LIMIT $1 FOR UPDATE SKIP LOCKED`);

/**
 * Marks the locked jobs $1. The opening time follows from the same rule as the closed state and is later than now, so each is marked
 * once. A job at rest has no epoch, so nothing of it can be claimed. IS TRUE prevents a plan that reads the index of all running jobs.
 */
export const MARK_CLOSED = prepared(`
UPDATE bulk_jobs j SET at_rest = ${NEEDS_NO_LANE}, lane_epoch = CASE WHEN ${NEEDS_NO_LANE} THEN 0 ELSE j.lane_epoch END,
  window_opens_at = CASE WHEN ${UNMARKED}
    THEN send_window_opens_at(j.send_from, j.send_until, j.send_zone, j.send_days, statement_timestamp()) ELSE j.window_opens_at END
WHERE j.id = ANY($1::uuid[]) AND (${IS_CLOSED}) IS TRUE`);

/** Wakes jobs at rest whose window has opened or whose validity has ended: $1 limit. */
export const WAKE_OPEN = prepared(`
UPDATE bulk_jobs SET at_rest = false WHERE id = ANY(ARRAY(
  SELECT j.id FROM bulk_jobs j WHERE j.at_rest AND ${RUNS} AND LEAST(j.window_opens_at, j.valid_until) <= statement_timestamp()
  ORDER BY LEAST(j.window_opens_at, j.valid_until) LIMIT $1 FOR UPDATE SKIP LOCKED))
RETURNING sender_id AS "senderId"`);
