/** Clocks of time zones, by the time zone database of Node.js. Local times are the UTC milliseconds with the same clock reading. */

const DAY_MS = 86_400_000;
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?$/;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Whether this is the name of a time zone. Offsets such as +02:00 are rejected: PostgreSQL inverts their sign. */
export function isTimeZone(name: string): boolean {
  if (!/^(UTC|[A-Za-z]\w*(\/\w[\w+-]*)+)$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Whether this has the form of a time without zone, such as 2026-11-24T09:00. */
export function isLocalTime(text: string): boolean {
  return LOCAL_TIME.test(text);
}

/**
 * The moment of a local time. A time that the clock skips moves forward by the skipped span; of a time that it shows twice, the first
 * counts.
 */
export function momentOfLocalTime(text: string, timeZone: string): Date {
  const local = Date.parse(`${text}Z`);
  // Real offsets are below a day: these two are the offsets before and after a change of the clock near this time.
  const [before, after] = [offsetAt(timeZone, local - DAY_MS), offsetAt(timeZone, local + DAY_MS)];
  const moments = [local - before, local - after].sort((a, b) => a - b);
  return new Date(moments.find((moment) => localTimeAt(timeZone, moment) === local) ?? local - before);
}

/** The local time at a moment, in milliseconds. */
export function localTimeAt(timeZone: string, moment: number): number {
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of clockOf(timeZone).formatToParts(moment)) part[type] = Number(value);
  const seconds = Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute, part.second);
  return seconds + moment - Math.floor(moment / 1000) * 1000;
}

function offsetAt(timeZone: string, moment: number): number {
  return localTimeAt(timeZone, moment) - moment;
}

/** The clock of a time zone, cached: creating one takes as long as a dozen readings. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
    clocks.set(timeZone, clock);
  }
  return clock;
}
