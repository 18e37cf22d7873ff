import type { ActingKey } from '../../../kernel/acting-key';
import type { Explanation } from '../../../kernel/explanation';
import { SHARED_EXPLANATIONS } from '../../../kernel/shared-explanations';
import type { TemplateExtras } from '../../templates/domain/template-extras';
import type { JobTiming } from './job-timing';

/** The statuses visible to clients; a job that is still being stored has another one. */
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

/** The source of a job's recipients: an uploaded file or a contact group. */
export const BULK_JOB_KINDS = ['Import', 'Group'] as const;
export type BulkJobKind = (typeof BULK_JOB_KINDS)[number];

/** Actions on a job. */
export const JOB_ACTIONS = ['pause', 'resume', 'cancel', 'retry'] as const;
export type JobAction = (typeof JOB_ACTIONS)[number];

/** Why a job waits. */
export const THROTTLES = {
  messaging_limit_reached: {
    when: "The sender's business portfolio has reached its messaging tier for the last 24 hours.",
    remedy: 'Nothing: the job continues when the tier allows it. The platform raises the tier for good quality.',
  },
  account_rate_limited: SHARED_EXPLANATIONS.account_rate_limited,
  template_limited: {
    when:
      "The platform temporarily limits messages with the job's template: its flow is throttled (132069), it is " +
      'new to the marketing endpoint (134101), or templates of the account are in the wrong category (131064).',
    remedy:
      'Nothing: the service retries every minute; other jobs continue. Correct the category of the template in the ' +
      "platform's console.",
  },
  platform_outage: {
    when: 'The platform fails or does not answer.',
    remedy: 'Nothing: the service tries single messages and continues when one succeeds.',
  },
  send_window: {
    when: 'It is outside the hours of `sendWindow`.',
    remedy:
      'Nothing: the job continues when its window opens. To send now, pause the job, change its window and resume it.',
  },
  unknown_outcomes: {
    when: 'It is unknown whether the platform accepted some messages; everything else is done.',
    remedy: "Nothing: the platform's status settles each message; messages without one count as failed after the wait.",
  },
} as const satisfies Record<string, Explanation>;
export type ThrottleReason = keyof typeof THROTTLES;

/** Why a job sends nothing until a person acts: there is no time at which it continues. */
export const HALTS = {
  sending_paused: SHARED_EXPLANATIONS.sending_paused,
  restored_copy: {
    when: 'The database was restored, or a standby without its last records took over, and nobody has confirmed since that the job may continue.',
    remedy:
      'Wait for the status webhooks of the platform, then resume the job (some may get the message twice) or cancel it.',
  },
  no_worker: {
    when: 'No worker has served the sender for at least 10 seconds, and none is running.',
    remedy: 'The operator starts a process with `ROLE=worker` or `all`; the job then continues by itself.',
  },
} as const satisfies Record<string, Explanation>;
export type HaltReason = keyof typeof HALTS;

/** Why a job is paused, by stable code; the platform's problems of class `job` pause it too, under codes of their own. */
export const JOB_PAUSES = {
  paused_by_client: {
    when: 'A client paused the job.',
    remedy: 'Resume the job to continue.',
  },
  held: {
    when: 'The job was created with `hold`.',
    remedy: 'Review the job, then resume it to send, or cancel it.',
  },
  template_paused: SHARED_EXPLANATIONS.template_paused,
  template_not_approved: SHARED_EXPLANATIONS.template_not_approved,
  template_changed: {
    when: 'The template is approved again, but its values have changed.',
    remedy: 'Cancel the job and create it again with values for the new text.',
  },
  refusals_in_row: {
    when: 'The platform refused many consecutive messages of the job, each for its own reason.',
    remedy: 'Check the errors of its recipients, fix the cause, then resume the job.',
  },
  restored_from_backup: {
    when:
      'The database was restored from a backup, or a standby without the latest records took over: messages sent ' +
      'since are not recorded.',
    remedy:
      "Wait for the platform's status webhooks, then resume the job (some recipients may get the message twice) or " +
      'cancel it.',
  },
} as const satisfies Record<string, Explanation>;
export type PauseCode = keyof typeof JOB_PAUSES;

/** Why a job is paused: a stable code, and what a person reads. */
export interface PauseReason {
  code: string;
  message: string;
}

