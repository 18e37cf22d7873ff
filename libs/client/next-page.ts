/** A page of a list: of those with cursors, or of those with numbered pages. */
export interface Page<T> {
  items: T[];
  nextCursor?: string | null;
  page?: number;
  totalPages?: number;
}

/** The query parameters of the next page; null at the end of the list. */
export function nextPageOf({ nextCursor, page = 1, totalPages = 1 }: Page<unknown>): object | null {
  if (nextCursor !== undefined) return nextCursor === null ? null : { cursor: nextCursor };
  return page < totalPages ? { page: page + 1 } : null;
}
