import { prepared } from '../../../infra/database/prepared-statement';
import { LIVE_SECONDS, MAX_LIVE_JOBS } from '../domain/live-jobs';
import { FAILED, IS_VISIBLE } from './bulk-job-rows';

const RECENTLY = `statement_timestamp() - interval '${LIVE_SECONDS} s'`;
const ofAccounts = (jobs: string): string =>
  `SELECT found.id FROM unnest($2::uuid[]) AS a (id) CROSS JOIN LATERAL (${jobs} LIMIT ${MAX_LIVE_JOBS}) found`;

/** $1 jobs, $2 accounts. Each kind of live jobs is the end of an index that holds few others, or is in its order; IS TRUE keeps the
 * planner from an index that would find every job of the account. */
export const LIVE_JOBS = prepared(`
SELECT j.id, j.account_id AS "accountId", j.kind, j.status, j.template_name AS "templateName",
  j.language_code AS "languageCode", j.reference, j.total_recipients AS "totalRecipients",
  j.successfully_sent AS "successfullySent", ${FAILED} AS failed, j.created_at AS "createdAt", j.started_at AS "startedAt",
  j.completed_at AS "completedAt"
FROM bulk_jobs j
WHERE j.id = ANY($1::uuid[] || ARRAY(
  ${ofAccounts(`SELECT r.id FROM senders s CROSS JOIN LATERAL (
    SELECT id FROM bulk_jobs WHERE sender_id = s.id AND completed_at IS NULL AND NOT at_rest ORDER BY id DESC
    LIMIT ${MAX_LIVE_JOBS}) r WHERE s.account_id = a.id`)}
  UNION ALL
  ${ofAccounts(`SELECT id FROM bulk_jobs
    WHERE account_id = a.id AND completed_at > ${RECENTLY} AND NOT recipients_cleared ORDER BY completed_at DESC`)}
  UNION ALL
  ${ofAccounts(`SELECT id FROM bulk_jobs
    WHERE account_id = a.id AND created_at > ${RECENTLY} ORDER BY created_at DESC, id DESC`)}
  UNION ALL
  (SELECT id FROM bulk_jobs WHERE status = 'Paused' AND paused_at > ${RECENTLY} AND (account_id = ANY($2::uuid[])) IS TRUE
    ORDER BY paused_at DESC LIMIT ${MAX_LIVE_JOBS})
)) AND ${IS_VISIBLE}
ORDER BY j.id`);

const WAITS = `(GREATEST(j.throttled_until, l.throttled_until, j.window_opens_at) > statement_timestamp())`;

/** $1 account. Scheduled and paused jobs may be at rest, where no index of lanes has them. */
export const OPEN_JOBS = `
SELECT count(*) FILTER (WHERE j.status IN ('Queued', 'Processing') AND ${WAITS} IS NOT TRUE)::int AS processing,
  count(*) FILTER (WHERE j.status IN ('Queued', 'Processing') AND ${WAITS})::int AS waiting,
  (SELECT count(*)::int FROM bulk_jobs WHERE account_id = $1 AND status = 'Scheduled') AS scheduled,
  (SELECT count(*)::int FROM bulk_jobs WHERE account_id = $1 AND status = 'Paused') AS paused
FROM senders s JOIN bulk_jobs j ON j.sender_id = s.id AND j.completed_at IS NULL AND NOT j.at_rest
LEFT JOIN sender_lanes l ON l.sender_id = s.id
WHERE s.account_id = $1`;
