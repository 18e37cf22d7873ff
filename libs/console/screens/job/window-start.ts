import type { SendWindowDto } from '../../../client/generated/types.gen';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WEEKDAYS = 7;

/** When the sending hours next begin; null: it is within them. The service decides by its own clock. */
export function windowStart({ from, until, timeZone, days }: SendWindowDto, now: Date): Date | null {
  const local = localTime(timeZone, now.getTime());
  const length = timeOfDay(timeOf(until) - timeOf(from)) || DAY_MS;
  const opensOn = (at: number) => !days?.length || days.includes(weekday(at));
  const today = local - timeOfDay(local - timeOf(from));
  if (local - today < length && opensOn(today)) return null;
  const starts = Array.from({ length: WEEKDAYS }, (_, index) => today + (index + 1) * DAY_MS);
  const start = starts.find(opensOn)!;
  const moment = now.getTime() + start - local;
  // The clock may change before then.
  return new Date(moment + start - localTime(timeZone, moment));
}

/** The UTC milliseconds with the clock reading of the time zone. */
function localTime(timeZone: string, moment: number): number {
  // The Swedish form of a time is that of ISO 8601.
  const text = new Date(moment).toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return Date.parse(`${text.replace(' ', 'T')}Z`) + (moment % 1000);
}

function timeOf(text: string): number {
  const [hours, minutes] = text.split(':').map(Number);
  return (hours! * 60 + minutes!) * MINUTE_MS;
}

function timeOfDay(local: number): number {
  return ((local % DAY_MS) + DAY_MS) % DAY_MS;
}

/** 1 January 1970 was a Thursday, number 4. */
function weekday(local: number): number {
  return ((Math.floor(local / DAY_MS) + 3) % WEEKDAYS) + 1;
}
