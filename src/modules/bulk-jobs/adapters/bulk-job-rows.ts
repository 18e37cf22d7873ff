import { actingKey } from '../../../infra/database/acting-key.sql';
import {
  type BulkJob,
  type HaltReason,
  PAUSED_BY_CLIENT,
  type PauseCode,
  type Throttle,
  type WaitFacts,
} from '../domain/bulk-job';

/** A job as it is read: its throttle in two columns, as JSON has no dates. */
export type RowOf<Job extends WaitFacts> = Omit<Job, 'throttled'> & {
  throttledReason: Throttle['reason'] | null;
  throttledUntil: Throttle['until'] | null;
};

/** A job as SELECT_JOBS reads it. */
export type BulkJobRow = RowOf<BulkJob>;

/**
 * The number of failed recipients. Those never tried when their job ended are included, though nothing is written into their
 * rows; those that had failed before, such as invalid rows, are counted already.
 */
export const FAILED = `CASE
  WHEN j.completed_at IS NOT NULL THEN j.total_recipients - j.successfully_sent
  WHEN j.status NOT IN ('Cancelled', 'Failed') THEN j.failed
  ELSE j.failed + j.total_recipients + 1 - j.cursor - CASE WHEN j.invalid_rows = 0 THEN 0 ELSE (
    SELECT count(*)::int FROM job_recipients r
    WHERE r.job_id = j.id AND r.position >= j.cursor AND r.problem IS NOT NULL) END
END`;

/** Calculated for jobs created before the column `valid_for_seconds` existed. */
export const VALID_FOR_SECONDS = `COALESCE(valid_for_seconds, round(extract(epoch FROM valid_until - created_at))::int)`;

const RESTORED = 'restored_from_backup' satisfies PauseCode;
const HALT = {
  copy: 'restored_copy',
  paused: 'sending_paused',
  noWorker: 'no_worker',
} as const satisfies Record<string, HaltReason>;

/** Sending of the account `j.account_id` is paused. */
const SENDING_PAUSED = `(SELECT a.sending_paused OR a.status <> 'Active' FROM accounts a WHERE a.id = j.account_id)`;

/** No worker serves the job: its counters have not changed for 10 s, its lane has no valid lease, and no worker has renewed its own. */
const NO_WORKER = `(j.updated_at < statement_timestamp() - interval '10 s' AND NOT j.at_rest
  AND COALESCE(l.lease_until < statement_timestamp(), true)
  AND NOT EXISTS (SELECT FROM lane_workers w WHERE w.lease_until > statement_timestamp() - interval '10 s'))`;

/** Why job `j` with lane `l` sends nothing until a person acts; null if it can send. */
export const HALTED = `CASE
  WHEN j.status = 'Paused' AND j.pause_problem = '${RESTORED}' THEN '${HALT.copy}'
  WHEN j.status NOT IN ('Queued', 'Processing') THEN NULL
  WHEN ${SENDING_PAUSED} THEN '${HALT.paused}'
  WHEN ${NO_WORKER} THEN '${HALT.noWorker}' END`;

/** The columns that determine what a job waits for, in addition to its counts; they need WAIT_TABLES. */
export const WAIT_COLUMNS = `j.unknown_in_grace AS "unknownInGrace",
  CASE WHEN j.unknown_in_grace > 0 THEN (SELECT r.unknown_since FROM job_recipients r
    WHERE r.job_id = j.id AND r.unknown_since IS NOT NULL ORDER BY r.unknown_since DESC LIMIT 1) END AS "lastUnknownSince",
  CASE WHEN j.send_zone IS NOT NULL AND j.status IN ('Queued', 'Processing')
      AND send_window_closed(j.send_from, j.send_until, j.send_zone, j.send_days, now())
    THEN CASE WHEN j.window_opens_at > now() THEN j.window_opens_at
      ELSE send_window_opens_at(j.send_from, j.send_until, j.send_zone, j.send_days, now()) END END AS "windowOpensAt",
  ${HALTED} AS halted, t.reason AS "throttledReason", t.until AS "throttledUntil"`;

