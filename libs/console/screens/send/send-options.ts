/** The form state of a send's options. */
export interface SendOptions {
  reference: string;
  hold: boolean;
  /** Value of a `datetime-local` input in browser time; empty: now. */
  startsAt: string;
  window: { from: string; until: string; timeZone: string; days: number[] } | null;
}

/** The time zone of this browser. */
export const LOCAL_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** Hint of date and time inputs: the time zone they use. */
export const TIME_ZONE_HINT = `Time zone: ${LOCAL_TIME_ZONE.replaceAll('_', ' ')}.`;

/** The default: starts on confirmation, without sending hours. */
export const SEND_NOW: SendOptions = { reference: '', hold: false, startsAt: '', window: null };

/** The initial send window. */
export const DEFAULT_WINDOW = { from: '09:00', until: '20:00', timeZone: LOCAL_TIME_ZONE, days: [1, 2, 3, 4, 5, 6, 7] };

/** The request fields of the schedule, which the check depends on. */
export function timingOf({ startsAt, window }: SendOptions) {
  return {
    ...(startsAt && isTime(startsAt) && { scheduledAt: new Date(startsAt).toISOString() }),
    ...(window && { sendWindow: window }),
  };
}

/** Validation message for the options; null if valid. */
export function problemOf({ startsAt, window }: SendOptions, now: Date): string | null {
  if (startsAt && !isTime(startsAt)) return 'Enter a start date and time.';
  if (startsAt && new Date(startsAt) <= now) return 'The start time is in the past. Choose a later time.';
  if (!window) return null;
  if (!window.from || !window.until) return 'Enter when sending hours start and end.';
  if (window.from === window.until) return 'The sending hours start and end at the same time.';
  return window.days.length === 0 ? 'Choose at least one day.' : null;
}

function isTime(text: string): boolean {
  return !Number.isNaN(new Date(text).getTime());
}
