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

/** Why a job sends nothing until a person acts; the wait has no end time. */
export const HALTS = {
  sending_paused: SHARED_EXPLANATIONS.sending_paused,
  restored_copy: {
    when: 'The database was restored, or a standby without its last records took over, and the job has not been confirmed since.',
    remedy:
      'Wait for the status webhooks of the platform, then resume the job (some may get the message twice) or cancel it.',
  },
  no_worker: {
    when: 'No worker has served the sender for at least 10 seconds, and none is running.',
    remedy: 'The operator starts a process with `ROLE=worker` or `all`; the job then continues automatically.',
  },
} as const satisfies Record<string, Explanation>;
export type HaltReason = keyof typeof HALTS;

/** Why a job is paused, by stable code; the platform's problems of class `job` pause it under their own codes. */
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
  sender_deleted: SHARED_EXPLANATIONS.sender_deleted,
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

/** Why a job is paused: a stable code, and a message for people. */
export interface PauseReason {
  code: string;
  message: string;
}

/** A pause requested by a client. */
export const PAUSED_BY_CLIENT = {
  code: 'paused_by_client' satisfies PauseCode,
  message: 'Paused by the client',
} as const satisfies PauseReason;

/** The pause of a job created with `hold`. */
export const HELD_AT_CREATION = {
  code: 'held' satisfies PauseCode,
  message: 'Created on hold: resume the job to send',
} as const satisfies PauseReason;

/** The limit that delays a job, and when the wait ends. */
export interface Throttle {
  reason: ThrottleReason;
  until: Date;
}

/** What a job waits for, and when the wait ends; null: when a person acts. */
export type Wait = Throttle | { reason: HaltReason; until: null };

/**
 * Whom a send addresses: each contact of the groups once, or with no groups the recipients of a file or list, without those of other
 * groups, and those that jobs reached.
 */
export interface JobAudience {
  groupIds: string[];
  excludeGroupIds: string[];
  /** A single job, or several. */
  notReachedBy: string | string[] | null;
}

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
  /** For people; null: none. */
  name: string | null;
  reference: string | null;
  fileName: string | null;
  groupId: string | null;
  /** Whom a group send addressed, if not simply the contacts of `groupId`. */
  audience: JobAudience | null;
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
  /** When the latest outcome still in its grace time became unknown; null: none. */
  lastUnknownSince: Date | null;
  /** Null: an older version created it. */
  createdBy: ActingKey | null;
  /** The request that created it, and its trace; absent or null: not recorded. */
  requestId?: string | null;
  traceparent?: string | null;
  /** Who paused it; null: the service, or it is not paused. */
  pausedBy: ActingKey | null;
  /** Who cancelled it; null: the service, or it is not cancelled. */
  cancelledBy: ActingKey | null;
  /** When it was paused; null: it is not. */
  pausedAt: Date | null;
  /** The limit of the platform that delays it; set only while it is in effect. */
  throttled: Throttle | null;
  /** Why it sends nothing until a person acts, determined by the database; null: it can send. */
  halted: HaltReason | null;
  /** While it runs outside its send window: when the window opens, determined by the database; otherwise null. */
  windowOpensAt: Date | null;
  createdAt: Date;
  /** How long it may send, counted from the first moment it may; null: no limit. */
  validForSeconds: number | null;
  /** Recipients not sent to by then fail with `expired`; null: no limit, or not determined yet. */
  validUntil: Date | null;
  startedAt: Date | null;
  /** When the last recipient got its final outcome, also for a cancelled or failed job. */
  completedAt: Date | null;
  /** When the recipients expired; remaining rows must no longer be read. */
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

/** Whether everything but unknown outcomes is final. */
function onlyUnknownRemain(job: Parameters<typeof openRecipients>[0]): boolean {
  return job.unknownInGrace > 0 && openRecipients(job) === 0;
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
 * What the job waits for at `now`. If only unknown outcomes are open: these, until the grace time of the last one ends. Otherwise a
 * person, or else the platform limit or the send window, whichever lasts longer. Null: nothing.
 */
export function currentWait(job: WaitFacts, graceMs: number, now: Date): Wait | null {
  const halt = job.halted && { reason: job.halted, until: null };
  if (job.lastUnknownSince === null || !onlyUnknownRemain(job)) {
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

/** The position from which recipients without a problem were never tried because the job was cut short; otherwise after the last. */
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

/** Whether recipients of the job may be retried: it has ended, or waits for unknown outcomes alone. */
export function allowsRetry(job: BulkJob): boolean {
  return STATUSES_THAT_ALLOW.retry.includes(job.status) || onlyUnknownRemain(job);
}

/** The actions that are allowed now; a retry only if there are recipients to retry. */
export function allowedActions(job: BulkJob): JobAction[] {
  return JOB_ACTIONS.filter((action) =>
    action === 'retry' ? allowsRetry(job) && hasRetryable(job) : STATUSES_THAT_ALLOW[action].includes(job.status),
  );
}

/** Invalid and opted-out recipients cannot be retried, nor can expired ones. */
function hasRetryable({ failed, undelivered, skipped, invalidRows, recipientsExpiredAt }: BulkJob): boolean {
  return failed + undelivered > skipped + invalidRows && recipientsExpiredAt === null;
}

/** The statuses in which the schedule and send window of a job can be changed. */
export const CHANGEABLE_STATUSES: readonly BulkJobStatus[] = ['Scheduled', 'Paused'];

/**
 * Whether resuming restarts the validity of a job: it has not sent anything, and was on hold or paused before its schedule or window
 * allowed it to.
 */
export function validityRestarts({
  validForSeconds,
  validUntil,
  startedAt,
  pausedAt,
}: Pick<BulkJob, 'validForSeconds' | 'validUntil' | 'startedAt' | 'pausedAt'>): boolean {
  if (validForSeconds === null || startedAt !== null) return false;
  if (validUntil === null || pausedAt === null) return validUntil === null;
  return pausedAt.getTime() < validUntil.getTime() - validForSeconds * 1000;
}

/** The number of recent answers, and the seconds from the first of them until now. */
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
