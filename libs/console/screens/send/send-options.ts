/** How a job is to be sent, as the form holds it. */
export interface SendOptions {
  reference: string;
  hold: boolean;
  /** As `datetime-local` writes it, by the clock of this browser; empty: now. */
  startsAt: string;
  window: { from: string; until: string; timeZone: string; days: number[] } | null;
}

/** The time zone of this browser. */
export const OWN_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** Whose clock a field of date and time goes by. */
export const OWN_CLOCK = `By the clock of this computer: ${OWN_TIME_ZONE.replaceAll('_', ' ')}.`;

/** Everybody at once, as soon as it is confirmed. */
export const AT_ONCE: SendOptions = { reference: '', hold: false, startsAt: '', window: null };

/** The hours that a new window has. */
export const FIRST_WINDOW = { from: '09:00', until: '20:00', timeZone: OWN_TIME_ZONE, days: [1, 2, 3, 4, 5, 6, 7] };

/** What decides when messages leave: a check depends on it. */
export function timingOf({ startsAt, window }: SendOptions) {
  return {
    ...(startsAt && isTime(startsAt) && { scheduledAt: new Date(startsAt).toISOString() }),
    ...(window && { sendWindow: window }),
  };
}

/** What is wrong with the options; null: nothing. */
export function problemOf({ startsAt, window }: SendOptions, now: Date): string | null {
  if (startsAt && !isTime(startsAt)) return 'Write the day and the time at which sending begins.';
  if (startsAt && new Date(startsAt) <= now) return 'The start lies in the past. Choose a later moment.';
  if (!window) return null;
  if (!window.from || !window.until) return 'Write from when until when messages may leave.';
  if (window.from === window.until) return 'The window opens and closes at the same time.';
  return window.days.length === 0 ? 'Choose at least one day on which messages may leave.' : null;
}

function isTime(text: string): boolean {
  return !Number.isNaN(new Date(text).getTime());
}
