import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { RecipientTotals } from '../../recipient-files/domain/recipient-files.errors';
import { type BulkJob, HELD_AT_CREATION } from '../domain/bulk-job';
import { IntakeLostError } from '../domain/bulk-jobs.errors';
import { INTAKE_LEASE_SECONDS, type JobDraft, JobIntakeStore } from '../domain/job-intake-store.port';
import type { RecipientChunk } from '../domain/recipient-chunk';
import type { ReportColumns } from '../domain/report-columns';
import type { EarlierRetry } from '../domain/retry-selection';
import { type BulkJobRow, jobOf, SELECT_JOBS, windowColumns } from './bulk-job-rows';
import { COUNT_OPEN, EARLIER_UPLOAD, LOCK_RETRIED, OTHER_RETRIES, RETRIES_OF } from './job-intake.sql';

const LEASE = `clock_timestamp() + interval '${INTAKE_LEASE_SECONDS} seconds'`;
const IS_OWNED = `id = $1 AND status = 'Importing' AND import_owner = $2`;

/**
 * Locks the job first, so that nothing is added to an abandoned one. Commits without waiting for the disk: the commit that publishes
 * the job waits, and it flushes all earlier commits too.
 */
const APPEND = `
WITH owned AS (UPDATE bulk_jobs SET import_lease_until = ${LEASE} WHERE ${IS_OWNED} RETURNING id),
keyed AS (INSERT INTO job_recipient_keys (job_id, first_position, last_position, keys)
  SELECT id, $3::int, $3::int + cardinality($4::int[]) - 1, $14::int[] FROM owned)
INSERT INTO job_recipients (job_id, position, row_number, message_id, phone, parameters, extras, reference, user_id, other_cells,
  outcome, problem, problem_message)
SELECT owned.id, $3::int + r.ordinal::int - 1, r.row_number, r.message_id, r.phone, r.parameters, NULLIF(r.extras, 'null'),
  r.reference, r.user_id, NULLIF(r.other_cells, 'null'), CASE WHEN r.problem IS NOT NULL THEN 'Failed' END, r.problem, r.problem_message
FROM owned, set_config('synchronous_commit', 'off', true), ROWS FROM (unnest($4::int[]), unnest($5::uuid[]), jsonb_array_elements_text($6::jsonb),
  jsonb_array_elements($7::jsonb), jsonb_array_elements_text($8::jsonb), jsonb_array_elements_text($9::jsonb), jsonb_array_elements($10::jsonb),
  jsonb_array_elements_text($11::jsonb), jsonb_array_elements_text($12::jsonb), jsonb_array_elements($13::jsonb))
  WITH ORDINALITY AS r (row_number, message_id, phone, parameters, problem, problem_message, extras, reference, user_id, other_cells, ordinal)`;

/** Maximum number of rows per statement, so that it does not hold the only connection of the embedded database for long. */
const REMOVED_AT_ONCE = 5000;
const COUNTED_AT_ONCE = 25_000;

/** Stores a job chunk by chunk; it is visible once `publish` has committed. */
@Injectable()
export class PostgresJobIntakeStore extends JobIntakeStore {
  constructor(private readonly database: Database) {
    super();
  }

  async openJobs(accountId: string, limit: number): Promise<number> {
    const [row] = await this.database.rows<{ count: number }>(COUNT_OPEN, [accountId, limit]);
    return row?.count ?? 0;
  }

  async earlierUpload(accountId: string, uploadHash: Buffer): Promise<string | null> {
    const [row] = await this.database.rows<{ id: string }>(EARLIER_UPLOAD, [accountId, uploadHash]);
    return row?.id ?? null;
  }

  retriesOf(jobId: string): Promise<EarlierRetry[]> {
    return this.database.rows<EarlierRetry>(RETRIES_OF, [jobId]);
  }

