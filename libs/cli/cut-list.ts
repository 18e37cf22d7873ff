/** The beginning of a list. */
export interface CutList<T> {
  items: T[];
  /** Whether the list has more items. */
  hasMore: boolean;
}

/** The first `limit` items of a list, by default all of them. */
export async function firstOf<T>(list: AsyncIterable<T>, limit = Infinity): Promise<CutList<T>> {
  const items: T[] = [];
  for await (const item of list) {
    if (items.length === limit) return { items, hasMore: true };
    items.push(item);
  }
  return { items, hasMore: false };
}
