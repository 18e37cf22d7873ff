/** An object of the platform, of whose fields nothing is known. */
export type Wire = Readonly<Record<string, unknown>>;

/** The database keeps no U+0000, and UTF-8 has no bytes for half of a character. */
const UNSTORABLE = /\0|\p{Cs}/gu;
/** Longer ids of messages do not exist, and an index could not hold them. */
const LONGEST_ID = 512;
const LARGEST_INT = 2 ** 31 - 1;
const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** The objects in a list; what is none is left out. */
export function objects(value: unknown): Wire[] {
  return Array.isArray(value)
    ? value.filter((item): item is Wire => item instanceof Object && !Array.isArray(item))
    : [];
}

/** The object, or one without fields. */
export function objectOf(value: unknown): Wire {
  return value instanceof Object && !Array.isArray(value) ? (value as Wire) : {};
}

/** A text that can be stored; ids and times come as text or as numbers. Null where there is none. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value.replace(UNSTORABLE, '\uFFFD') : null;
}

/** The beginning of a text, at most `longest` UTF-16 units of it; undefined where there is none. */
export function beginningOf(value: unknown, longest: number): string | undefined {
  const text = textOf(value);
  if (text === null || text.length <= longest) return text ?? undefined;
  return text.slice(0, longest).replace(/\p{Cs}$/u, '');
}

/** An id of the platform; null where there is none, or none that can exist. */
export function idOf(value: unknown): string | null {
  const id = textOf(value);
  return id !== null && id.length <= LONGEST_ID ? id : null;
}

/** A finite number, also where it comes as text; null where there is none. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** An error code that a column holds; null where there is none. */
export function codeOf(value: unknown): number | null {
  const code = numberOf(value);
  return code !== null && Number.isInteger(code) && Math.abs(code) <= LARGEST_INT ? code : null;
}

/** A word as the platform writes names of kinds: lower case; null for anything else. */
export function nameOf(value: unknown): string | null {
  return typeof value === 'string' && NAME.test(value) ? value : null;
}

/** The moment of a time in seconds, in whole seconds; `now` where there is none, or where it lies ahead. */
export function momentOf(timestamp: unknown, now: Date): Date {
  const seconds = numberOf(timestamp) ?? NaN;
  const isPast = seconds > 0 && seconds * 1000 < now.getTime();
  return isPast ? new Date(Math.floor(seconds) * 1000) : now;
}

/** The digits of a phone number; null for what is none. */
export function phoneOf(value: unknown): string | null {
  return /^\+?(\d{5,15})$/.exec(textOf(value) ?? '')?.[1] ?? null;
}

/** The platform's id of a person who may hide the number; digits alone would be a number. */
export function userIdOf(value: unknown): string | null {
  const id = textOf(value);
  return id !== null && id.length <= 150 && /\D/.test(id) ? id : null;
}
