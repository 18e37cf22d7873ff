import type { HeaderMedia } from '../../templates/domain/sendable-template';

/** Every state a client can see; a job that is still being stored is in none of them. */
export const BULK_JOB_STATUSES = [
  'Scheduled',
  'Queued',
  'Processing',
  'Paused',
  'Completed',
  'Failed',
  'Cancelled',
] as const;
export type BulkJobStatus = (typeof BULK_JOB_STATUSES)[number];

/** Where the recipients of a job came from: an uploaded file or a contact group. */
export const BULK_JOB_KINDS = ['Import', 'Group'] as const;
export type BulkJobKind = (typeof BULK_JOB_KINDS)[number];

/** What a client can ask of a job. */
export const JOB_ACTIONS = ['pause', 'resume', 'cancel', 'retry'] as const;
export type JobAction = (typeof JOB_ACTIONS)[number];

/** Why a job waits although it could send, and until when. */
export interface Throttle {
  reason: string;
  until: Date;
}

/** One send of a template to many recipients, as it stands in the database. */
export interface BulkJob {
  id: string;
  accountId: string;
  senderId: string;
  kind: BulkJobKind;
  status: BulkJobStatus;
  templateName: string;
  languageCode: string;
  revisionId: string;
  headerMedia: HeaderMedia | null;
  reference: string | null;
  fileName: string | null;
  groupId: string | null;
  /** The job whose failed or unknown recipients this one tries again. */
  retryOf: string | null;
  /** All recipients, the invalid rows included, the dropped duplicates not. */
  totalRecipients: number;
  invalidRows: number;
  duplicateRows: number;
  /** Next position whose first attempt may be claimed, from 1. */
  cursor: number;
  /** Accepted by the platform. */
  successfullySent: number;
  /** Failed, skipped, unknown and cancelled ones, as soon as that is final. */
  failed: number;
  skipped: number;
  unknown: number;
  /** Those of `unknown` that are not final yet, hence not in `failed`. */
  unknownInGrace: number;
  delivered: number;
  read: number;
  undelivered: number;
  pauseReason: string | null;
  error: { code: string; message: string } | null;
  /** Set only while it holds. */
  throttled: Throttle | null;
  createdAt: Date;
  /** What is not sent by then fails with `expired`; null: it may wait for ever. */
  validUntil: Date | null;
  startedAt: Date | null;
  /** When the last recipient became final, also of a cancelled or failed job. */
  completedAt: Date | null;
  /** Since when its recipients are not kept any more: some rows may still be there, but nobody may read them. */
  recipientsExpiredAt: Date | null;
}

/** Share of recipients whose outcome is final, in percent, cut to one decimal; 100 only when the job is done or empty. */
export function progressPercentage(
  job: Pick<BulkJob, 'totalRecipients' | 'successfullySent' | 'failed' | 'completedAt'>,
): number {
  if (job.totalRecipients === 0) return 100;
  const perMille = Math.floor(((job.successfullySent + job.failed) * 1000) / job.totalRecipients);
  return Math.min(perMille, job.completedAt === null ? 999 : 1000) / 10;
}

/** Recipients of which nothing is known yet: not attempted, in flight or waiting for a repetition. */
export function pendingRecipients(
  job: Pick<BulkJob, 'totalRecipients' | 'successfullySent' | 'failed' | 'unknownInGrace'>,
): number {
  return Math.max(0, job.totalRecipients - job.successfullySent - job.failed - job.unknownInGrace);
}

/** The states in which a client may take an action. */
export const STATUSES_THAT_ALLOW: Readonly<Record<JobAction, readonly BulkJobStatus[]>> = {
  pause: ['Scheduled', 'Queued', 'Processing'],
  resume: ['Paused'],
  cancel: ['Scheduled', 'Queued', 'Processing', 'Paused'],
  retry: ['Completed', 'Failed', 'Cancelled'],
};

/** What a client may do to the job now; a retry only where it has recipients that can be tried again. */
export function allowedActions(job: BulkJob): JobAction[] {
  return JOB_ACTIONS.filter(
    (action) => STATUSES_THAT_ALLOW[action].includes(job.status) && (action !== 'retry' || hasRetryable(job)),
  );
}

/** Those that were invalid from the start, or have opted out, are not tried again, nor is who is not kept any more. */
function hasRetryable({ failed, skipped, invalidRows, recipientsExpiredAt }: BulkJob): boolean {
  return failed > skipped + invalidRows && recipientsExpiredAt === null;
}

/** Seconds that a job may take from its creation; null: as long as it needs. */
export function validForSeconds({ createdAt, validUntil }: BulkJob): number | null {
  return validUntil && Math.round((validUntil.getTime() - createdAt.getTime()) / 1000);
}

/** The answers that were recorded last: how many, and over how many seconds up to now. */
export interface RecentAnswers {
  count: number;
  seconds: number;
}

/**
 * Recipients settled per second, one decimal: of a running job over its latest answers, so that a pause does not spoil
 * the figure; of a finished job over its whole run; null where neither can be said.
 */
export function ratePerSecond(job: BulkJob, recent: RecentAnswers): number | null {
  if (job.status === 'Processing') return oneDecimal(recent.count / Math.max(1, recent.seconds));
  if (job.status !== 'Completed' || job.startedAt === null || job.completedAt === null) return null;
  const seconds = (job.completedAt.getTime() - job.startedAt.getTime()) / 1000;
  return oneDecimal((job.successfullySent + job.failed - job.invalidRows) / Math.max(1, seconds));
}

/** When the last pending recipient will be answered if the job goes on as it did lately; null unless it is moving. */
export function estimatedCompletionAt(job: BulkJob, recent: RecentAnswers, now: Date): Date | null {
  const rate = recent.count / Math.max(1, recent.seconds);
  if (job.status !== 'Processing' || rate === 0) return null;
  const from = Math.max(now.getTime(), job.throttled?.until.getTime() ?? 0);
  return new Date(from + Math.ceil((pendingRecipients(job) / rate) * 1000));
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
