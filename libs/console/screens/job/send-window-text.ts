import type { SendWindowDto } from '../../../client/generated/types.gen';
import { locale, t } from '../../language/translate';
import { timeOfDay } from '../../ui/format';

const SHORT = new Intl.DateTimeFormat(locale(), { weekday: 'short' });
const MONDAY = 1;

/** Of some browsers, which is newer than the types of this version of TypeScript. */
interface WeekLocale extends Intl.Locale {
  getWeekInfo?: () => { firstDay: number };
}

/** The weekdays, numbered as in the API: Monday is 1. The first is that of the locale's week. */
export const WEEKDAYS = weekdaysFrom((new Intl.Locale(locale()) as WeekLocale).getWeekInfo?.().firstDay ?? MONDAY);

/** All weekdays, beginning with the one with this number. */
export function weekdaysFrom(first: number): { day: number; short: string }[] {
  return Array.from({ length: 7 }, (_, index) => {
    const day = ((first - 1 + index) % 7) + 1;
    // The first of January 2024 is a Monday.
    const date = new Date(2024, 0, day);
    return { day, short: SHORT.format(date) };
  });
}

/** Weekday numbers as text, such as “Mon, Tue” or “every day”. */
export function describeDays(days: readonly number[] | undefined): string {
  if (!days || days.length === 0 || days.length === WEEKDAYS.length) return t('every day');
  return WEEKDAYS.filter(({ day }) => days.includes(day))
    .map(({ short }) => short)
    .join(', ');
}

/** A send window as text, with the clock of the locale. */
export function describeWindow({ from, until, timeZone, days }: SendWindowDto): string {
  return t('{from}–{until}, {days} ({zone})', {
    ...{ from: clock(from), until: clock(until) },
    ...{ days: describeDays(days), zone: timeZone },
  });
}

/** `24:00` is midnight, as on the clocks of all locales. */
function clock(text: string): string {
  const [hours, minutes] = text.split(':').map(Number);
  return timeOfDay(new Date(2024, 0, 1, hours, minutes));
}
