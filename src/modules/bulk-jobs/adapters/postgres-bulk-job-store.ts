import { Injectable } from '@nestjs/common';
import { countedTotal, withNextPage } from '../../../infra/database/counted-pages';
import { Database } from '../../../infra/database/database';
import { cursorTime } from '../../../infra/database/keyset-lists.sql';
import { hasSearchKeys } from '../../../infra/database/search-keys';
import type { Page, PageRequest, Slice } from '../../../kernel/page';
import { encodeCursor, type TimeCursor } from '../../../kernel/time-cursor';
import { type BulkJob, isCutShort, neverTriedFrom, PAUSED_BY_CLIENT, type RecentAnswers } from '../domain/bulk-job';
import { type BulkJobFilter, BulkJobStore, type JobTransition, type TimingChange } from '../domain/bulk-job-store.port';
import type { LiveJob, OpenJobs } from '../domain/live-jobs';
import type { JobRecipient, RecipientFilter, RecipientStatus, UnsentRecipient } from '../domain/job-recipient';
import type { ReportColumns } from '../domain/report-columns';
import { CANCELLED } from '../../sending/domain/send-state';
import {
  type BulkJobRow,
  IS_VISIBLE,
  jobOf,
  type RowOf,
  SELECT_JOBS,
  VALID_FOR_SECONDS,
  windowColumns,
} from './bulk-job-rows';
import { ALL_RETRIES, FIND_JOB, OPEN_OF_OTHERS, RECENT_ANSWERS } from './job-reads.sql';
import { LIVE_JOBS, OPEN_JOBS } from './live-jobs.sql';
import { SELECT_REACHED, SELECT_UNSENT } from './unsent-recipients.sql';

/** Recipients never tried when their job ended count as cancelled; their rows, up to a million, are not updated. */
const NEVER_TRIED = `(r.outcome IS NULL AND r.position >= $4::int)`;
/** The status of an accepted message is only in its row of `messages`. */
const STATUS = `coalesce(m.status, r.outcome, CASE WHEN ${NEVER_TRIED} THEN 'Cancelled' ELSE 'Pending' END)`;
/** `OFFSET 0` makes the planner look up each message by its id instead of reading the whole history. */
const SELECT_RECIPIENTS = `
SELECT r.position, r.row_number AS "rowNumber", r.phone AS person, r.user_id AS "userId", r.parameters, r.extras AS own, r.reference,
  r.other_cells AS "otherCells", ${STATUS} AS status,
  coalesce(r.problem, m.problem, CASE WHEN ${NEVER_TRIED} THEN '${CANCELLED.code}' END) AS "errorCode",
  coalesce(r.problem_message, m.problem_message, CASE WHEN ${NEVER_TRIED} THEN '${CANCELLED.message}' END)
    AS "errorMessage",
  coalesce(r.platform_code, m.platform_code) AS "platformCode",
  CASE WHEN r.attempt > 0 THEN r.message_id END AS "messageId", m.platform_message_id AS "platformMessageId",
  r.attempt AS attempts, m.sent_at AS "sentAt", m.delivered_at AS "deliveredAt", m.read_at AS "readAt",
  coalesce(greatest(r.updated_at, m.delivered_at, m.read_at, m.failed_at), $7::timestamptz) AS "updatedAt"
FROM job_recipients r
LEFT JOIN LATERAL (
  SELECT status, problem, problem_message, platform_code, platform_message_id, sent_at, delivered_at, read_at, failed_at
  FROM messages WHERE id = r.message_id AND r.outcome = 'Sent' OFFSET 0
) m ON true
WHERE r.job_id = $1 AND r.position > $2 AND r.position <= $3 AND ($5::text IS NULL OR ${STATUS} = $5)`;

/** The status of a job that starts or continues. */
const RUNNING = `CASE WHEN started_at IS NULL THEN 'Queued' ELSE 'Processing' END`;

/** Positions per statement, so that it does not hold the only connection of the embedded database for long. */
const POSITIONS_AT_ONCE = 5000;
/** The statuses of messages that the platform accepted. */
const ACCEPTED: readonly RecipientStatus[] = ['Sent', 'Delivered', 'Read', 'Undelivered'];
/** Number of latest positions used to calculate the current rate of a job. */
const RECENT_POSITIONS = 1000;

