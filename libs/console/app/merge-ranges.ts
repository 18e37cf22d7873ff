/** One range of a list, as the API returns it with a cursor. */
export interface Range<T> {
  items: T[];
  nextCursor: string | null;
}

/** How the items of a list are identified and sorted. */
export interface ItemOrder<T> {
  idOf: (item: T) => string;
  /** The sort key, descending: a time, an id, or a number. */
  orderOf: (item: T) => string | number;
}

/**
 * Merges the newest range into the loaded items. Items within its span that it no longer contains are dropped. If the two do not
 * overlap because more new items arrived than a range holds, only the newest range is kept and the rest is loaded again.
 */
export function mergeNewest<T>(
  loaded: Range<T> | undefined,
  newest: Range<T>,
  { idOf, orderOf }: ItemOrder<T>,
): Range<T> {
  const oldest = newest.items.at(-1);
  if (!loaded || newest.nextCursor === null) return newest;
  if (!oldest) return loaded;
  const ids = new Set(newest.items.map(idOf));
  const older = loaded.items.filter((item) => !ids.has(idOf(item)) && orderOf(item) <= orderOf(oldest));
  const overlaps = loaded.items.length === 0 || loaded.items.some((item) => ids.has(idOf(item)));
  if (!overlaps) return newest;
  return { items: [...newest.items, ...older], nextCursor: (older.length > 0 ? loaded : newest).nextCursor };
}

/** Appends the range that was loaded with `cursor`; returns `loaded` unchanged if another range was appended meanwhile. */
export function appendRange<T>(loaded: Range<T>, cursor: string, range: Range<T>, { idOf }: ItemOrder<T>): Range<T> {
  if (loaded.nextCursor !== cursor) return loaded;
  const ids = new Set(loaded.items.map(idOf));
  return {
    items: [...loaded.items, ...range.items.filter((item) => !ids.has(idOf(item)))],
    nextCursor: range.nextCursor,
  };
}
