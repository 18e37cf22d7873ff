import { prepared } from '../../../infra/database/prepared-statement';

const MISSED = `scheduled_at < statement_timestamp() - $2 * interval '1 h'`;

/**
 * Starts due jobs, each in one process; jobs due more than $2 hours ago fail: $1 limit, $3 and $4 code and reason of the failure.
 */
export const START_DUE = prepared(`
UPDATE bulk_jobs SET updated_at = now(),
  status = CASE WHEN ${MISSED} THEN 'Failed' WHEN started_at IS NULL THEN 'Queued' ELSE 'Processing' END,
  error_code = CASE WHEN ${MISSED} THEN $3::text END, error_message = CASE WHEN ${MISSED} THEN $4::text END
WHERE status = 'Scheduled' AND id = ANY(ARRAY(
  SELECT id FROM bulk_jobs WHERE status = 'Scheduled' AND scheduled_at <= statement_timestamp()
  ORDER BY scheduled_at LIMIT $1 FOR UPDATE SKIP LOCKED))
RETURNING id, account_id AS "accountId", sender_id AS "senderId", status = 'Failed' AS missed`);
