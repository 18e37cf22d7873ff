import { readPhone } from '../../../../libs/phone-numbers/phone-numbers';

/** An object from the platform with unchecked fields. */
export type Wire = Readonly<Record<string, unknown>>;

/** PostgreSQL cannot store U+0000, and UTF-8 cannot encode an unpaired surrogate. */
const UNSTORABLE = /\0|\p{Cs}/gu;
/** The platform's ids are shorter, and an index cannot hold longer ones. */
const MAX_ID_LENGTH = 512;
const MAX_INT = 2 ** 31 - 1;
const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** The objects in a list; other items are omitted. */
export function objects(value: unknown): Wire[] {
  return Array.isArray(value)
    ? value.filter((item): item is Wire => item instanceof Object && !Array.isArray(item))
    : [];
}

/** The object, or one without fields. */
export function objectOf(value: unknown): Wire {
  return value instanceof Object && !Array.isArray(value) ? (value as Wire) : {};
}

/** A storable text from a string or number; else null. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value.replace(UNSTORABLE, '\uFFFD') : null;
}

/** At most the first `maxLength` UTF-16 units of a text; undefined if there is none. */
export function truncated(value: unknown, maxLength: number): string | undefined {
  const text = textOf(value);
  if (text === null || text.length <= maxLength) return text ?? undefined;
  return text.slice(0, maxLength).replace(/\p{Cs}$/u, '');
}

/** A platform id; null if missing or too long. */
export function idOf(value: unknown): string | null {
  const id = textOf(value);
  return id !== null && id.length <= MAX_ID_LENGTH ? id : null;
}

/** A finite number, also from a string; else null. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** An error code that fits into a column; else null. */
export function codeOf(value: unknown): number | null {
  const code = numberOf(value);
  return code !== null && Number.isInteger(code) && Math.abs(code) <= MAX_INT ? code : null;
}

/** A lowercase name, as the platform writes types and fields; else null. */
export function nameOf(value: unknown): string | null {
  return typeof value === 'string' && NAME.test(value) ? value : null;
}

/** The time of a timestamp in seconds, rounded down; `now` if missing or in the future. */
export function timeOf(timestamp: unknown, now: Date): Date {
  const seconds = numberOf(timestamp) ?? NaN;
  const isPast = seconds > 0 && seconds * 1000 < now.getTime();
  return isPast ? new Date(Math.floor(seconds) * 1000) : now;
}

/** The canonical phone number, or its digits if it matches no numbering plan; else null. */
export function phoneOf(value: unknown): string | null {
  const digits = /^\+?(\d{5,15})$/.exec(textOf(value) ?? '')?.[1];
  return digits === undefined ? null : (readPhone(digits) ?? digits);
}

/** The platform's user id of a person; null for digits only, which are a phone number. */
export function userIdOf(value: unknown): string | null {
  const id = textOf(value);
  return id !== null && id.length <= 150 && /\D/.test(id) ? id : null;
}
