import {
  type BulkJob,
  isCutShort,
  neverTriedFrom,
  PAUSED_BY_CLIENT,
} from '../../src/modules/bulk-jobs/domain/bulk-job';
import {
  BulkJobStore,
  type JobTransition,
  type TimingChange,
} from '../../src/modules/bulk-jobs/domain/bulk-job-store.port';
import type { ReportColumns } from '../../src/modules/bulk-jobs/domain/report-columns';
import type { UnsentRecipient, UnsentStatus } from '../../src/modules/bulk-jobs/domain/job-recipient';
import { CANCELLED } from '../../src/modules/sending/domain/send-state';
import { isRunning, windowColumns } from '../fakes/lane-rows';
import type { JobRow, RecipientRow } from '../fakes/engine-rows';
import type { Transaction } from './table';
import type { ProcessDatabase } from './process-database';

const NO_WINDOW = { sendFrom: null, sendUntil: null, sendZone: null, sendDays: null };

/** Reads and changes jobs, statement by statement like the SQL of the real store. */
export class SimulatedBulkJobStore extends BulkJobStore {
  constructor(protected readonly database: ProcessDatabase) {
    super();
  }

  find(accountId: string, jobId: string): Promise<BulkJob | null> {
    return this.database.statement('FIND_JOB', (transaction) => {
      const row = this.server.jobs.row(jobId).seenBy(transaction);
      return row?.accountId === accountId ? bulkJobOf(row) : null;
    });
  }

  recentAnswers(): Promise<{ count: number; seconds: number }> {
    return Promise.resolve({ count: 0, seconds: 0 });
  }

  async change(accountId: string, jobId: string, transition: JobTransition): Promise<boolean> {
    const { from, to, validFrom } = transition;
    const isPause = to === 'Paused';
    const now = (): Date => this.now();
    const changed = await this.update('CHANGE_STATUS', jobId, (job) =>
      job.accountId === accountId && (from as readonly string[]).includes(job.status)
        ? {
            status: to === 'Resumed' ? resumed(job, now()) : to,
            pauseReason: isPause ? PAUSED_BY_CLIENT.message : null,
            pausedAt: isPause ? now() : null,
            validUntil: validFrom === undefined ? job.validUntil : endOfValidity(job, validFrom, now()),
          }
        : null,
    );
    return changed.length === 1;
  }

  async lock(accountId: string, jobId: string): Promise<BulkJob | null> {
    await this.database.statement('LOCK_JOB', (transaction) =>
      this.server.select(transaction, [this.server.jobs.row(jobId)], (job) => job.accountId === accountId),
    );
    return this.find(accountId, jobId);
  }

  async changeTiming(jobId: string, { scheduledAt, sendWindow, validFrom }: TimingChange): Promise<void> {
    await this.update('CHANGE_TIMING', jobId, (job) => ({
      ...(scheduledAt !== undefined && { scheduledAt }),
      ...(scheduledAt === null && job.status === 'Scheduled' && { status: running(job) }),
      ...(sendWindow !== undefined && (sendWindow === null ? NO_WINDOW : windowColumns(sendWindow))),
      ...(sendWindow !== undefined && { windowOpensAt: null, atRest: job.atRest && !isRunning(job) }),
      ...(validFrom !== undefined && { validUntil: validFrom && endOfValidity(job, validFrom, this.now()) }),
    }));
  }

  unsent(job: BulkJob, first: number, last: number): Promise<UnsentRecipient[]> {
    return this.database.statement('SELECT_UNSENT', () =>
      this.server
        .recipientsOf(job.id)
        .slice(first - 1, last)
        .flatMap(({ committed }) => (committed && committed.outcome !== 'Sent' ? this.unsentOf(job, committed) : [])),
    );
  }

  reportColumns(): Promise<ReportColumns> {
    return Promise.resolve({ fields: [], sheet: null });
  }

