import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { MessageRetention } from '../../messages/domain/message-retention';
import type {
  ExpiredMessage,
  Expiry,
  RetentionHold,
  RetentionPart,
  RetentionStep,
} from '../../messages/domain/retention';
import { Retention } from '../../messages/domain/retention-rounds';

/** Also marks the next job: once committed, its recipients are no longer read, as some may be deleted. */
const NEXT_JOB = `
UPDATE bulk_jobs SET recipients_expired_at = COALESCE(recipients_expired_at, now())
WHERE id = (
  SELECT id FROM bulk_jobs
  WHERE account_id = $1 AND completed_at < $2 AND NOT recipients_cleared
    AND (completed_at, id) > ($3::timestamptz, $4::uuid)
  ORDER BY completed_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING id, completed_at::text AS at`;

/** Skips rows locked by a late outcome; the next round deletes them. */
const DELETE_NEXT = `
WITH next AS (
    SELECT ctid, position FROM job_recipients WHERE job_id = $1 AND position > $2 ORDER BY position LIMIT $3),
  free AS (SELECT ctid FROM job_recipients WHERE ctid = ANY(ARRAY(SELECT ctid FROM next)) FOR UPDATE SKIP LOCKED),
  removed AS (DELETE FROM job_recipients WHERE ctid = ANY(ARRAY(SELECT ctid FROM free)) RETURNING 1)
SELECT (SELECT count(*)::int FROM next) AS seen, (SELECT count(*)::int FROM removed) AS deleted,
  (SELECT max(position) FROM next) AS last`;

/** The counts, the name and the client's reference remain. A trigger deletes the samples of the pace (delivery/adapters/schema/job-pace.sql.ts). */
const CLEARED = `
WITH keys AS (DELETE FROM job_recipient_keys WHERE job_id = $1)
UPDATE bulk_jobs SET recipients_cleared = true, file_name = NULL, upload_hash = NULL, header_media = NULL, report_columns = NULL
WHERE id = $1`;

const UNFINISHED = `SELECT id FROM bulk_jobs WHERE id = ANY($1::uuid[]) AND completed_at IS NULL`;

/** The progress of a round: after a job, or within it after a position. */
interface Progress {
  at: string;
  jobId: string;
  position: number | null;
  /** Whether locked recipients of this job were skipped. */
  left: boolean;
}

const START: Progress = { at: '-infinity', jobId: '00000000-0000-0000-0000-000000000000', position: null, left: false };

/**
 * Deletes recipients, file names, column headers and header media of jobs whose retention has expired, and holds the messages of
 * unfinished jobs.
 * The job itself remains, with its counts.
 */
@Injectable()
export class RecipientRetention implements RetentionPart, RetentionHold, OnApplicationBootstrap {
  readonly kind = 'recipients';

  constructor(
    private readonly retention: Retention,
    private readonly messages: MessageRetention,
    private readonly database: Database,
  ) {}

  onApplicationBootstrap(): void {
    this.retention.add(this);
    this.messages.addHold(this);
  }

  async unsettled(messages: readonly ExpiredMessage[]): Promise<string[]> {
    const jobIds = new Set(messages.map(({ jobId }) => jobId).filter((id) => id !== null));
    if (jobIds.size === 0) return [];
    const rows = await this.database.rows<{ id: string }>(UNFINISHED, [[...jobIds]]);
    const unfinished = new Set(rows.map(({ id }) => id));
    return messages.filter(({ jobId }) => jobId !== null && unfinished.has(jobId)).map(({ id }) => id);
  }

  release(): Promise<void> {
    return Promise.resolve();
  }

  async step(expiry: Expiry, cursor: string | null, limit: number): Promise<RetentionStep> {
    const progress = cursor === null ? START : (JSON.parse(cursor) as Progress);
    return progress.position === null
      ? this.nextJob(expiry, progress)
      : this.nextRecipients(progress, progress.position, limit);
  }

  private async nextJob({ accountId, before }: Expiry, { at, jobId }: Progress): Promise<RetentionStep> {
    const [job] = await this.database.rows<{ id: string; at: string }>(NEXT_JOB, [accountId, before, at, jobId]);
    return { deleted: 0, next: job ? cursorOf({ at: job.at, jobId: job.id, position: 0, left: false }) : null };
  }

  private async nextRecipients(progress: Progress, position: number, limit: number): Promise<RetentionStep> {
    const [row] = await this.database.rows<{ seen: number; deleted: number; last: number | null }>(DELETE_NEXT, [
      progress.jobId,
      position,
      limit,
    ]);
    const { seen = 0, deleted = 0, last = null } = row ?? {};
    const left = progress.left || deleted < seen;
    if (seen === limit && last !== null) return { deleted, next: cursorOf({ ...progress, position: last, left }) };
    // A completed job gets no new recipients.
    if (!left) await this.database.execute(CLEARED, [progress.jobId]);
    return { deleted, next: cursorOf({ ...progress, position: null }) };
  }
}

function cursorOf(progress: Progress): string {
  return JSON.stringify(progress);
}
