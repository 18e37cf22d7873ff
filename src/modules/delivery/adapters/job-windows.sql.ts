import { prepared } from '../../../infra/database/prepared-statement';
import { CLOSED, FIRST_RETRY } from './lane-jobs.sql';

/** It runs, is outside its send window, and is not marked until that opens. */
const TO_MARK = `status IN ('Queued', 'Processing') AND completed_at IS NULL AND send_zone IS NOT NULL AND ${CLOSED}
  AND COALESCE(window_opens_at <= statement_timestamp(), true)`;

/** The send window of a row; null: it has none. */
export const SEND_WINDOW = `CASE WHEN send_zone IS NOT NULL THEN json_build_object('from', left(send_from::text, 5),
  'until', left(send_until::text, 5), 'timeZone', send_zone, 'days', to_json(send_days)) END`;

/** Of all that run: $1 how many. A job of which nothing is left to be sent waits for no window. */
export const CLOSED_JOBS = prepared(`
SELECT id, statement_timestamp() AS at, ${SEND_WINDOW} AS "sendWindow"
FROM bulk_jobs j WHERE ${TO_MARK} AND (cursor <= total_recipients OR ${FIRST_RETRY} IS NOT NULL) ORDER BY id LIMIT $1`);

/** $1 job, $2 when its window opens. */
export const MARK_CLOSED = `UPDATE bulk_jobs SET window_opens_at = $2 WHERE id = $1 AND ${TO_MARK}`;
