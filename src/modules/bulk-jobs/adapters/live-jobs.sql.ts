import { prepared } from '../../../infra/database/prepared-statement';
import { LIVE_SECONDS, MAX_CHANGED_JOBS, MAX_RUNNING_JOBS } from '../domain/live-jobs';
import { FAILED, HALTED, IS_VISIBLE, WAIT_COLUMNS, WAIT_TABLES } from './bulk-job-rows';

/**
 * $1 jobs, $2 accounts. Running jobs are found in a small index. A trigger sets `changed_at` on changes of other jobs, which are live for
 * LIVE_SECONDS after each.
 */
export const LIVE_JOBS = prepared(`
SELECT j.id, j.account_id AS "accountId", j.kind, j.status, j.template_name AS "templateName",
  j.language_code AS "languageCode", j.name, j.reference, j.total_recipients AS "totalRecipients",
  j.successfully_sent AS "successfullySent", ${FAILED} AS failed, j.skipped, j.created_at AS "createdAt", j.started_at AS "startedAt",
  j.completed_at AS "completedAt", ${WAIT_COLUMNS}
FROM bulk_jobs j${WAIT_TABLES}
WHERE j.id = ANY($1::uuid[] || ARRAY(
  SELECT running.id FROM unnest($2::uuid[]) AS a (id) JOIN senders s ON s.account_id = a.id CROSS JOIN LATERAL (
    SELECT id FROM bulk_jobs WHERE sender_id = s.id AND completed_at IS NULL AND NOT at_rest
    ORDER BY updated_at DESC LIMIT ${MAX_RUNNING_JOBS}) running
  UNION ALL
  SELECT changed.id FROM unnest($2::uuid[]) AS a (id) CROSS JOIN LATERAL (
    SELECT id FROM bulk_jobs WHERE account_id = a.id AND changed_at > statement_timestamp() - interval '${LIVE_SECONDS} s'
    ORDER BY changed_at DESC LIMIT ${MAX_CHANGED_JOBS}) changed
)) AND ${IS_VISIBLE}
ORDER BY j.id`);

const WAITS = `(GREATEST(j.throttled_until, l.throttled_until, j.window_opens_at) > statement_timestamp() OR ${HALTED} IS NOT NULL)`;

/** $1 account. All are found by its senders: the indexes of scheduled, paused and waiting jobs have those of all accounts. */
export const OPEN_JOBS = `
SELECT count(*) FILTER (WHERE j.status IN ('Queued', 'Processing') AND NOT j.at_rest AND ${WAITS} IS NOT TRUE)::int AS processing,
  count(*) FILTER (WHERE j.status IN ('Queued', 'Processing') AND (j.at_rest OR ${WAITS}))::int AS waiting,
  count(*) FILTER (WHERE j.status = 'Scheduled')::int AS scheduled,
  count(*) FILTER (WHERE j.status = 'Paused')::int AS paused
FROM (
  SELECT s.id AS sender_id, l.lease_until, l.throttled_until FROM senders s LEFT JOIN sender_lanes l ON l.sender_id = s.id
  WHERE s.account_id = $1 OFFSET 0) l
CROSS JOIN LATERAL (SELECT * FROM bulk_jobs WHERE sender_id = l.sender_id AND completed_at IS NULL OFFSET 0) j`;
