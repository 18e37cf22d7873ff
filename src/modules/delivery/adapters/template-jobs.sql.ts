import { prepared } from '../../../infra/database/prepared-statement';

/**
 * The template of each job j, one index probe: starting from the templates of an account, a plan would read all jobs that the
 * account ever had.
 */
const TEMPLATE = `CROSS JOIN LATERAL (
  SELECT * FROM templates t
  WHERE t.account_id = j.account_id AND t.business_account_id = (SELECT business_account_id FROM senders WHERE id = j.sender_id)
    AND t.name = j.template_name AND t.language_code = j.language_code LIMIT 1) t`;

/** Running jobs whose template cannot be sent: $1 limit. */
export const UNSENDABLE = prepared(`
SELECT j.id AS "jobId", j.template_name AS "templateName", j.language_code AS "languageCode", t.status
FROM bulk_jobs j ${TEMPLATE}
WHERE j.completed_at IS NULL AND j.status IN ('Queued', 'Processing') AND t.status <> 'Approved' ORDER BY j.id LIMIT $1`);

/** One index probe per problem: for a list of problems the planner may read all paused jobs if it estimates few. */
const HELD = `
FROM unnest($1::text[]) AS p (problem) CROSS JOIN LATERAL (
  SELECT * FROM bulk_jobs
  WHERE status = 'Paused' AND completed_at IS NULL AND pause_problem IS NOT NULL AND pause_problem = p.problem
  ORDER BY pause_problem, id OFFSET 0) j ${TEMPLATE}
WHERE t.status = 'Approved'`;

/**
 * Jobs paused for one of the problems $1 whose template was approved later: $2 limit. The platform's pause can end before a sync
 * shows it: a job whose template was always approved here is checked after a sync, 15 minutes after the pause.
 */
export const WAITING = prepared(`
SELECT j.id, j.account_id AS "accountId", j.sender_id AS "senderId", j.revision_id AS "revisionId",
  t.revision_id AS "currentRevisionId" ${HELD}
  AND (t.status_changed_at >= j.paused_at OR (j.pause_problem = 'template_paused'
    AND t.last_synced_at > j.paused_at AND j.paused_at < statement_timestamp() - interval '15 min'))
ORDER BY j.id LIMIT $2`);

/** Accounts of jobs paused for one of the problems $1 whose template has not been synced since the pause. */
export const ACCOUNTS_TO_SYNC = prepared(`
SELECT DISTINCT j.account_id AS "accountId" ${HELD} AND (t.last_synced_at IS NULL OR t.last_synced_at < j.paused_at)`);

/** A job that is paused for one of the problems: $1 job, $2 problems. */
export const LOCK_WAITING = `
SELECT scheduled_at AS "scheduledAt", CASE WHEN send_zone IS NOT NULL THEN json_build_object('from', left(send_from::text, 5),
  'until', left(send_until::text, 5), 'timeZone', send_zone, 'days', to_json(send_days)) END AS "sendWindow", valid_for_seconds AS "validForSeconds",
  valid_until AS "validUntil", started_at AS "startedAt", paused_at AS "pausedAt"
FROM bulk_jobs WHERE id = $1 AND status = 'Paused' AND pause_problem = ANY($2::text[]) ORDER BY id FOR UPDATE`;

/** Resumes a locked job where it stopped, with its counters: $1 job, $2 revision, $3 new end of its validity. */
export const RESUME = `
UPDATE bulk_jobs SET status = CASE WHEN scheduled_at > now() THEN 'Scheduled' WHEN started_at IS NULL THEN 'Queued' ELSE 'Processing' END, pause_reason = NULL,
  pause_problem = NULL, paused_at = NULL, revision_id = $2, valid_until = COALESCE($3::timestamptz, valid_until), updated_at = now()
WHERE id = $1 AND status = 'Paused'`;

/** $1 job, $2 problems that it is paused for, $3 and $4 problem and reason instead. */
export const CHANGE_REASON = `
UPDATE bulk_jobs SET pause_problem = $3, pause_reason = $4, updated_at = now()
WHERE id = $1 AND status = 'Paused' AND pause_problem = ANY($2::text[])`;