/** Reads jobs and their recipients, and changes the state of jobs. */
@Injectable()
export class PostgresBulkJobStore extends BulkJobStore {
  constructor(private readonly database: Database) {
    super();
  }

  async find(accountId: string, jobId: string): Promise<BulkJob | null> {
    const [row] = await this.database.rows<BulkJobRow>(FIND_JOB, [accountId, jobId]);
    return row ? jobOf<BulkJob>(row) : null;
  }

  async list(accountId: string, filter: BulkJobFilter, request: PageRequest): Promise<Page<BulkJob>> {
    const { page, pageSize } = request;
    const parameters: unknown[] = [accountId];
    const matching = `bulk_jobs j WHERE ${matchingJobs(filter, (value) => `$${parameters.push(value)}`)}`;
    const { limit, offset } = withNextPage(request);
    // The ids come from an index alone, so that a late page reads no rows of the earlier ones.
    const places = await this.database.rows<{ id: string }>(
      `SELECT j.id FROM ${matching} ORDER BY j.created_at DESC, j.id DESC
       LIMIT $${parameters.length + 1}::bigint OFFSET $${parameters.length + 2}::bigint`,
      [...parameters, limit, offset],
    );
    const totalCount = await countedTotal(request, places.length, async (most) => {
      const [counted] = await this.database.rows<{ count: number }>(
        `SELECT count(*)::int AS count FROM (SELECT FROM ${matching} LIMIT $${parameters.length + 1}::bigint) counted`,
        [...parameters, most],
      );
      return counted?.count ?? 0;
    });
    return { items: await this.jobsAt(places.slice(0, pageSize)), page, pageSize, totalCount };
  }

  async slice(
    accountId: string,
    filter: BulkJobFilter,
    after: TimeCursor | null,
    limit: number,
  ): Promise<Slice<BulkJob>> {
    const parameters: unknown[] = [accountId];
    const parameter = (value: unknown) => `$${parameters.push(value)}`;
    const matching = matchingJobs(filter, parameter);
    const further = after
      ? `AND (j.created_at, j.id) < (${parameter(after.at)}::timestamptz, ${parameter(after.id)}::uuid)`
      : '';
    const places = await this.database.rows<TimeCursor>(
      `SELECT j.id, ${cursorTime('j.created_at')} AS at FROM bulk_jobs j WHERE ${matching} ${further}
       ORDER BY j.created_at DESC, j.id DESC LIMIT ${parameter(limit + 1)}::bigint`,
      parameters,
    );
    const page = places.slice(0, limit);
    const last = places.length > limit ? page.at(-1) : undefined;
    return { items: await this.jobsAt(page), nextCursor: last ? encodeCursor(last) : null };
  }

  async live(jobIds: readonly string[], accountIds: readonly string[]): Promise<LiveJob[]> {
    const rows = await this.database.rows<RowOf<LiveJob>>(LIVE_JOBS, [jobIds, accountIds]);
    return rows.map((row) => jobOf<LiveJob>(row));
  }

  async open(accountId: string): Promise<OpenJobs> {
    const [jobs] = await this.database.rows<OpenJobs>(OPEN_JOBS, [accountId]);
    return jobs!;
  }

  async recipients(
    job: BulkJob,
    filter: RecipientFilter,
    afterPosition: number,
    limit: number,
    lastPosition = job.totalRecipients,
  ): Promise<JobRecipient[]> {
    const codes = codesOf(filter);
    // A single error code has an index; any other filter may have to skip a million rows.
    const inSteps =
      filter.status !== undefined ||
      filter.phone !== undefined ||
      filter.userId !== undefined ||
      codes.length > 1 ||
      codes.includes(CANCELLED.code) ||
      (codes.length > 0 && job.undelivered > 0);
    const found: JobRecipient[] = [];
    let from = afterPosition;
    while (from < lastPosition && found.length < limit) {
      const to = inSteps ? Math.min(from + POSITIONS_AT_ONCE, lastPosition) : lastPosition;
      found.push(...(await this.recipientsBetween(job, filter, from, to, limit - found.length)));
      from = to;
    }
    return found;
  }

