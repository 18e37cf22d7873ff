import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { isExported, JsonFiles, type JsonLinesQuery, linesByTime } from '../../../infra/database/json-lines';
import { AccountArchive } from '../../accounts/domain/account-archive';
import { AccountDeletion, type AccountPart } from '../../accounts/domain/account-deletion';
import { IS_VISIBLE, SEND_WINDOW, VALID_FOR_SECONDS } from './bulk-job-rows';

const FIRST_JOB = 'SELECT id FROM bulk_jobs WHERE account_id = $1 ORDER BY created_at, id LIMIT 1';
const DELETE_RECIPIENTS = `
DELETE FROM job_recipients WHERE job_id = $1 AND position = ANY(ARRAY(
  SELECT position FROM job_recipients WHERE job_id = $1 ORDER BY position LIMIT $2))`;
const DELETE_JOB = 'DELETE FROM bulk_jobs WHERE id = $1';

const JOB = `j.id, j.sender_id AS "senderId", j.kind, j.status, j.template_name AS "templateName", j.language_code AS "languageCode",
  j.revision_id AS "revisionId", j.header_media AS "headerMedia", j.name, j.reference, j.file_name AS "fileName", j.report_columns AS "reportColumns",
  j.group_id AS "groupId", j.audience, j.retry_of AS "retryOf", j.retry_scope AS "retryScope", j.retry_codes AS "retryCodes",
  j.total_recipients AS "totalRecipients", j.invalid_rows AS "invalidRows", j.duplicate_rows AS "duplicateRows",
  j.successfully_sent AS "successfullySent", j.failed, j.skipped, j.unknown, j.delivered, j.read, j.undelivered,
  j.pause_problem AS "pauseCode", j.pause_reason AS "pauseReason", j.error_code AS "errorCode", j.error_message AS "errorMessage",
  j.created_by AS "createdBy", j.paused_by AS "pausedBy", j.cancelled_by AS "cancelledBy", j.request_id AS "requestId",
  j.scheduled_at AS "scheduledAt", ${SEND_WINDOW}, ${VALID_FOR_SECONDS} AS "validForSeconds", j.valid_until AS "validUntil",
  j.created_at AS "createdAt", j.started_at AS "startedAt", j.paused_at AS "pausedAt", j.completed_at AS "completedAt",
  j.recipients_expired_at AS "recipientsExpiredAt"`;

/** Walks the jobs of the account by creation time and id, and the recipients of each by position. */
const RECIPIENTS: JsonLinesQuery = {
  hasSenders: true,
  first: '-infinity|00000000-0000-0000-0000-000000000000|0',
  sql: `
SELECT r."jobCreatedAt"::text || '|' || r."jobId" || '|' || r."position" AS at, (to_jsonb(r) - 'jobCreatedAt')::text AS line FROM (
  SELECT j.created_at AS "jobCreatedAt", j.id AS "jobId", r.* FROM bulk_jobs j CROSS JOIN LATERAL (
    SELECT position, row_number AS "rowNumber", message_id AS "messageId", phone, user_id AS "userId", parameters, extras, reference,
      other_cells AS "otherCells", outcome, problem AS "errorCode", problem_message AS "errorMessage", platform_code AS "platformCode",
      attempt AS attempts, updated_at AS "updatedAt"
    FROM job_recipients
    WHERE job_id = j.id AND position > CASE WHEN j.id = split_part($2, '|', 2)::uuid THEN split_part($2, '|', 3)::int ELSE 0 END
    ORDER BY position LIMIT $3) r
  WHERE j.account_id = $1 AND ${IS_VISIBLE} AND NOT j.recipients_cleared AND ${isExported('j.sender_id')}
    AND (j.created_at, j.id) >= (split_part($2, '|', 1)::timestamptz, split_part($2, '|', 2)::uuid)
  ORDER BY j.created_at, j.id, r.position LIMIT $3) r`,
};

const FILES = {
  'jobs.jsonl': linesByTime({
    columns: JOB,
    table: 'bulk_jobs',
    alias: 'j',
    where: `j.account_id = $1 AND ${IS_VISIBLE}`,
    sender: 'j.sender_id',
  }),
  'recipients.jsonl': RECIPIENTS,
};

/** The jobs of an account with their recipients, in its archive and when it is deleted. */
@Injectable()
export class AccountJobs implements AccountPart {
  constructor(
    private readonly database: Database,
    deletion: AccountDeletion,
    archive: AccountArchive,
  ) {
    deletion.add(this);
    archive.add(new JsonFiles(database, FILES));
  }

  async deleteSome(accountId: string, limit: number): Promise<number> {
    const [job] = await this.database.rows<{ id: string }>(FIRST_JOB, [accountId]);
    if (!job) return 0;
    const recipients = await this.database.execute(DELETE_RECIPIENTS, [job.id, limit]);
    if (recipients.affected > 0) return recipients.affected;
    await this.database.execute(DELETE_JOB, [job.id]);
    return 1;
  }
}