  list(): never {
    throw unasked();
  }

  slice(): never {
    throw unasked();
  }

  retriesOf(): never {
    throw unasked();
  }

  live(): never {
    throw unasked();
  }

  open(): never {
    throw unasked();
  }

  rename(): never {
    throw unasked();
  }

  recipients(): never {
    throw unasked();
  }

  reached(): never {
    throw unasked();
  }

  openOfOthers(): never {
    throw unasked();
  }

  protected unsentOf(job: BulkJob, row: RecipientRow): UnsentRecipient {
    const { extras: own, parameters, phone: person, userId, reference, rowNumber } = row;
    const status = unsentStatus(job, row);
    const isInvalid = row.outcome === 'Failed' && row.attempt === 0 && row.problem !== 'expired';
    const reason = isInvalid ? 'Invalid' : person === '' ? 'Erased' : status;
    const errorCode = row.problem ?? (status === 'Cancelled' ? CANCELLED.code : null);
    const identity = { person, userId, rowNumber };
    return { ...identity, own, parameters, reference, otherCells: null, status, reason, errorCode };
  }

  protected now(): Date {
    return this.server.now();
  }

  protected get server() {
    return this.database.server;
  }

  /** UPDATE of one job; null if it does not match. */
  protected update(
    name: string,
    jobId: string,
    change: (job: JobRow, transaction: Transaction) => Partial<JobRow> | null,
  ): Promise<JobRow[]> {
    return this.database.statement(name, (transaction) =>
      this.server.update(
        transaction,
        [this.server.jobs.row(jobId)],
        (job) => change(job, transaction) !== null,
        (job) => change(job, transaction)!,
      ),
    );
  }
}

function resumed(job: JobRow, now: Date): string {
  return job.scheduledAt !== null && job.scheduledAt > now ? 'Scheduled' : running(job);
}

function running({ startedAt }: JobRow): string {
  return startedAt === null ? 'Queued' : 'Processing';
}

function unsentStatus(job: BulkJob, { outcome, position, problem, retryAt }: RecipientRow): UnsentStatus {
  if (outcome === 'Unknown' && problem === null) return 'Unsettled';
  if (outcome !== null) return outcome as UnsentStatus;
  const isCancelled = position >= neverTriedFrom(job) || (isCutShort(job) && retryAt !== null);
  return isCancelled ? 'Cancelled' : 'Unsettled';
}

/** The end of a validity that begins at a moment. */
export function endOfValidity(
  { validForSeconds }: Pick<JobRow, 'validForSeconds'>,
  validFrom: Date,
  now: Date,
): Date | null {
  if (validForSeconds === null) return null;
  return new Date(Math.max(now.getTime(), validFrom.getTime()) + validForSeconds * 1000);
}

function unasked(): Error {
  return new Error('Not used in histories.');
}

/** Maps a row to the job that clients see. */
export function bulkJobOf(row: JobRow): BulkJob {
  const { sendFrom: from, sendUntil: until, sendZone: timeZone, sendDays: days } = row;
  const isWindowed = from !== null && until !== null && timeZone !== null && days !== null;
  const { pauseReason, errorCode, errorMessage, headerMedia: extras, ...columns } = row;
  return {
    ...columns,
    ...{ kind: 'Import', extras, name: null, fileName: null, groupId: null, audience: null },
    status: row.status as BulkJob['status'],
    ...{ invalidRows: 0, duplicateRows: 0, delivered: 0, read: 0, undelivered: 0 },
    pauseReason: pauseReason === null ? null : { code: PAUSED_BY_CLIENT.code, message: pauseReason },
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
    ...{ lastUnknownSince: null, createdBy: null, pausedBy: null, cancelledBy: null },
    ...{ throttled: null, halted: null, windowOpensAt: null, recipientsExpiredAt: null },
    sendWindow: isWindowed ? { from, until, timeZone, days } : null,
  };
}
