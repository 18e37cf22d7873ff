import type { SendPlanDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';

/** The form state of a send's options. */
export interface SendOptions {
  hold: boolean;
  /** Value of a `datetime-local` input in browser time; empty: now. */
  startsAt: string;
  window: { from: string; until: string; timeZone: string; days: number[] } | null;
}

const MINUTE_MS = 60_000;

/** The time zone of this browser. */
export const LOCAL_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** Hint of date and time inputs: the time zone they use. */
export const TIME_ZONE_HINT = t('Time zone: {zone}.', { zone: LOCAL_TIME_ZONE.replaceAll('_', ' ') });

/** The default: starts on confirmation, without sending hours. */
export const SEND_NOW: SendOptions = { hold: false, startsAt: '', window: null };

/** Whether nothing was chosen. */
export function isSendNow({ hold, startsAt, window }: SendOptions): boolean {
  return !hold && startsAt === '' && window === null;
}

/** The initial send window. */
export const DEFAULT_WINDOW = { from: '09:00', until: '20:00', timeZone: LOCAL_TIME_ZONE, days: [1, 2, 3, 4, 5, 6, 7] };

/** The request fields of the schedule, which the check depends on. */
export function timingOf({ startsAt, window }: SendOptions) {
  return {
    ...(startsAt && isTime(startsAt) && { scheduledAt: new Date(startsAt).toISOString() }),
    ...(window && { sendWindow: window }),
  };
}

/** When sending starts: at the chosen time or, if later, when the sending hours open as the check found; null: now. */
export function startOf({ startsAt, window }: SendOptions, opensAt: string, now: Date): Date | null {
  const times = [...(startsAt && isTime(startsAt) ? [startsAt] : []), ...(window ? [opensAt] : [])];
  const start = Math.max(...times.map((time) => new Date(time).getTime()));
  return start > now.getTime() ? new Date(start) : null;
}

/** When the last message is sent: as planned, or as long from now if sending starts on confirmation; null: not known. */
export function endOf({ startsAt, endsAt, estimatedSeconds }: SendPlanDto, now: Date): Date | null {
  if (estimatedSeconds === null || endsAt === null) return null;
  return isPlannedLater(startsAt, now) ? new Date(endsAt) : new Date(now.getTime() + estimatedSeconds * 1000);
}

/** Whether a planned start is not the time of the check, which was some time ago. */
export function isPlannedLater(startsAt: string, now: Date): boolean {
  return Date.parse(startsAt) > now.getTime() + MINUTE_MS;
}

/** Validation message for the options; null if valid. */
export function problemOf({ startsAt, window }: SendOptions, now: Date): string | null {
  const problem = startsAt === '' ? null : problemOfStart(startsAt, now);
  if (problem !== null || !window) return problem;
  if (!window.from || !window.until) return t('Enter when sending hours start and end.');
  if (window.from === window.until) return t('The sending hours start and end at the same time.');
  return window.days.length === 0 ? t('Choose at least one day.') : null;
}

/** Validation message for the value of a `datetime-local` input; null if valid. */
export function problemOfStart(startsAt: string, now: Date): string | null {
  if (!isTime(startsAt)) return t('Enter a start date and time.');
  return new Date(startsAt) <= now ? t('The start time is in the past. Choose a later time.') : null;
}

/** Whether the value of a `datetime-local` input is complete. */
export function isTime(text: string): boolean {
  return !Number.isNaN(new Date(text).getTime());
}