/** Joins the current throttle of a running job: its own, otherwise that of its lane. */
export const WAIT_TABLES = `
LEFT JOIN sender_lanes l ON l.sender_id = j.sender_id
LEFT JOIN LATERAL (
  SELECT reason, until
  FROM (VALUES (1, j.throttled_reason, j.throttled_until), (2, l.throttled_reason, l.throttled_until))
    AS throttles (rank, reason, until)
  WHERE until > now() AND reason IS NOT NULL AND j.status IN ('Queued', 'Processing')
  ORDER BY rank LIMIT 1
) t ON true`;

/** The send window of job `j`; null: any time. */
export const SEND_WINDOW = `CASE WHEN j.send_zone IS NOT NULL THEN json_build_object('from', left(j.send_from::text, 5),
    'until', left(j.send_until::text, 5), 'timeZone', j.send_zone, 'days', to_json(j.send_days)) END AS "sendWindow"`;

/** Current state of jobs. */
export const SELECT_JOBS = `
SELECT j.id, j.account_id AS "accountId", j.sender_id AS "senderId", j.kind, j.status, j.template_name AS "templateName",
  j.language_code AS "languageCode", j.revision_id AS "revisionId", j.header_media AS "extras", j.name, j.reference,
  j.file_name AS "fileName", j.group_id AS "groupId", j.audience, j.retry_of AS "retryOf", j.total_recipients AS "totalRecipients",
  j.invalid_rows AS "invalidRows", j.duplicate_rows AS "duplicateRows", j.cursor,
  j.successfully_sent AS "successfullySent", ${FAILED} AS failed, j.skipped, j.unknown,
  j.delivered, j.read, j.undelivered,
  CASE WHEN j.pause_reason IS NOT NULL THEN json_build_object(
    'code', COALESCE(j.pause_problem, '${PAUSED_BY_CLIENT.code}'), 'message', j.pause_reason) END AS "pauseReason",
  CASE WHEN j.error_code IS NOT NULL
    THEN json_build_object('code', j.error_code, 'message', COALESCE(j.error_message, '')) END AS error,
  ${actingKey('j.created_by')} AS "createdBy", j.request_id AS "requestId", j.traceparent,
  CASE WHEN j.status = 'Paused' AND j.pause_problem IS NULL THEN ${actingKey('j.paused_by')} END AS "pausedBy",
  CASE WHEN j.status = 'Cancelled' THEN ${actingKey('j.cancelled_by')} END AS "cancelledBy",
  j.paused_at AS "pausedAt", j.scheduled_at AS "scheduledAt",
  ${SEND_WINDOW},
  ${VALID_FOR_SECONDS} AS "validForSeconds",
  ${WAIT_COLUMNS}, j.created_at AS "createdAt", j.valid_until AS "validUntil", j.started_at AS "startedAt",
  j.completed_at AS "completedAt", j.recipients_expired_at AS "recipientsExpiredAt"
FROM bulk_jobs j${WAIT_TABLES}`;

/** Excludes jobs that are still being stored or being deleted. */
export const IS_VISIBLE = `j.status NOT IN ('Importing', 'Abandoned')`;

/** The job of a row. */
export function jobOf<Job extends WaitFacts>({ throttledReason, throttledUntil, ...job }: RowOf<Job>): Job {
  const throttled =
    throttledReason === null || throttledUntil === null ? null : { reason: throttledReason, until: throttledUntil };
  return { ...job, throttled } as unknown as Job;
}

/** The send window in the columns `send_from`, `send_until`, `send_zone` and `send_days`. */
export function windowColumns(sendWindow: BulkJob['sendWindow']): unknown[] {
  return [sendWindow?.from, sendWindow?.until, sendWindow?.timeZone, sendWindow?.days].map((value) => value ?? null);
}
