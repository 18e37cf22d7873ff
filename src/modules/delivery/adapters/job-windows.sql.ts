import { prepared } from '../../../infra/database/prepared-statement';
import { CLOSED, FIRST_IN_FLIGHT, FIRST_RETRY } from './lane-jobs.sql';

const RUNS = `j.status IN ('Queued', 'Processing') AND j.completed_at IS NULL`;

/** It runs, and is outside its send window. A job of which nothing is left to be sent waits for no window. */
const IS_CLOSED = `${RUNS} AND j.send_zone IS NOT NULL AND NOT j.at_rest AND ${CLOSED}
  AND (j.cursor <= j.total_recipients OR ${FIRST_RETRY} IS NOT NULL)`;

const UNMARKED = `COALESCE(j.window_opens_at <= statement_timestamp(), true)`;
/**
 * Nothing of it is in flight or unknown, and its validity is not over: it needs no lane. For some seconds after a change it stays where
 * streams of events look for what has changed.
 */
const NEEDS_NO_LANE = `(j.settled_below = j.cursor AND j.unknown_in_grace = 0 AND ${FIRST_IN_FLIGHT} IS NULL
  AND j.updated_at < statement_timestamp() - interval '3 s' AND COALESCE(j.valid_until > statement_timestamp(), true))`;

/** Locks those that are to be marked or to be put at rest, so that the next statement sees what they are: $1 how many. Never blocks. */
export const LOCK_CLOSED = prepared(`
SELECT j.id FROM bulk_jobs j WHERE ${IS_CLOSED} AND (${UNMARKED} OR ${NEEDS_NO_LANE})
ORDER BY j.id LIMIT $1 FOR UPDATE SKIP LOCKED`);

/**
 * Of locked jobs $1. The window opens later than now by the same rule by which it is closed, so each is marked once. Without an epoch
 * nobody can claim anything of a job at rest. IS TRUE keeps the planner from reading the index of all running jobs for those that were found.
 */
export const MARK_CLOSED = prepared(`
UPDATE bulk_jobs j SET at_rest = ${NEEDS_NO_LANE}, lane_epoch = CASE WHEN ${NEEDS_NO_LANE} THEN 0 ELSE j.lane_epoch END,
  window_opens_at = CASE WHEN ${UNMARKED}
    THEN send_window_opens_at(j.send_from, j.send_until, j.send_zone, j.send_days, statement_timestamp()) ELSE j.window_opens_at END
WHERE j.id = ANY($1::uuid[]) AND (${IS_CLOSED}) IS TRUE`);

/** Ends the rest of jobs whose window has opened, or whose validity is over: $1 how many. */
export const WAKE_OPEN = prepared(`
UPDATE bulk_jobs SET at_rest = false WHERE id = ANY(ARRAY(
  SELECT j.id FROM bulk_jobs j WHERE j.at_rest AND ${RUNS} AND LEAST(j.window_opens_at, j.valid_until) <= statement_timestamp()
  ORDER BY LEAST(j.window_opens_at, j.valid_until) LIMIT $1 FOR UPDATE SKIP LOCKED))
RETURNING sender_id AS "senderId"`);
