import type { SendWindowDto } from '../../../client/generated/types.gen';

/** Monday is 1, as the API counts. */
export const WEEKDAYS = [
  { day: 1, short: 'Mon' },
  { day: 2, short: 'Tue' },
  { day: 3, short: 'Wed' },
  { day: 4, short: 'Thu' },
  { day: 5, short: 'Fri' },
  { day: 6, short: 'Sat' },
  { day: 7, short: 'Sun' },
] as const;

/** The days in words: Mon, Tue. */
export function weekdays(days: readonly number[] | undefined): string {
  if (!days || days.length === 0 || days.length === WEEKDAYS.length) return 'every day';
  return WEEKDAYS.filter(({ day }) => days.includes(day))
    .map(({ short }) => short)
    .join(', ');
}

/** The hours of a window in words. */
export function windowInWords({ from, until, timeZone, days }: SendWindowDto): string {
  return `from ${from} until ${until}, ${weekdays(days)}, by the clock of ${timeZone}`;
}
