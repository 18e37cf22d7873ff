import type { PageRequest } from '../../kernel/page';

const COUNTED_ROWS = 10_000;

/** The rows of a page and of the page after it: how many to read, and how many to skip. */
export function withNextPage({ page, pageSize }: PageRequest): { limit: number; offset: number } {
  return { limit: 2 * pageSize, offset: (page - 1) * pageSize };
}

/**
 * The total of a growing list: it counts 10,000 rows, and further ones as far as the page after the requested one. `read`: how many rows
 * `withNextPage` has found; `count` counts up to a limit, and is called only if that leaves the total open, so that a late page is skipped to once.
 */
export async function countedTotal(
  request: PageRequest,
  read: number,
  count: (limit: number) => Promise<number>,
): Promise<number> {
  const { limit, offset } = withNextPage(request);
  const total = offset + read;
  const isEnd = read < limit && (read > 0 || offset === 0);
  return isEnd || (read === limit && total >= COUNTED_ROWS) ? total : count(Math.max(COUNTED_ROWS, offset + limit));
}
