import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { Page, PageRequest } from '../../../kernel/page';
import type { BulkJob, RecentAnswers } from '../domain/bulk-job';
import { type BulkJobFilter, BulkJobStore, type JobTransition } from '../domain/bulk-job-store.port';
import type {
  JobRecipient,
  RecipientFilter,
  RecipientStatus,
  UnsentReason,
  UnsentRecipient,
} from '../domain/job-recipient';
import { CANCELLED, EXPIRED } from '../../sending/domain/send-state';
import { type BulkJobRow, IS_VISIBLE, jobOf, SELECT_JOBS } from './bulk-job-rows';

interface RecipientRow {
  position: number;
  row_number: number;
  message_id: string;
  phone: string;
  parameters: string[];
  attempt: number;
  status: RecipientStatus;
  problem: string | null;
  problem_message: string | null;
  platform_code: number | null;
  platform_message_id: string | null;
  updated_at: Date | null;
}

interface UnsentRow {
  row_number: number;
  phone: string;
  parameters: string[];
  reason: UnsentReason;
  problem: string | null;
}

const MATCHING = `
WHERE j.account_id = $1 AND ${IS_VISIBLE} AND ($2::text IS NULL OR j.status = $2) AND ($3::text IS NULL OR j.kind = $3)
  AND ($4::timestamptz IS NULL OR j.created_at >= $4) AND ($5::timestamptz IS NULL OR j.created_at < $5)`;

/** What was never tried when its job ended was cancelled, though no statement ever writes that into a million rows. */
const NEVER_TRIED = `(r.outcome IS NULL AND r.position >= $4::int)`;
/** What became of an accepted message stands in its message alone. */
const STATUS = `coalesce(m.status, r.outcome, CASE WHEN ${NEVER_TRIED} THEN 'Cancelled' ELSE 'Pending' END)`;
/** `OFFSET 0` lets nobody read the whole history at once: each message is looked up by its id. */
const SELECT_RECIPIENTS = `
SELECT r.position, r.row_number, r.message_id, r.phone, r.parameters, r.attempt, ${STATUS} AS status,
  coalesce(r.problem, m.problem, CASE WHEN ${NEVER_TRIED} THEN '${CANCELLED.code}' END) AS problem,
  coalesce(r.problem_message, m.problem_message, CASE WHEN ${NEVER_TRIED} THEN '${CANCELLED.message}' END)
    AS problem_message,
  coalesce(r.platform_code, m.platform_code) AS platform_code, m.platform_message_id,
  greatest(r.updated_at, m.delivered_at, m.read_at, m.failed_at) AS updated_at
FROM job_recipients r
LEFT JOIN LATERAL (
  SELECT status, problem, problem_message, platform_code, platform_message_id, delivered_at, read_at, failed_at
  FROM messages WHERE id = r.message_id AND r.outcome = 'Sent' OFFSET 0
) m ON true
WHERE r.job_id = $1 AND r.position > $2 AND r.position <= $3 AND ($5::text IS NULL OR ${STATUS} = $5)`;

/**
 * Who was not accepted: $1 job, $2 and $3 first and last position, $4 from where on nobody was tried because the job ended,
 * $5 it has ended. What failed without an attempt was invalid, unless its time was over. What waits in a job that ended is
 * never tried again, though it is not written into its row yet.
 */
const SELECT_UNSENT = `
SELECT r.row_number, r.phone, r.parameters, reason,
  coalesce(r.problem, CASE WHEN reason = 'Cancelled' THEN '${CANCELLED.code}' END) AS problem
FROM (SELECT *, CASE
    WHEN outcome = 'Failed' AND attempt = 0 AND problem <> '${EXPIRED.code}' THEN 'Invalid'
    WHEN phone = '' THEN 'Erased'
    WHEN outcome = 'Unknown' AND problem IS NULL THEN 'Unsettled'
    WHEN outcome IS NOT NULL THEN outcome
    WHEN position >= $4::int OR ($5::boolean AND retry_at IS NOT NULL) THEN 'Cancelled'
    ELSE 'Unsettled' END AS reason
  FROM job_recipients
  WHERE job_id = $1 AND position BETWEEN $2 AND $3 AND outcome IS DISTINCT FROM 'Sent') r
ORDER BY r.position`;

/** Positions one statement looks through, so that the one connection of the embedded database is never held for long. */
const POSITIONS_AT_ONCE = 5000;
const NEVER = 2_147_483_647;
/** Latest positions that tell how fast a job goes. */
const RECENT_POSITIONS = 1000;

/** Reads jobs and their recipients, and changes the state of jobs. */
@Injectable()
export class TypeOrmBulkJobStore extends BulkJobStore {
  constructor(private readonly database: Database) {
    super();
  }

  async find(accountId: string, jobId: string): Promise<BulkJob | null> {
    const [row] = await this.database.rows<BulkJobRow>(
      `${SELECT_JOBS} WHERE j.account_id = $1 AND j.id = $2 AND ${IS_VISIBLE}`,
      [accountId, jobId],
    );
    return row ? jobOf(row) : null;
  }