/** The pause that a client asked for. */
export const PAUSED_BY_CLIENT = {
  code: 'paused_by_client' satisfies PauseCode,
  message: 'Paused by the client',
} as const satisfies PauseReason;

/** The pause of a job that was created to be looked at first. */
export const HELD_AT_CREATION = {
  code: 'held' satisfies PauseCode,
  message: 'Created on hold: resume the job to send',
} as const satisfies PauseReason;

/** The limit that a job waits for, and until when. */
export interface Throttle {
  reason: ThrottleReason;
  until: Date;
}

/** What a job waits for, and until when; null: until a person acts. */
export type Wait = Throttle | { reason: HaltReason; until: null };

/** A send of one template to many recipients. */
export interface BulkJob extends JobTiming {
  id: string;
  accountId: string;
  senderId: string;
  kind: BulkJobKind;
  status: BulkJobStatus;
  templateName: string;
  languageCode: string;
  revisionId: string;
  extras: TemplateExtras | null;
  reference: string | null;
  fileName: string | null;
  groupId: string | null;
  /** The job whose recipients this one retries. */
  retryOf: string | null;
  /** All recipients, including invalid rows and excluding dropped duplicates. */
  totalRecipients: number;
  invalidRows: number;
  duplicateRows: number;
  /** Position of the next first attempt to claim, from 1. */
  cursor: number;
  /** Accepted by the platform, including those that it did not deliver. */
  successfullySent: number;
  /** Recipients that are finally failed, skipped, unknown or cancelled. */
  failed: number;
  skipped: number;
  unknown: number;
  /** Those of `unknown` that are not final yet and therefore not in `failed`. */
  unknownInGrace: number;
  delivered: number;
  read: number;
  undelivered: number;
  pauseReason: PauseReason | null;
  error: { code: string; message: string } | null;
  /** When the latest outcome became unknown of those within the grace time; null: there is none. */
  lastUnknownSince: Date | null;
  /** Null: an older version created it. */
  createdBy: ActingKey | null;
  /** Who paused it; null: the service, or it is not paused. */
  pausedBy: ActingKey | null;
  /** Who cancelled it; null: the service, or it is not cancelled. */
  cancelledBy: ActingKey | null;
  /** When it was paused; null: it is not. */
  pausedAt: Date | null;
  /** The limit of the platform that delays it; set only while it is in effect. */
  throttled: Throttle | null;
  /** Why it sends nothing until a person acts, by the database; null: nothing of the kind. */
  halted: HaltReason | null;
  /** While it runs and is outside its send window: when that opens, as the database decides; otherwise null. */
  windowOpensAt: Date | null;
  createdAt: Date;
  /** How long it may send from the first moment on at which it may; null: no limit. */
  validForSeconds: number | null;
  /** Recipients that are not sent to by then fail with `expired`; null: no limit, or that moment is not known yet. */
  validUntil: Date | null;
  startedAt: Date | null;
  /** When the last recipient got its final outcome, also for a cancelled or failed job. */
  completedAt: Date | null;
  /** When the recipients expired: remaining rows must not be read any more. */
  recipientsExpiredAt: Date | null;
}

/** Share of recipients with a final outcome, in percent, truncated to one decimal; 100 only if the job is complete or empty. */
export function progressPercentage(
  job: Pick<BulkJob, 'totalRecipients' | 'successfullySent' | 'failed' | 'completedAt'>,
): number {
  if (job.totalRecipients === 0) return 100;
  const perMille = Math.floor(((job.successfullySent + job.failed) * 1000) / job.totalRecipients);
  return Math.min(perMille, job.completedAt === null ? 999 : 1000) / 10;
}

/** Recipients without an outcome: not attempted, in flight or waiting for a retry. */
export function openRecipients(
  job: Pick<BulkJob, 'totalRecipients' | 'successfullySent' | 'failed' | 'unknownInGrace'>,
): number {
  return Math.max(0, job.totalRecipients - job.successfullySent - job.failed - job.unknownInGrace);
}

/** The fields of a job that decide what it waits for. */
export type WaitFacts = Pick<
  BulkJob,
  | 'totalRecipients'
  | 'successfullySent'
  | 'failed'
  | 'unknownInGrace'
  | 'lastUnknownSince'
  | 'throttled'
  | 'windowOpensAt'
  | 'halted'
