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
import type { JobStop } from '../../src/modules/delivery/domain/job-stop';
import type { JobRow, RecipientRow } from './engine-rows';

/** Job states visible to lanes: not those still importing. */
export const VISIBLE = ['Scheduled', 'Queued', 'Processing', 'Paused', 'Cancelled', 'Failed'];

/** Its recipients are stored. */
export function isVisible({ status }: JobRow): boolean {
  return status !== 'Importing' && status !== 'Abandoned';
}

/** A job without schedule or send window. */
export const ANY_HOUR = {
  ...{ scheduledAt: null, sendFrom: null, sendUntil: null, sendZone: null, sendDays: null, windowOpensAt: null },
};

/** The columns of a send window. */
export function windowColumns({ from, until, timeZone, days }: SendWindow) {
  return { sendFrom: from, sendUntil: until, sendZone: timeZone, sendDays: [...days] };
}

/** The send window of a job; null: it may send at any hour. */
export function windowOf({ sendFrom, sendUntil, sendZone, sendDays }: JobRow): SendWindow | null {
  if (sendFrom === null || sendUntil === null || sendZone === null || sendDays === null) return null;
  // The database returns times of day with seconds.
  return { from: sendFrom.slice(0, 5), until: sendUntil.slice(0, 5), timeZone: sendZone, days: sendDays };
}

/** It is outside its send window. */
export function isClosed(job: JobRow, now: number): boolean {
  const window = windowOf(job);
  return window !== null && !isOpen(window, new Date(now));
}

/** Attempts may start. */
export function isRunning(job: JobRow): boolean {
  return job.status === 'Queued' || job.status === 'Processing';
}

/** It waits for a client or for its schedule. */
export function isWaiting(job: JobRow): boolean {
  return job.status === 'Paused' || job.status === 'Scheduled';
}

/** What the trigger of status changes makes of a change. */
export function changedJob(before: JobRow, after: JobRow, now: Date): JobRow {
  if (after.status === before.status) return after;
  return {
    ...after,
    ...(before.atRest && { atRest: false, laneEpoch: 0 }),
    ...(after.status === 'Paused' && { pausedAt: after.pausedAt ?? now }),
  };
}

/** The columns that a stop sets on a running job. */
export function stopped({ final, problem, reason }: JobStop, now: Date): Partial<JobRow> {
  return {
    ...{ status: final ? 'Failed' : 'Paused', pauseReason: final ? null : reason, pausedAt: final ? null : now },
    ...{ errorCode: final ? problem : null, errorMessage: final ? reason : null },
  };
}

/** Nothing is retried. */
export function isEnded(job: JobRow): boolean {
  return job.status === 'Cancelled' || job.status === 'Failed';
}

/** Unfinished, but by its counters nothing is left. */
export function isComplete(job: JobRow): boolean {
  if (job.completedAt !== null || job.unknownInGrace > 0 || job.settledBelow !== job.cursor) return false;
  return isEnded(job) || job.successfullySent + job.failed === job.totalRecipients;
}

/** Expired: no attempt starts any more. */
export function isExpired(job: JobRow, now: number): boolean {
  return job.validUntil !== null && job.validUntil.getTime() <= now;
}

/** Waiting, with nothing in flight or unknown, and something left to send. */
export function mayRest(job: JobRow, rows: readonly RecipientRow[]): boolean {
  return isWaiting(job) && job.completedAt === null && isSettled(job, rows) && hasLeftToSend(job, rows);
}

/** Nothing is in flight or unknown. */
export function isSettled(job: JobRow, rows: readonly RecipientRow[]): boolean {
  if (job.settledBelow !== job.cursor || job.unknownInGrace > 0) return false;
  return rows.every(({ sendingEpoch }) => sendingEpoch === null);
}

/** Some recipient waits for an attempt. */
export function hasLeftToSend(job: JobRow, rows: readonly RecipientRow[]): boolean {
  return job.cursor <= job.totalRecipients || rows.some(({ retryAt }) => retryAt !== null);
}

