import type { PageRequest } from '../../kernel/page';

const COUNTED_ROWS = 10_000;

/** How many rows a growing list counts: 10,000, and further ones as far as the page after the requested one. */
export function rowsToCount({ page, pageSize }: PageRequest): number {
  return Math.max(COUNTED_ROWS, (page + 1) * pageSize);
}