>;

/**
 * What the job waits for at `now`: a person, whatever else delays it; unknown outcomes where nothing else of it is open, until the
 * grace time of the last one ends; otherwise a limit of the platform or its send window, whichever lasts longer; null: nothing.
 */
export function currentWait(job: WaitFacts, graceMs: number, now: Date): Wait | null {
  const halt = job.halted && { reason: job.halted, until: null };
  if (job.lastUnknownSince === null || job.unknownInGrace === 0 || openRecipients(job) > 0) {
    if (halt) return halt;
    const closed = windowWait(job);
    return job.throttled === null || (closed !== null && closed.until > job.throttled.until) ? closed : job.throttled;
  }
  const until = new Date(job.lastUnknownSince.getTime() + graceMs);
  return until > now ? { reason: 'unknown_outcomes', until } : halt;
}

function windowWait(job: WaitFacts): Throttle | null {
  const { windowOpensAt } = job;
  return windowOpensAt && openRecipients(job) > 0 ? { reason: 'send_window', until: windowOpensAt } : null;
}

/** Whether the job ended before all of its recipients were tried. */
export function isCutShort({ status }: Pick<BulkJob, 'status'>): boolean {
  return status === 'Cancelled' || status === 'Failed';
}

/** The first position from which on recipients without a problem were never tried, as the job was cut short; otherwise behind all. */
export function neverTriedFrom(job: Pick<BulkJob, 'status' | 'cursor' | 'totalRecipients'>): number {
  return isCutShort(job) ? job.cursor : job.totalRecipients + 1;
}

/** The statuses in which each action is allowed. */
export const STATUSES_THAT_ALLOW: Readonly<Record<JobAction, readonly BulkJobStatus[]>> = {
  pause: ['Scheduled', 'Queued', 'Processing'],
  resume: ['Paused'],
  cancel: ['Scheduled', 'Queued', 'Processing', 'Paused'],
  retry: ['Completed', 'Failed', 'Cancelled'],
};

/** The actions that are allowed now; a retry only if there are recipients to retry. */
export function allowedActions(job: BulkJob): JobAction[] {
  return JOB_ACTIONS.filter(
    (action) => STATUSES_THAT_ALLOW[action].includes(job.status) && (action !== 'retry' || hasRetryable(job)),
  );
}

/** Invalid and opted-out recipients cannot be retried, nor can expired ones. */
function hasRetryable({ failed, undelivered, skipped, invalidRows, recipientsExpiredAt }: BulkJob): boolean {
  return failed + undelivered > skipped + invalidRows && recipientsExpiredAt === null;
}

/** The statuses in which the schedule and the send window of a job may be changed. */
export const STATUSES_TO_CHANGE: readonly BulkJobStatus[] = ['Scheduled', 'Paused'];

/**
 * Whether the validity of a job counts anew when it is resumed: it has not sent, and was paused before it might. So it is from a
 * hold and from a pause before its schedule or its window.
 */
export function validityBeginsAnew({
  validForSeconds,
  validUntil,
  startedAt,
  pausedAt,
}: Pick<BulkJob, 'validForSeconds' | 'validUntil' | 'startedAt' | 'pausedAt'>): boolean {
  if (validForSeconds === null || startedAt !== null) return false;
  if (validUntil === null || pausedAt === null) return validUntil === null;
  return pausedAt.getTime() < validUntil.getTime() - validForSeconds * 1000;
}

/** The most recent answers: their number, and over how many seconds until now. */
export interface RecentAnswers {
  count: number;
  seconds: number;
}

/**
 * Recipients with a final outcome per second, one decimal: for a running job over its latest answers, so that pauses do not distort
 * the figure; for a finished job over its whole run; null if unknown.
 */
export function ratePerSecond(job: BulkJob, recent: RecentAnswers): number | null {
  if (job.status === 'Processing') return oneDecimal(recent.count / Math.max(1, recent.seconds));
  if (job.status !== 'Completed' || job.startedAt === null || job.completedAt === null) return null;
  const seconds = (job.completedAt.getTime() - job.startedAt.getTime()) / 1000;
  return oneDecimal((job.successfullySent + job.failed - job.invalidRows) / Math.max(1, seconds));
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
