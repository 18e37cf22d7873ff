import { prepared } from '../../../infra/database/prepared-statement';
import { CLOSED, FIRST_RETRY } from './lane-jobs.sql';

/** It runs, is outside its send window, and is not marked until that opens. */
const TO_MARK = `status IN ('Queued', 'Processing') AND completed_at IS NULL AND send_zone IS NOT NULL AND ${CLOSED}
  AND COALESCE(window_opens_at <= statement_timestamp(), true)`;

/**
 * $1 how many. A job of which nothing is left to be sent waits for no window. Skips locked jobs; never blocks. The window opens later than
 * now by the same rule by which it is closed, so each is marked once. IS TRUE keeps the planner from reading the index of all running jobs
 * for those that were found.
 */
export const MARK_CLOSED = prepared(`
UPDATE bulk_jobs SET window_opens_at = send_window_opens_at(send_from, send_until, send_zone, send_days, statement_timestamp())
WHERE id = ANY(ARRAY(
  SELECT id FROM bulk_jobs j WHERE ${TO_MARK} AND (cursor <= total_recipients OR ${FIRST_RETRY} IS NOT NULL)
  ORDER BY id LIMIT $1 FOR UPDATE OF j SKIP LOCKED)) AND (${TO_MARK}) IS TRUE`);
