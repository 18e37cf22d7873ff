/** A position in a list that is ordered by time, and by id within one moment. */
export interface TimeCursor {
  /** UTC with microseconds, as the database keeps time: `2026-01-15T09:30:00.123456Z`. Texts of it sort like times. */
  at: string;
  id: string;
}

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const FIRST_TIME = Date.UTC(1900, 0, 1);
const LAST_TIME = Date.UTC(9999, 11, 31);
const CURSOR = /^([1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})(\d{3}Z) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The position before everything of that moment; a time that the database cannot store becomes the nearest that it can. */
export function beforeMoment(time: Date): TimeCursor {
  return { at: momentOf(time), id: LOWEST_ID };
}

/** The position after everything of that moment. */
export function afterMoment(time: Date): TimeCursor {
  return { at: momentOf(time), id: HIGHEST_ID };
}

/** The earlier of two positions; undefined means no limit. */
export function earlierOf(one: TimeCursor | undefined, other: TimeCursor | undefined): TimeCursor | undefined {
  if (!one || !other) return one ?? other;
  return one.at < other.at || (one.at === other.at && one.id < other.id) ? one : other;
}

/** The position as an opaque text for clients. */
export function encodeCursor({ at, id }: TimeCursor): string {
  return Buffer.from(`${at} ${id}`).toString('base64url');
}

/** The position in a text of `encodeCursor`; null for any other text. */
export function decodeCursor(text: string): TimeCursor | null {
  const [, moment, rest, id] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (moment === undefined || rest === undefined || id === undefined) return null;
  // Date takes February 30th for March 2nd; the database does not.
  const time = new Date(`${moment}Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString() === `${moment}Z` ? { at: moment + rest, id } : null;
}

function momentOf(time: Date): string {
  const stored = new Date(Math.min(Math.max(time.getTime(), FIRST_TIME), LAST_TIME));
  return stored.toISOString().replace('Z', '000Z');
}
