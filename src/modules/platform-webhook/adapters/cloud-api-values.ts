import { readPhone } from '../../../../libs/phone-numbers/phone-numbers';

/** An object of the platform whose fields are unchecked. */
export type Wire = Readonly<Record<string, unknown>>;

/** PostgreSQL cannot store U+0000, and UTF-8 cannot encode an unpaired surrogate. */
const UNSTORABLE = /\0|\p{Cs}/gu;
/** The platform has no longer ids, and an index could not hold them. */
const LONGEST_ID = 512;
const LARGEST_INT = 2 ** 31 - 1;
const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** The objects in a list; anything else is left out. */
export function objects(value: unknown): Wire[] {
  return Array.isArray(value)
    ? value.filter((item): item is Wire => item instanceof Object && !Array.isArray(item))
    : [];
}

/** The object, or one without fields. */
export function objectOf(value: unknown): Wire {
  return value instanceof Object && !Array.isArray(value) ? (value as Wire) : {};
}

/** A text that can be stored, from text or a number; else null. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value.replace(UNSTORABLE, '\uFFFD') : null;
}

/** At most the first `longest` UTF-16 units of a text; undefined when there is none. */
export function beginningOf(value: unknown, longest: number): string | undefined {
  const text = textOf(value);
  if (text === null || text.length <= longest) return text ?? undefined;
  return text.slice(0, longest).replace(/\p{Cs}$/u, '');
}

/** An id of the platform; null when it is missing or too long to exist. */
export function idOf(value: unknown): string | null {
  const id = textOf(value);
  return id !== null && id.length <= LONGEST_ID ? id : null;
}

/** A finite number, also from text; else null. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** An error code that fits into a column; else null. */
export function codeOf(value: unknown): number | null {
  const code = numberOf(value);
  return code !== null && Number.isInteger(code) && Math.abs(code) <= LARGEST_INT ? code : null;
}

/** A name in lower case, as the platform writes types and fields; else null. */
export function nameOf(value: unknown): string | null {
  return typeof value === 'string' && NAME.test(value) ? value : null;
}

/** The time of a timestamp in seconds, in whole seconds; `now` when it is missing or in the future. */
export function momentOf(timestamp: unknown, now: Date): Date {
  const seconds = numberOf(timestamp) ?? NaN;
  const isPast = seconds > 0 && seconds * 1000 < now.getTime();
  return isPast ? new Date(Math.floor(seconds) * 1000) : now;
}

/** A phone number: the canonical one of the person, or its digits where the number is not in any plan; else null. */
export function phoneOf(value: unknown): string | null {
  const digits = /^\+?(\d{5,15})$/.exec(textOf(value) ?? '')?.[1];
  return digits === undefined ? null : (readPhone(digits) ?? digits);
}

/** The platform's user id of a person; null for digits only, which are a phone number. */
export function userIdOf(value: unknown): string | null {
  const id = textOf(value);
  return id !== null && id.length <= 150 && /\D/.test(id) ? id : null;
}