/** The messaging tier, constant here, has no room for its next recipient. */
export function isHeld(job: JobRow, now: number): boolean {
  return job.throttledUntil !== null && job.throttledUntil.getTime() > now;
}

/** Why a job waits after a claim: a limit of its template lasts until a message is accepted. */
export function reasonAfterClaim(job: JobRow, heldUntil: Date | null): string | null {
  if (heldUntil) return 'messaging_limit_reached';
  return job.throttledReason === 'template_limited' ? job.throttledReason : null;
}

/** Why a job waits after answers, `accepted` of which were acceptances. */
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

/** The lane has work for the job. */
export function isRunnable(job: JobRow, rows: readonly RecipientRow[], now: number, graceMs: number): boolean {
  if (job.completedAt || job.atRest || !VISIBLE.includes(job.status)) return false;
  const seen = laneJob(job, rows, now, graceMs);
  const maySend = isRunning(job) && !seen.closed;
  if (maySend && ((job.cursor <= job.totalRecipients && !seen.held) || seen.retryDue)) return true;
  if (isRunning(job) && seen.expired && (job.cursor <= job.totalRecipients || seen.retryWaiting)) return true;
  if (isEnded(job) && (job.unknownInGrace === 0 || seen.retryWaiting)) return true;
  if (job.settledBelow < job.cursor || seen.sending || seen.graceOver) return true;
  return job.cursor > job.totalRecipients && job.unknownInGrace === 0 && !seen.retryWaiting;
}

/** The lane's view of a job. */
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

export function openRecipient({
  position,
  messageId,
  phone: person,
  userId,
  parameters,
  extras: own,
}: RecipientRow): OpenRecipient {
  return { position, messageId, person, userId, parameters, own };
}

export function claimed(row: RecipientRow): ClaimedRecipient {
  return { ...openRecipient(row), jobId: row.jobId, attempt: row.attempt };
}

export function lockedJob(job: JobRow): LockedJob {
  const { id, accountId, senderId, templateName, languageCode, revisionId, headerMedia: extras, reference } = job;
  const state = { ended: isEnded(job), completed: job.completedAt !== null, cursor: job.cursor };
  return { id, accountId, senderId, templateName, languageCode, revisionId, extras, reference, ...state };
}

export function recipientState(row: RecipientRow): RecipientState {
  const { jobId, rowNumber, userId, reference, strikes, throttles, retryAt, unknownSince, outcome } = row;
  const problem =
    row.problem === null
      ? null
      : { code: row.problem, message: row.problemMessage ?? '', platformCode: row.platformCode };
  return {
    ...openRecipient(row),
    ...{ jobId, rowNumber, userId, reference, strikes, throttles, retryAt, unknownSince, outcome, problem },
    attempt: Math.max(1, row.attempt),
  };
}

/** Recipients whose job is locked. */
export function underLock(jobs: readonly LockedJob[], recipients: readonly RecipientState[]): LockedRecipient[] {
  return recipients.flatMap((recipient) => {
    const job = jobs.find(({ id }) => id === recipient.jobId);
    return job ? [{ ...recipient, job }] : [];
  });
}

/** The columns written when a state is saved. */
export function savedColumns(state: RecipientState): Partial<RecipientRow> {
  const { attempt, strikes, throttles, retryAt, unknownSince, outcome, problem } = state;
  return {
    ...{ attempt, strikes, throttles, retryAt, unknownSince, outcome, sendingEpoch: null },
    problem: problem?.code ?? null,
    problemMessage: problem?.message ?? null,
    platformCode: problem?.platformCode ?? null,
  };
}

export function countOutcomes(rows: Iterable<RecipientRow>, cursor: number): OutcomeCounts {
  const counted: OutcomeCounts = { sent: 0, failed: 0, open: 0, inGrace: 0 };
  for (const { outcome, position, problem } of rows) {
    if (outcome === null) counted.open += position < cursor ? 1 : 0;
    else if (outcome === 'Sent') counted.sent++;
    else if (outcome === 'Unknown' && problem === null) counted.inGrace++;
    else counted.failed++;
  }
  return counted;
}