  async reportColumns(jobId: string): Promise<ReportColumns> {
    const [row] = await this.database.rows<{ columns: ReportColumns | null }>(
      'SELECT report_columns AS columns FROM bulk_jobs WHERE id = $1',
      [jobId],
    );
    return row?.columns ?? { fields: [], sheet: null };
  }

  unsent(job: BulkJob, first: number, last: number): Promise<UnsentRecipient[]> {
    return this.database.rows<UnsentRecipient>(SELECT_UNSENT, outcomesOf(job, first, last));
  }

  async retriesOf(jobId: string): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(ALL_RETRIES, [jobId]);
    return rows.map(({ id }) => id);
  }

  async reached(job: BulkJob, first: number, last: number): Promise<string[]> {
    const rows = await this.database.rows<{ phone: string }>(SELECT_REACHED, outcomesOf(job, first, last));
    return rows.map(({ phone }) => phone);
  }

  async recentAnswers(job: BulkJob): Promise<RecentAnswers> {
    const positions = [job.cursor - RECENT_POSITIONS, job.cursor];
    const [row] = await this.database.rows<RecentAnswers>(RECENT_ANSWERS, [job.id, ...positions]);
    return row ?? { count: 0, seconds: 0 };
  }

  async openOfOthers(senderId: string, jobId: string | null): Promise<number[]> {
    const rows = await this.database.rows<{ open: number }>(OPEN_OF_OTHERS, [senderId, jobId]);
    return rows.map(({ open }) => open);
  }

  async change(accountId: string, jobId: string, { from, to, keyId, validFrom }: JobTransition): Promise<boolean> {
    const { affected } = await this.database.execute(
      `UPDATE bulk_jobs SET pause_reason = CASE WHEN $4 = 'Paused' THEN $3 END, pause_problem = NULL, updated_at = now(),
         paused_at = CASE WHEN $4 = 'Paused' THEN clock_timestamp() END,
         paused_by = CASE WHEN $4 = 'Paused' THEN $7::uuid END,
         cancelled_by = CASE WHEN $4 = 'Cancelled' THEN $7::uuid END, status = CASE
         WHEN $4 <> 'Resumed' THEN $4 WHEN scheduled_at > now() THEN 'Scheduled' ELSE ${RUNNING} END,
         valid_until = CASE WHEN $6::timestamptz IS NULL THEN valid_until ELSE ${validUntil('$6')} END
       WHERE account_id = $1 AND id = $2 AND status = ANY ($5::text[])`,
      [accountId, jobId, PAUSED_BY_CLIENT.message, to, from, validFrom ?? null, keyId],
    );
    return affected === 1;
  }

  async lock(accountId: string, jobId: string): Promise<BulkJob | null> {
    await this.database.rows('SELECT 1 FROM bulk_jobs WHERE id = $1 AND account_id = $2 FOR UPDATE', [
      jobId,
      accountId,
    ]);
    return this.find(accountId, jobId);
  }

  async rename(jobId: string, name: string | null): Promise<void> {
    await this.database.execute('UPDATE bulk_jobs SET name = $2 WHERE id = $1', [jobId, name]);
  }

  async changeTiming(jobId: string, { scheduledAt, sendWindow, validFrom }: TimingChange): Promise<void> {
    const sets = ['updated_at = now()'];
    const parameters: unknown[] = [jobId];
    const parameter = (value: unknown) => `$${parameters.push(value)}`;
    if (scheduledAt !== undefined) sets.push(`scheduled_at = ${parameter(scheduledAt)}`);
    if (scheduledAt === null) sets.push(`status = CASE WHEN status = 'Scheduled' THEN ${RUNNING} ELSE status END`);
    if (sendWindow !== undefined) {
      const values = windowColumns(sendWindow).map(parameter);
      sets.push(`(send_from, send_until, send_zone, send_days) = ROW(${values.join()}), window_opens_at = NULL`);
      // A running job outside its old window is woken: the lane applies the new one.
      sets.push(`at_rest = at_rest AND status NOT IN ('Queued', 'Processing')`);
    }
    if (validFrom !== undefined) {
      sets.push(`valid_until = ${validUntil(parameter(validFrom))}, valid_for_seconds = ${VALID_FOR_SECONDS}`);
    }
    await this.database.execute(`UPDATE bulk_jobs SET ${sets.join(', ')} WHERE id = $1`, parameters);
  }

  /** The jobs with these ids, newest first. */
  private async jobsAt(places: readonly { id: string }[]): Promise<BulkJob[]> {
    const rows = await this.database.rows<BulkJobRow>(
      `${SELECT_JOBS} WHERE j.id = ANY($1::uuid[]) ORDER BY j.created_at DESC, j.id DESC`,
      [places.map(({ id }) => id)],
    );
    return rows.map((row) => jobOf<BulkJob>(row));
  }

  private recipientsBetween(
    job: BulkJob,
    filter: RecipientFilter,
    from: number,
    to: number,
    limit: number,
  ): Promise<JobRecipient[]> {
    const { status, phone, userId } = filter;
    const parameters: unknown[] = [job.id, from, to, neverTriedFrom(job), status ?? null, limit, job.createdAt];
    const conditions = [outcomeOf(status)];
    if (phone !== undefined) conditions.push(`AND r.phone = $${parameters.push(phone)}`);
    if (userId !== undefined) {
      const id = `$${parameters.push(userId)}`;
      conditions.push(`AND (r.phone = ${id} OR r.user_id = ${id})`);
    }
    const codes = codesOf(filter);
    if (codes.length > 0) {
      // Only a plain comparison uses the index on problems.
      const [first] = codes;
      const code = codes.length === 1 ? `$${parameters.push(first)}` : `ANY ($${parameters.push(codes)}::text[])`;
      const problems = [
        `r.problem = ${code}`,
        ...(codes.includes(CANCELLED.code) ? [NEVER_TRIED] : []),
        ...(job.undelivered > 0 && codes.some((one) => one !== CANCELLED.code) ? [`m.problem = ${code}`] : []),
      ];
      conditions.push(problems.length === 1 ? `AND ${problems[0]}` : `AND (${problems.join(' OR ')})`);
    }
    return this.database.rows<JobRecipient>(
      `${SELECT_RECIPIENTS} ${conditions.join(' ')} ORDER BY r.position LIMIT $6::int`,
      parameters,
    );
  }
}

