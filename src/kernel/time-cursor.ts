/** A position in a list ordered by time, then id. */
export interface TimeCursor {
  /** UTC with microseconds, as stored by the database: `2026-01-15T09:30:00.123456Z`. Sorts alphabetically by time. */
  at: string;
  id: string;
}

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const FIRST_TIME = Date.UTC(1900, 0, 1);
const LAST_TIME = Date.UTC(9999, 11, 31);
const CURSOR = /^([1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})(\d{3}Z) (.+)$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The position before everything at this time; a time outside the database's range becomes the nearest one inside it. */
export function beforeMoment(time: Date): TimeCursor {
  return { at: storedTime(time), id: LOWEST_ID };
}

/** The position after everything at this time. */
export function afterMoment(time: Date): TimeCursor {
  return { at: storedTime(time), id: HIGHEST_ID };
}

/** The earlier of two positions; undefined means no limit. */
export function earlierOf(one: TimeCursor | undefined, other: TimeCursor | undefined): TimeCursor | undefined {
  if (!one || !other) return one ?? other;
  return one.at < other.at || (one.at === other.at && one.id < other.id) ? one : other;
}

/** Encodes a position as opaque text for clients. */
export function encodeCursor({ at, id }: TimeCursor): string {
  return Buffer.from(`${at} ${id}`).toString('base64url');
}

/** Decodes a text of `encodeCursor`; returns null for any other text. `ids`: the form of the ids of the list. */
export function decodeCursor(text: string, ids = UUID): TimeCursor | null {
  const [, time, rest, id] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (time === undefined || rest === undefined || id === undefined || !ids.test(id)) return null;
  // Date turns February 30th into March 2nd; the database rejects it.
  const date = new Date(`${time}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString() === `${time}Z` ? { at: time + rest, id } : null;
}

function storedTime(time: Date): string {
  const stored = new Date(Math.min(Math.max(time.getTime(), FIRST_TIME), LAST_TIME));
  return stored.toISOString().replace('Z', '000Z');
}
