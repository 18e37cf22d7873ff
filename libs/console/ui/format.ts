const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const ONE_DIGIT = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const EXACT_TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const SHORT_TIME = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** A count: 1,000,000. */
export function count(value: number): string {
  return WHOLE.format(value);
}

/** A count for the axis of a chart: 1M. */
export function compact(value: number): string {
  return COMPACT.format(value);
}

/** A count with its word: 1 message, 2 messages. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A pace: 79.5/s. */
export function pace(perSecond: number): string {
  return `${ONE_DIGIT.format(perSecond)}/s`;
}

/** A part of a whole in percent, truncated so that 100% means all. */
export function share(part: number, whole: number): string {
  if (whole <= 0) return '0%';
  const percent = (part / whole) * 100;
  if (part > 0 && percent < 0.1) return '< 0.1%';
  return `${ONE_DIGIT.format(Math.floor(percent * 10) / 10)}%`;
}

/** A moment as the clock of this browser shows it, to the second. */
export function exactTime(at: Date): string {
  return EXACT_TIME.format(at);
}

/** A moment for the axis of a chart or a sentence: 23 Nov, 14:05; within a day only the time. */
export function clockTime(at: Date, now: Date): string {
  return at.toDateString() === now.toDateString() ? CLOCK.format(at) : SHORT_TIME.format(at);
}

/** The time of a moment by the clock of this browser: 14:05. */
export function timeOfDay(at: Date): string {
  return CLOCK.format(at);
}

/** A moment with its day, to the minute: 23 Nov, 14:05. */
export function dayAndTime(at: Date): string {
  return SHORT_TIME.format(at);
}

/** A moment as a field of date and time has it, by the clock of this browser: 2026-11-23T14:05. */
export function fieldTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** How far away a moment is: 3 minutes ago, in 2 hours, yesterday. */
export function relativeTime(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= length) return RELATIVE.format(Math.trunc(seconds / length), unit);
  }
  // `now` is up to a second old.
  if (Math.abs(seconds) < 10) return seconds > 1 ? 'in a moment' : 'just now';
  return RELATIVE.format(Math.trunc(seconds), 'second');
}

/** A length of time: 45 s, 3 min, 2 h 5 min, 3 days. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return counted(Math.round(hours / 24), 'day');
}

/** A size of a file: 1.4 MB. */
export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  if (size < 1_000_000) return `${ONE_DIGIT.format(size / 1000)} KB`;
  return `${ONE_DIGIT.format(size / 1_000_000)} MB`;
}

/** A code of the API as words: recipient_unreachable → Recipient unreachable. */
export function words(code: string): string {
  const text = code.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
