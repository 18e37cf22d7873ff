import { thousandths } from '../../client/job-figures';
import { locale, t } from '../language/translate';

const WHOLE = new Intl.NumberFormat(locale(), { maximumFractionDigits: 0 });
const ONE_DIGIT = new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 });
const PERCENT = new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 });
const COMPACT = new Intl.NumberFormat(locale(), { notation: 'compact', maximumFractionDigits: 1 });
const EXACT_TIME = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'medium' });
const PLANNED_TIME = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' });
const CLOCK = new Intl.DateTimeFormat(locale(), { timeStyle: 'short' });
const SHORT_TIME = new Intl.DateTimeFormat(locale(), {
  day: 'numeric',
  month: 'short',
  hour: CLOCK.resolvedOptions().hour12 ? 'numeric' : '2-digit',
  minute: '2-digit',
});
const RELATIVE = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });

const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** 1,000,000 */
export function count(value: number): string {
  return WHOLE.format(value);
}

/** A count for a chart axis: 1.5m */
export function compact(value: number): string {
  return COMPACT.format(value);
}

/** Messages per second: 79.5/s */
export function pace(perSecond: number): string {
  return t('{count}/s', { count: ONE_DIGIT.format(perSecond) });
}

/** A fraction in percent: 0.42 is 42%. */
function percent(fraction: number): string {
  return PERCENT.format(fraction);
}

/** `part` of `whole` in percent, rounded; 0% means none and 100% all: 99.9% */
export function share(part: number, whole: number): string {
  if (whole <= 0) return percent(0);
  const rounded = thousandths(part, whole);
  return part > 0 && rounded === 0 ? `< ${percent(0.001)}` : percent(rounded / 1000);
}

/** Date and local time to the second: 23 Nov 2026, 14:05:09 */
export function exactTime(at: Date): string {
  return EXACT_TIME.format(at);
}

/** Date and local time of something planned, to the minute: 23 Nov 2026, 14:05 */
export function plannedTime(at: Date): string {
  return PLANNED_TIME.format(at);
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
  if (Math.abs(seconds) < 10) return seconds > 1 ? t('in a few seconds') : t('just now');
  return RELATIVE.format(Math.trunc(seconds), 'second');
}

/** A duration in seconds as text: 45 s, 3 min, 2 h 5 min, 3 days. */
export function duration(seconds: number): string {
  if (seconds < 90) return t('{seconds} s', { seconds: Math.max(1, Math.round(seconds)) });
  const total = Math.round(seconds / 60);
  const [hours, minutes] = [Math.floor(total / 60), total % 60];
  if (hours === 0) return t('{minutes} min', { minutes });
  if (hours >= 48) return t('{days, plural, one {# day} other {# days}}', { days: Math.round(hours / 24) });
  return minutes === 0 ? t('{hours} h', { hours }) : t('{hours} h {minutes} min', { hours, minutes });
}

/** A file size in bytes as text: 1.4 MB (decimal units). */
export function bytes(size: number): string {
  if (size < 1000) return t('{size} B', { size: count(size) });
  if (size < 1_000_000) return t('{size} KB', { size: ONE_DIGIT.format(size / 1000) });
  return t('{size} MB', { size: ONE_DIGIT.format(size / 1_000_000) });
}

/** An API code as a label: recipient_unreachable → Recipient unreachable. */
export function humanize(code: string): string {
  const text = code.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
