import type {
  ClaimedRecipient,
  LaneJob,
  LockedJob,
  RecipientState,
} from '../../src/modules/delivery/domain/lane-store.port';
import type { JobRow, RecipientRow } from '../fakes/memory-database';

/** States of jobs that lanes see: not those whose import goes on. */
export const VISIBLE = ['Queued', 'Processing', 'Paused', 'Cancelled', 'Failed'];

/** Attempts may begin. */
export function isRunning(job: JobRow): boolean {
  return job.status === 'Queued' || job.status === 'Processing';
}

/** Nothing of it is tried again. */
export function isEnded(job: JobRow): boolean {
  return job.status === 'Cancelled' || job.status === 'Failed';
}

/** It is unfinished, and its counters say that nothing is left. */
export function isComplete(job: JobRow): boolean {
  if (job.completedAt !== null || job.unknownInGrace > 0 || job.settledBelow !== job.cursor) return false;
  return isEnded(job) || job.successfullySent + job.failed === job.totalRecipients;
}

/** Its validity is over: nothing of it begins any more. */
export function isExpired(job: JobRow, now: number): boolean {
  return job.validUntil !== null && job.validUntil.getTime() <= now;
}

export function isGraceOver(row: RecipientRow, now: number, graceMs: number): boolean {
  return row.unknownSince !== null && row.unknownSince.getTime() < now - graceMs;
}

/** The lane has something to do for the job. */
export function isRunnable(job: JobRow, rows: readonly RecipientRow[], now: number, graceMs: number): boolean {
  if (job.completedAt || !VISIBLE.includes(job.status)) return false;
  const seen = laneJob(job, rows, now, graceMs);
  if (isRunning(job) && (job.cursor <= job.totalRecipients || seen.retryDue)) return true;
  if (isRunning(job) && seen.expired && (job.cursor <= job.totalRecipients || seen.retryWaiting)) return true;
  if (isEnded(job) && (job.unknownInGrace === 0 || seen.retryWaiting)) return true;
  if (job.settledBelow < job.cursor || seen.sending || seen.graceOver) return true;
  return job.cursor > job.totalRecipients && job.unknownInGrace === 0 && !seen.retryWaiting;
}

/** What a lane sees of a job. */
export function laneJob(job: JobRow, rows: readonly RecipientRow[], now: number, graceMs: number): LaneJob {
  let retryDue = false;
  let retryWaiting = false;
  let sending = false;
  let graceOver = false;
  for (const row of rows) {
    if (row.retryAt !== null) {
      retryWaiting = true;
      if (row.retryAt.getTime() <= now) retryDue = true;
    }
    if (row.sendingEpoch !== null) sending = true;
    if (isGraceOver(row, now, graceMs)) graceOver = true;
  }
  return {
    id: job.id,
    accountId: job.accountId,
    status: job.status as LaneJob['status'],
    revisionId: job.revisionId,
    headerMedia: job.headerMedia,
    totalRecipients: job.totalRecipients,
    cursor: job.cursor,
    settledBelow: job.settledBelow,
    expired: isExpired(job, now),
    held: false,
    successfullySent: job.successfullySent,
    failed: job.failed,
    unknownInGrace: job.unknownInGrace,
    ...{ retryDue, retryWaiting, sending, graceOver },
  };
}

export function claimed(row: RecipientRow, attempt: number): ClaimedRecipient {
  const { jobId, position, messageId, phone, parameters } = row;
  return { jobId, position, messageId, attempt, phone, parameters, unwanted: false };
}

export function lockedJob(job: JobRow, rows: readonly RecipientRow[]): LockedJob {
  const { id, accountId, templateName, languageCode, revisionId, headerMedia, reference } = job;
  return {
    ...{ id, accountId, templateName, languageCode, revisionId, headerMedia, reference },
    ended: isEnded(job),
    recipients: rows.map(recipientState),
  };
}

function recipientState(row: RecipientRow): RecipientState {
  const { position, rowNumber, messageId, phone, parameters, strikes, throttles, retryAt, unknownSince, outcome } = row;
  const problem =
    row.problem === null
      ? null
      : { code: row.problem, message: row.problemMessage ?? '', platformCode: row.platformCode };
  return {
    ...{ position, rowNumber, messageId, phone, parameters, strikes, throttles, retryAt, unknownSince, outcome },
    attempt: Math.max(1, row.attempt),
    problem,
  };
}
