import { ValidationFailedError } from '../../../kernel/request.errors';
import { opensAt, type SendWindow } from './send-window';
import type { TimeZones } from './time-zones.port';

/** When a job may send. */
export interface JobTiming {
  /** Sending starts then; null: immediately. */
  scheduledAt: Date | null;
  /** The hours of the day in which it sends; null: all. */
  sendWindow: SendWindow | null;
}

/** No schedule and no window. */
export const ANY_TIME: JobTiming = { scheduledAt: null, sendWindow: null };

const MAX_AHEAD_MS = 366 * 86_400_000;
/** Tolerance for "now". */
const MAX_PAST_MS = 60_000;

/** The first moment from `now` on at which a job with this timing may send. */
export function firstMoment({ scheduledAt, sendWindow }: JobTiming, now: Date): Date {
  const from = scheduledAt !== null && scheduledAt > now ? scheduledAt : now;
  return sendWindow === null ? from : opensAt(sendWindow, from);
}

/** The first moment at which a job with a schedule ahead may send; null: it has none. */
export function plannedStart(timing: JobTiming, now: Date): Date | null {
  return timing.scheduledAt !== null && timing.scheduledAt > now ? firstMoment(timing, now) : null;
}

/**
 * Throws ValidationFailedError for a schedule more than a minute ago or more than a year ahead, and for a time zone that the database
 * does not have, as the database evaluates send windows.
 */
export async function checkTiming({ scheduledAt, sendWindow }: JobTiming, now: Date, zones: TimeZones): Promise<void> {
  if (scheduledAt !== null) checkScheduledAt(scheduledAt, now);
  if (sendWindow === null || (await zones.has(sendWindow.timeZone))) return;
  const message =
    "sendWindow.timeZone is unknown to the service's database. Choose another zone with the same local time.";
  throw new ValidationFailedError([{ field: 'sendWindow.timeZone', code: 'not_allowed', message }]);
}

function checkScheduledAt(scheduledAt: Date, now: Date): void {
  const ahead = scheduledAt.getTime() - now.getTime();
  if (ahead >= -MAX_PAST_MS && ahead <= MAX_AHEAD_MS) return;
  const message =
    ahead < 0
      ? `scheduledAt is in the past; the current time is ${now.toISOString()}. Choose a later time, or remove it to ` +
        `send immediately.`
      : 'scheduledAt must be at most a year ahead.';
  throw new ValidationFailedError([{ field: 'scheduledAt', code: 'out_of_range', message }]);
}