function codesOf({ errorCode = [] }: RecipientFilter): readonly string[] {
  return typeof errorCode === 'string' ? [errorCode] : errorCode;
}

/** The condition of a list of the account $1. */
function matchingJobs(filter: BulkJobFilter, value: (given: unknown) => string): string {
  const { status, kind, createdAfter, createdBefore, reference, retryOf, search } = filter;
  const conditions = ['j.account_id = $1', IS_VISIBLE];
  if (status !== undefined) conditions.push(`j.status = ${value(status)}`);
  if (kind !== undefined) conditions.push(`j.kind = ${value(kind)}`);
  if (createdAfter !== undefined) conditions.push(`j.created_at >= ${value(createdAfter)}`);
  if (createdBefore !== undefined) conditions.push(`j.created_at < ${value(createdBefore)}`);
  if (reference !== undefined) conditions.push(`j.reference = ${value(reference)}`);
  if (retryOf !== undefined) conditions.push(`j.retry_of = ${value(retryOf)}`);
  if (search !== undefined) {
    const part = `${value(search)}::text`;
    conditions.push(`strpos(lower(j.name), lower(${part})) > 0`);
    if (hasSearchKeys(search)) conditions.push(`search_keys(j.account_id, j.name) @> search_keys($1, ${part})`);
  }
  return conditions.join(' AND ');
}

/** The condition on the outcome implied by the status, so that only matching messages are looked up. */
function outcomeOf(status: RecipientStatus | undefined): string {
  if (status === undefined) return '';
  return ACCEPTED.includes(status) ? `AND r.outcome = 'Sent'` : `AND r.outcome IS DISTINCT FROM 'Sent'`;
}

/** The end of a validity that starts at the parameter `from`; NULL if that is NULL. */
function validUntil(from: string): string {
  const moment = `${from}::timestamptz`;
  return `CASE WHEN ${moment} IS NOT NULL THEN GREATEST(now(), ${moment}) END + ${VALID_FOR_SECONDS} * interval '1 second'`;
}

/** The parameters of SELECT_UNSENT and SELECT_REACHED. */
function outcomesOf(job: BulkJob, first: number, last: number): unknown[] {
  return [job.id, first, last, neverTriedFrom(job), isCutShort(job), job.undelivered > 0];
}
