import type { SendWindowDto } from '../../../client/generated/types.gen';

/** The weekdays, numbered as in the API: Monday is 1. */
export const WEEKDAYS = [
  { day: 1, short: 'Mon' },
  { day: 2, short: 'Tue' },
  { day: 3, short: 'Wed' },
  { day: 4, short: 'Thu' },
  { day: 5, short: 'Fri' },
  { day: 6, short: 'Sat' },
  { day: 7, short: 'Sun' },
] as const;

/** Weekday numbers as text, such as “Mon, Tue” or “every day”. */
export function describeDays(days: readonly number[] | undefined): string {
  if (!days || days.length === 0 || days.length === WEEKDAYS.length) return 'every day';
  return WEEKDAYS.filter(({ day }) => days.includes(day))
    .map(({ short }) => short)
    .join(', ');
}

/** A send window as text. */
export function describeWindow({ from, until, timeZone, days }: SendWindowDto): string {
  return `${from}–${until}, ${describeDays(days)} (${timeZone})`;
}
