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

/** 1,000,000 */
export function count(value: number): string {
  return WHOLE.format(value);
}

/** A count for a chart axis: 1M */
export function compact(value: number): string {
  return COMPACT.format(value);
}

/** A count with its noun: 1 message, 2 messages. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Messages per second: 79.5/s */
export function pace(perSecond: number): string {
  return `${ONE_DIGIT.format(perSecond)}/s`;
}

/** `part` of `whole` in percent, truncated so that 100% means all: 99.9% */
export function share(part: number, whole: number): string {
  if (whole <= 0) return '0%';
  const percent = (part / whole) * 100;
  if (part > 0 && percent < 0.1) return '< 0.1%';
  return `${ONE_DIGIT.format(Math.floor(percent * 10) / 10)}%`;
}

/** Date and local time to the second: 23 Nov 2026, 14:05:09 */
export function exactTime(at: Date): string {
  return EXACT_TIME.format(at);
}

/** Local time, with the date unless it is today: 23 Nov, 14:05 */
export function clockTime(at: Date, now: Date): string {
  return at.toDateString() === now.toDateString() ? CLOCK.format(at) : SHORT_TIME.format(at);
}

/** Local time: 14:05 */
export function timeOfDay(at: Date): string {
  return CLOCK.format(at);
}

/** Date and local time to the minute: 23 Nov, 14:05 */
export function dayAndTime(at: Date): string {
  return SHORT_TIME.format(at);
}

/** Local time as the value of a `datetime-local` input: 2026-11-23T14:05 */
export function fieldTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Time relative to `now`: 3 minutes ago, in 2 hours, yesterday. */
export function relativeTime(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= length) return RELATIVE.format(Math.trunc(seconds / length), unit);
  }
  // `now` may lag by up to a second.
  if (Math.abs(seconds) < 10) return seconds > 1 ? 'in a few seconds' : 'just now';
  return RELATIVE.format(Math.trunc(seconds), 'second');
}

/** A duration in seconds as text: 45 s, 3 min, 2 h 5 min, 3 days. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return counted(Math.round(hours / 24), 'day');
}

/** A file size in bytes as text: 1.4 MB (decimal units). */
export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  if (size < 1_000_000) return `${ONE_DIGIT.format(size / 1000)} KB`;
  return `${ONE_DIGIT.format(size / 1_000_000)} MB`;
}

/** An API code as a label: recipient_unreachable → Recipient unreachable. */
export function humanize(code: string): string {
  const text = code.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
