import type {
  ClaimedRecipient,
  LaneJob,
  LockedJob,
  LockedRecipient,
  OpenRecipient,
  OutcomeCounts,
  RecipientState,
} from '../../src/modules/delivery/domain/lane-job-store.port';
import { isOpen, type SendWindow } from '../../src/modules/bulk-jobs/domain/send-window';
import type { JobRow, RecipientRow } from './memory-database';

/** States of jobs that lanes see: not those whose import goes on. */
export const VISIBLE = ['Scheduled', 'Queued', 'Processing', 'Paused', 'Cancelled', 'Failed'];

/** A job that may send at once, at any hour. */
export const ANY_HOUR = { scheduledAt: null, sendFrom: null, sendUntil: null, sendZone: null, sendDays: null };

/** The columns of a send window. */
export function windowColumns({ from, until, timeZone, days }: SendWindow) {
  return { sendFrom: from, sendUntil: until, sendZone: timeZone, sendDays: [...days] };
}

/** It is outside its send window. */
export function isClosed({ sendFrom, sendUntil, sendZone, sendDays }: JobRow, now: number): boolean {
  if (sendFrom === null || sendUntil === null || sendZone === null || sendDays === null) return false;
  // A database gives times of day with their seconds.
  const window = { from: sendFrom.slice(0, 5), until: sendUntil.slice(0, 5), timeZone: sendZone, days: sendDays };
  return !isOpen(window, new Date(now));
}

/** Attempts may begin. */
export function isRunning(job: JobRow): boolean {
  return job.status === 'Queued' || job.status === 'Processing';
}

/** It waits for a client or for its schedule. */
export function isWaiting(job: JobRow): boolean {
  return job.status === 'Paused' || job.status === 'Scheduled';
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

/** No lane looks after it until its status or its counters change. */
export function isAtRest(job: JobRow): boolean {
  return job.atRest && isWaiting(job);
}

/** It waits, nothing of it is in flight or unknown, and something is left to be sent. */
export function mayRest(job: JobRow, rows: readonly RecipientRow[]): boolean {
  if (!isWaiting(job) || job.completedAt !== null || job.settledBelow !== job.cursor) return false;
  if (job.unknownInGrace > 0 || rows.some(({ sendingEpoch }) => sendingEpoch !== null)) return false;
  return job.cursor <= job.totalRecipients || rows.some(({ retryAt }) => retryAt !== null);
}

/** The messaging tier, which never changes here, has no room for its next recipient. */
export function isHeld(job: JobRow, now: number): boolean {
  return job.throttledUntil !== null && job.throttledUntil.getTime() > now;
}

/** Why a job waits after a claim: a limit of its template lasts until a message is accepted. */
export function reasonAfterClaim(job: JobRow, heldUntil: Date | null): string | null {
  if (heldUntil) return 'messaging_limit_reached';
  return job.throttledReason === 'template_limited' ? job.throttledReason : null;
}

/** Why a job waits after answers, of which `accepted` were messages that the platform took. */
export function reasonAfterAnswers(job: JobRow, accepted: number, now: number): string | null {
  return accepted > 0 && job.throttledReason === 'template_limited' && !isHeld(job, now) ? null : job.throttledReason;
}

/** The platform limits its template. */
export function isOnHold(job: JobRow, now: number): boolean {
  return job.throttledReason === 'template_limited' && isHeld(job, now);
}

/** An unknown outcome has outlived its grace time. */
export function isGraceOver(row: RecipientRow, now: number, graceMs: number): boolean {
  return row.unknownSince !== null && row.unknownSince.getTime() < now - graceMs;
}

/** The lane has something to do for the job. */
export function isRunnable(job: JobRow, rows: readonly RecipientRow[], now: number, graceMs: number): boolean {
  if (job.completedAt || isAtRest(job) || !VISIBLE.includes(job.status)) return false;
  const seen = laneJob(job, rows, now, graceMs);
  const maySend = isRunning(job) && !seen.closed;
  if (maySend && ((job.cursor <= job.totalRecipients && !seen.held) || seen.retryDue)) return true;
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
    extras: job.headerMedia,
    totalRecipients: job.totalRecipients,
    cursor: job.cursor,
    settledBelow: job.settledBelow,
    expired: isExpired(job, now),
    held: isHeld(job, now),
    closed: isClosed(job, now),
    laneEpoch: String(job.laneEpoch),
    successfullySent: job.successfullySent,
    failed: job.failed,
    unknownInGrace: job.unknownInGrace,
    ...{ retryDue, retryWaiting, sending, graceOver },
  };
}

export function openRecipient({ position, messageId, phone, parameters }: RecipientRow): OpenRecipient {
  return { position, messageId, phone, parameters };
}

export function claimed(row: RecipientRow): ClaimedRecipient {
  return { ...openRecipient(row), jobId: row.jobId, attempt: row.attempt };
}

export function lockedJob(job: JobRow): LockedJob {
  const { id, accountId, templateName, languageCode, revisionId, headerMedia: extras, reference } = job;
  const state = { ended: isEnded(job), completed: job.completedAt !== null };
  return { id, accountId, templateName, languageCode, revisionId, extras, reference, ...state };
}

export function recipientState(row: RecipientRow): RecipientState {
  const { jobId, rowNumber, strikes, throttles, retryAt, unknownSince, outcome } = row;
  const problem =
    row.problem === null
      ? null
      : { code: row.problem, message: row.problemMessage ?? '', platformCode: row.platformCode };
  return {
    ...openRecipient(row),
    ...{ jobId, rowNumber, strikes, throttles, retryAt, unknownSince, outcome, problem },
    attempt: Math.max(1, row.attempt),
  };
}

/** Those of the recipients whose job is locked. */
export function underLock(jobs: readonly LockedJob[], recipients: readonly RecipientState[]): LockedRecipient[] {
  return recipients.flatMap((recipient) => {
    const job = jobs.find(({ id }) => id === recipient.jobId);
    return job ? [{ ...recipient, job }] : [];
  });
}

/** What saving a state writes into the row. */
export function savedColumns(state: RecipientState): Partial<RecipientRow> {
  const { attempt, strikes, throttles, retryAt, unknownSince, outcome, problem } = state;
  return {
    ...{ attempt, strikes, throttles, retryAt, unknownSince, outcome, sendingEpoch: null },
    problem: problem?.code ?? null,
    problemMessage: problem?.message ?? null,
    platformCode: problem?.platformCode ?? null,
  };
}

export function countOutcomes(rows: Iterable<RecipientRow>): OutcomeCounts {
  const counted: OutcomeCounts = { sent: 0, failed: 0, open: 0, inGrace: 0 };
  for (const { outcome, problem } of rows) {
    if (outcome === null) counted.open++;
    else if (outcome === 'Sent') counted.sent++;
    else if (outcome === 'Unknown' && problem === null) counted.inGrace++;
    else counted.failed++;
  }
  return counted;
}