  async list(accountId: string, filter: BulkJobFilter, { page, pageSize }: PageRequest): Promise<Page<BulkJob>> {
    const matching = [accountId, filter.status, filter.kind, filter.createdAfter, filter.createdBefore].map(
      (value) => value ?? null,
    );
    const [counted] = await this.database.rows<{ count: number }>(
      `SELECT count(*)::int AS count FROM bulk_jobs j ${MATCHING}`,
      matching,
    );
    const rows = await this.database.rows<BulkJobRow>(
      `${SELECT_JOBS} ${MATCHING} ORDER BY j.created_at DESC, j.id DESC LIMIT $6::bigint OFFSET $7::bigint`,
      [...matching, pageSize, (page - 1) * pageSize],
    );
    return { items: rows.map(jobOf), page, pageSize, totalCount: counted?.count ?? 0 };
  }

  async recipients(
    job: BulkJob,
    filter: RecipientFilter,
    afterPosition: number,
    limit: number,
    lastPosition = job.totalRecipients,
  ): Promise<JobRecipient[]> {
    // An error code has an index of its own; any other filter may have to pass a million rows.
    const inSteps =
      filter.status !== undefined ||
      filter.errorCode === CANCELLED.code ||
      (filter.errorCode !== undefined && job.undelivered > 0);
    const found: RecipientRow[] = [];
    let from = afterPosition;
    while (from < lastPosition && found.length < limit) {
      const to = inSteps ? Math.min(from + POSITIONS_AT_ONCE, lastPosition) : lastPosition;
      found.push(...(await this.recipientsBetween(job, filter, from, to, limit - found.length)));
      from = to;
    }
    return found.map((row) => recipientOf(row, job));
  }

  async unsent(job: BulkJob, first: number, last: number): Promise<UnsentRecipient[]> {
    const rows = await this.database.rows<UnsentRow>(SELECT_UNSENT, [
      job.id,
      first,
      last,
      neverTriedFrom(job),
      hasEnded(job),
    ]);
    return rows.map(({ row_number: rowNumber, problem: errorCode, phone, parameters, reason }) => ({
      rowNumber,
      phone,
      parameters,
      reason,
      errorCode,
    }));
  }

  async recentAnswers(job: BulkJob): Promise<RecentAnswers> {
    const [row] = await this.database.rows<RecentAnswers>(
      `SELECT count(*)::int AS count,
         coalesce(extract(epoch FROM clock_timestamp() - min(updated_at)), 0)::float8 AS seconds
       FROM job_recipients
       WHERE job_id = $1 AND position >= $2 AND position < $3 AND outcome IS NOT NULL
         AND updated_at > clock_timestamp() - interval '1 minute'`,
      [job.id, job.cursor - RECENT_POSITIONS, job.cursor],
    );
    return row ?? { count: 0, seconds: 0 };
  }

  async change(accountId: string, jobId: string, { from, to, pauseReason }: JobTransition): Promise<boolean> {
    const { affected } = await this.database.execute(
      `UPDATE bulk_jobs SET pause_reason = $3, pause_problem = NULL, paused_at = NULL, updated_at = now(), status = CASE
         WHEN $4 <> 'Resumed' THEN $4 WHEN started_at IS NULL THEN 'Queued' ELSE 'Processing' END
       WHERE account_id = $1 AND id = $2 AND status = ANY ($5::text[])`,
      [accountId, jobId, pauseReason, to, from],
    );
    return affected === 1;
  }

  private recipientsBetween(
    job: BulkJob,
    { status, errorCode }: RecipientFilter,
    from: number,
    to: number,
    limit: number,
  ): Promise<RecipientRow[]> {
    const parameters: unknown[] = [job.id, from, to, neverTriedFrom(job), status ?? null, limit];
    const conditions = [outcomeOf(status, job)];
    if (errorCode !== undefined) {
      parameters.push(errorCode);
      // The plain comparison is what the index of problems serves.
      if (errorCode === CANCELLED.code) conditions.push(`AND (r.problem = $7 OR ${NEVER_TRIED})`);
      else conditions.push(job.undelivered > 0 ? 'AND (r.problem = $7 OR m.problem = $7)' : 'AND r.problem = $7');
    }
    return this.database.rows<RecipientRow>(
      `${SELECT_RECIPIENTS} ${conditions.join(' ')} ORDER BY r.position LIMIT $6::int`,
      parameters,
    );
  }
}

function hasEnded({ status }: BulkJob): boolean {
  return status === 'Cancelled' || status === 'Failed';
}

function neverTriedFrom(job: BulkJob): number {
  return hasEnded(job) ? job.cursor : NEVER;
}

/** What the outcome of a recipient in this state must be: it spares looking up the messages of all the others. */
function outcomeOf(status: RecipientStatus | undefined, job: BulkJob): string {
  if (status === undefined || (status === 'Failed' && job.undelivered > 0)) return '';
  const isAccepted = status === 'Sent' || status === 'Delivered' || status === 'Read';
  return isAccepted ? `AND r.outcome = 'Sent'` : `AND r.outcome IS DISTINCT FROM 'Sent'`;
}

function recipientOf(row: RecipientRow, job: BulkJob): JobRecipient {
  return {
    position: row.position,
    rowNumber: row.row_number,
    phone: row.phone,
    parameters: row.parameters,
    status: row.status,
    errorCode: row.problem,
    errorMessage: row.problem_message,
    platformCode: row.platform_code,
    messageId: row.attempt > 0 ? row.message_id : null,
    platformMessageId: row.platform_message_id,
    attempts: row.attempt,
    updatedAt: row.updated_at ?? job.createdAt,
  };
}
