/** A range of a list, as the API answers it with a cursor. */
export interface Range<T> {
  items: T[];
  nextCursor: string | null;
}

/** How the items of a list are told apart and ordered. */
export interface Order<T> {
  idOf: (item: T) => string;
  /** What the list goes by, descending: a time, an id, or a number. */
  orderOf: (item: T) => string | number;
}

/**
 * The newest range, joined to what was read before. What the newest range passes over is gone from the list; where more came than
 * it holds, so that nothing joins it to the rest, the rest is left out and read anew.
 */
export function joined<T>(kept: Range<T> | undefined, newest: Range<T>, { idOf, orderOf }: Order<T>): Range<T> {
  const oldest = newest.items.at(-1);
  if (!kept || newest.nextCursor === null) return newest;
  if (!oldest) return kept;
  const ids = new Set(newest.items.map(idOf));
  const older = kept.items.filter((item) => !ids.has(idOf(item)) && orderOf(item) <= orderOf(oldest));
  const isJoined = kept.items.length === 0 || kept.items.some((item) => ids.has(idOf(item)));
  if (!isJoined) return newest;
  return { items: [...newest.items, ...older], nextCursor: (older.length > 0 ? kept : newest).nextCursor };
}

/** What was read, and the range that `cursor` led to; unchanged where another range was read meanwhile. */
export function appended<T>(kept: Range<T>, cursor: string, range: Range<T>, { idOf }: Order<T>): Range<T> {
  if (kept.nextCursor !== cursor) return kept;
  const ids = new Set(kept.items.map(idOf));
  return {
    items: [...kept.items, ...range.items.filter((item) => !ids.has(idOf(item)))],
    nextCursor: range.nextCursor,
  };
}
