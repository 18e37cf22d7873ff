import { localTimeAt } from './wall-clock';

/**
 * The hours of the day in which a job may send, by the wall clock of a time zone; on daylight saving changes the window follows local
 * time. The database decides, with the same rule (`send_window_closed` and `send_window_opens_at`); the functions below estimate, by the
 * time zones of Node.js.
 */
export interface SendWindow {
  /** `HH:MM`, from 00:00 to 23:59. */
  from: string;
  /** `HH:MM`, from 00:00 to 24:00 and other than `from`; an earlier time is on the next day. */
  until: string;
  /** A name of the IANA database, such as Europe/Berlin. */
  timeZone: string;
  /** The weekdays on which the window opens, 1 (Monday) to 7; at least one. */
  days: readonly number[];
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Covers more than a year of windows that open and close once a day. */
const MAX_STEPS = 1000;

/** Whether the window is open at `at`. */
export function isOpen(window: SendWindow, at: Date): boolean {
  return new Hours(window).areOpenAt(at.getTime());
}

/** The first moment from `at` on at which the window is open. */
export function opensAt(window: SendWindow, at: Date): Date {
  const hours = new Hours(window);
  let moment = at.getTime();
  while (!hours.areOpenAt(moment)) moment = hours.nextChange(moment);
  return new Date(moment);
}

/** The moment at which the window has been open for `ms` since `at`; null: more than a year later. */
export function afterOpenTime(window: SendWindow, at: Date, ms: number): Date | null {
  const hours = new Hours(window);
  let moment = at.getTime();
  let left = ms;
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = hours.nextChange(moment);
    if (hours.areOpenAt(moment)) {
      if (left <= next - moment) return new Date(moment + left);
      left -= next - moment;
    }
    moment = next;
  }
  return null;
}

/** A window in milliseconds. */
class Hours {
  private readonly fromMs: number;
  private readonly lengthMs: number;

  constructor(private readonly window: SendWindow) {
    const { from, until } = window;
    this.fromMs = msOfDay(from);
    const lengthMs = msOfDay(until) - this.fromMs;
    this.lengthMs = lengthMs > 0 ? lengthMs : lengthMs + DAY_MS;
  }

  areOpenAt(moment: number): boolean {
    const sinceFrom = this.local(moment) - this.fromMs;
    return timeOfDay(sinceFrom) < this.lengthMs && this.window.days.includes(isoWeekday(sinceFrom));
  }

  /** The next moment at which the window may open or close. */
  nextChange(moment: number): number {
    const since = timeOfDay(this.local(moment) - this.fromMs);
    const next = moment + (since < this.lengthMs ? this.lengthMs : DAY_MS) - since;
    const offset = this.offset(moment);
    if (this.offset(next) === offset) return next;
    // The clock changes before then: find the moment.
    let [before, after] = [moment, next];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.offset(middle) === offset) before = middle;
      else after = middle;
    }
    return after;
  }

  private offset(moment: number): number {
    return this.local(moment) - moment;
  }

  private local(moment: number): number {
    return localTimeAt(this.window.timeZone, moment);
  }
}

function msOfDay(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours! * 60 + minutes!) * MINUTE_MS;
}

function timeOfDay(local: number): number {
  return local - Math.floor(local / DAY_MS) * DAY_MS;
}

/** 1 January 1970 was a Thursday. */
function isoWeekday(local: number): number {
  return ((((Math.floor(local / DAY_MS) + 3) % 7) + 7) % 7) + 1;
}
