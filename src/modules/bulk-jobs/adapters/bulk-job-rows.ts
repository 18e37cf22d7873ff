import type { BulkJob, BulkJobKind, BulkJobStatus } from '../domain/bulk-job';

/** A job as SELECT_JOBS reads it. */
export interface BulkJobRow {
  id: string;
  account_id: string;
  sender_id: string;
  kind: BulkJobKind;
  status: BulkJobStatus;
  template_name: string;
  language_code: string;
  revision_id: string;
  header_media: BulkJob['headerMedia'];
  reference: string | null;
  file_name: string | null;
  group_id: string | null;
  retry_of: string | null;
  total_recipients: number;
  invalid_rows: number;
  duplicate_rows: number;
  cursor: number;
  successfully_sent: number;
  failed: number;
  skipped: number;
  unknown: number;
  unknown_in_grace: number;
  delivered: number;
  read: number;
  undelivered: number;
  pause_reason: string | null;
  error_code: string | null;
  error_message: string | null;
  throttled_reason: string | null;
  throttled_until: Date | null;
  created_at: Date;
  valid_until: Date | null;
  started_at: Date | null;
  completed_at: Date | null;
  recipients_expired_at: Date | null;
}

/**
 * Recipients that have failed. Those that were never tried when their job ended have too, though nothing is written into
 * their rows; what had failed before, such as invalid rows, is counted already.
 */
const FAILED = `CASE
  WHEN j.completed_at IS NOT NULL THEN j.total_recipients - j.successfully_sent
  WHEN j.status NOT IN ('Cancelled', 'Failed') THEN j.failed
  ELSE j.failed + j.total_recipients + 1 - j.cursor - CASE WHEN j.invalid_rows = 0 THEN 0 ELSE (
    SELECT count(*)::int FROM job_recipients r
    WHERE r.job_id = j.id AND r.position >= j.cursor AND r.problem IS NOT NULL) END
END`;

/**
 * Jobs as they stand. What holds a job up is its own reason, else that of its lane; either only as long as
 * it lasts and the job could go on otherwise.
 */
export const SELECT_JOBS = `
SELECT j.id, j.account_id, j.sender_id, j.kind, j.status, j.template_name, j.language_code, j.revision_id, j.header_media,
  j.reference, j.file_name, j.group_id, j.retry_of, j.total_recipients, j.invalid_rows, j.duplicate_rows, j.cursor,
  j.successfully_sent, ${FAILED} AS failed, j.skipped, j.unknown, j.unknown_in_grace, j.delivered, j.read, j.undelivered,
  j.pause_reason, j.error_code, j.error_message, t.reason AS throttled_reason, t.until AS throttled_until,
  j.created_at, j.valid_until, j.started_at, j.completed_at, j.recipients_expired_at
FROM bulk_jobs j
LEFT JOIN sender_lanes l ON l.sender_id = j.sender_id
LEFT JOIN LATERAL (
  SELECT reason, until
  FROM (VALUES (1, j.throttled_reason, j.throttled_until), (2, l.throttled_reason, l.throttled_until))
    AS throttles (rank, reason, until)
  WHERE until > now() AND reason IS NOT NULL AND j.status IN ('Queued', 'Processing')
  ORDER BY rank LIMIT 1
) t ON true`;

/** Keeps out what is still being stored, or is being cleared away. */
export const IS_VISIBLE = `j.status NOT IN ('Importing', 'Abandoned')`;

/** The job that a row tells. */
export function jobOf(row: BulkJobRow): BulkJob {
  return {
    id: row.id,
    accountId: row.account_id,
    senderId: row.sender_id,
    kind: row.kind,
    status: row.status,
    templateName: row.template_name,
    languageCode: row.language_code,
    revisionId: row.revision_id,
    headerMedia: row.header_media,
    reference: row.reference,
    fileName: row.file_name,
    groupId: row.group_id,
    retryOf: row.retry_of,
    totalRecipients: row.total_recipients,
    invalidRows: row.invalid_rows,
    duplicateRows: row.duplicate_rows,
    cursor: row.cursor,
    successfullySent: row.successfully_sent,
    failed: row.failed,
    skipped: row.skipped,
    unknown: row.unknown,
    unknownInGrace: row.unknown_in_grace,
    delivered: row.delivered,
    read: row.read,
    undelivered: row.undelivered,
    pauseReason: row.pause_reason,
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    throttled:
      row.throttled_reason === null || row.throttled_until === null
        ? null
        : { reason: row.throttled_reason, until: row.throttled_until },
    createdAt: row.created_at,
    validUntil: row.valid_until,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    recipientsExpiredAt: row.recipients_expired_at,
  };
}