  async otherRetriesOf(jobId: string): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(OTHER_RETRIES, [jobId]);
    return rows.map(({ id }) => id);
  }

  async lockRetried(jobId: string): Promise<void> {
    await this.database.execute(LOCK_RETRIED, [jobId]);
  }

  async begin(draft: JobDraft, owner: string): Promise<Date> {
    const { rows } = await this.database.execute<{ startedAt: Date }>(
      `INSERT INTO bulk_jobs (id, account_id, sender_id, kind, status, template_name, language_code, revision_id,
         header_media, reference, file_name, group_id, retry_of, upload_hash, import_owner,
         import_lease_until, valid_for_seconds, scheduled_at, send_from, send_until, send_zone, send_days, created_by,
         retry_scope, retry_codes, audience, name, request_id, traceparent)
       VALUES ($1, $2, $3, $4, 'Importing', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, ${LEASE}, $15, $16, $17, $18, $19, $20, $21,
         $22, $23, $24, $25, $26, $27)
       RETURNING created_at AS "startedAt"`,
      [
        draft.id,
        draft.accountId,
        draft.senderId,
        draft.kind,
        draft.templateName,
        draft.languageCode,
        draft.revisionId,
        draft.extras === null ? null : JSON.stringify(draft.extras),
        draft.reference,
        draft.fileName,
        draft.groupId,
        draft.retryOf,
        draft.uploadHash,
        owner,
        draft.validForSeconds,
        draft.scheduledAt,
        ...windowColumns(draft.sendWindow),
        draft.keyId,
        draft.retry?.scope ?? null,
        draft.retry?.errorCodes ?? null,
        draft.audience && JSON.stringify(draft.audience),
        draft.name,
        draft.requestId,
        draft.traceparent,
      ],
    );
    return rows[0]!.startedAt;
  }

  async append(jobId: string, owner: string, chunk: RecipientChunk): Promise<void> {
    // Arrays are serialized here: the driver escapes each element, which takes several times as long and more memory.
    const { affected } = await this.database.execute(APPEND, [
      jobId,
      owner,
      chunk.firstPosition,
      `{${chunk.rowNumbers.join(',')}}`,
      `{${chunk.messageIds.join(',')}}`,
      JSON.stringify(chunk.people),
      `[${chunk.parameters.join(',')}]`,
      JSON.stringify(chunk.problems),
      JSON.stringify(chunk.problemMessages),
      sparseJson(chunk.extras),
      sparse(chunk.references),
      sparse(chunk.userIds),
      sparseJson(chunk.otherCells),
      `{${chunk.keys.join(',')}}`,
    ]);
    if (affected !== chunk.size) throw new IntakeLostError();
  }

  async renew(jobId: string, owner: string): Promise<void> {
    await this.database.execute(`UPDATE bulk_jobs SET import_lease_until = ${LEASE} WHERE ${IS_OWNED}`, [jobId, owner]);
  }

  async count(jobId: string): Promise<number> {
    let counted = 0;
    const highest = await this.highestPosition(jobId);
    for (let from = 0; from < highest; from += COUNTED_AT_ONCE) {
      const [row] = await this.database.rows<{ count: number }>(
        'SELECT count(*)::int AS count FROM job_recipients WHERE job_id = $1 AND position > $2 AND position <= $3',
        [jobId, from, from + COUNTED_AT_ONCE],
      );
      counted += row?.count ?? 0;
    }
    return counted;
  }

  async publish(
    { id, hold }: JobDraft,
    owner: string,
    totals: RecipientTotals,
    mayStartAt: Date | null,
    columns?: ReportColumns,
  ): Promise<BulkJob> {
    const hasColumns = columns && (columns.fields.length > 0 || columns.sheet !== null);
    // A job that does not send yet is at rest, so lanes skip it.
    const { affected } = await this.database.execute(
      `UPDATE bulk_jobs SET status = CASE WHEN $6 THEN 'Paused' WHEN scheduled_at > now() THEN 'Scheduled' ELSE 'Queued' END,
         at_rest = $6 OR COALESCE(scheduled_at > now(), false), total_recipients = $3, invalid_rows = $4, failed = failed + $4,
         duplicate_rows = $5, import_owner = NULL, import_lease_until = NULL, created_at = now(), updated_at = now(),
         valid_until = CASE WHEN NOT $6 THEN GREATEST(now(), $7::timestamptz) + valid_for_seconds * interval '1 second' END,
         pause_problem = CASE WHEN $6 THEN $8 END, pause_reason = CASE WHEN $6 THEN $9 END, report_columns = $10
       WHERE ${IS_OWNED}`,
      [
        ...[id, owner, totals.totalRecipients, totals.invalidRows, totals.duplicateRows, hold, mayStartAt],
        ...[HELD_AT_CREATION.code, HELD_AT_CREATION.message, hasColumns ? JSON.stringify(columns) : null],
      ],
    );
    const [row] = await this.database.rows<BulkJobRow>(`${SELECT_JOBS} WHERE j.id = $1`, [id]);
    if (affected !== 1 || !row) throw new IntakeLostError();
    return jobOf<BulkJob>(row);
  }

  async abandon(jobId: string, owner: string): Promise<boolean> {
    const { affected } = await this.database.execute(
      `UPDATE bulk_jobs SET status = 'Abandoned', import_lease_until = ${LEASE} WHERE ${IS_OWNED}`,
      [jobId, owner],
    );
    return affected === 1;
  }

  async takeOrphans(): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(
      `UPDATE bulk_jobs SET status = 'Abandoned', import_lease_until = ${LEASE}
       WHERE status IN ('Importing', 'Abandoned') AND import_lease_until < clock_timestamp()
       RETURNING id`,
    );
    return rows.map(({ id }) => id);
  }

  async remove(jobId: string): Promise<void> {
    const highest = await this.highestPosition(jobId);
    for (let from = 0; from < highest; from += REMOVED_AT_ONCE) {
      await this.database.execute('DELETE FROM job_recipients WHERE job_id = $1 AND position > $2 AND position <= $3', [
        jobId,
        from,
        from + REMOVED_AT_ONCE,
      ]);
    }
    await this.database.execute(`DELETE FROM bulk_jobs WHERE id = $1 AND status = 'Abandoned'`, [jobId]);
  }

  private async highestPosition(jobId: string): Promise<number> {
    const [row] = await this.database.rows<{ highest: number | null }>(
      'SELECT max(position) AS highest FROM job_recipients WHERE job_id = $1',
      [jobId],
    );
    return row?.highest ?? 0;
  }
}

/** A list of JSON texts with gaps as JSON; null if it is empty, as of an absent list all elements are NULL. */
function sparseJson(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : `[${Array.from(texts, (text) => text ?? 'null').join(',')}]`;
}

/** The same of a list of texts. */
function sparse(texts: readonly (string | null)[]): string | null {
  return texts.length === 0 ? null : JSON.stringify(Array.from(texts, (text) => text ?? null));
}
