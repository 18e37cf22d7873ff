/** One page of a list that is counted: `page` starts at 1. */
export interface Page<T> {
  items: T[];
  page: number;
  pageSize: number;
  totalCount: number;
}

/** Which page is wanted. */
export interface PageRequest {
  page: number;
  pageSize: number;
}

/** One stretch of a list that grows fast; `nextCursor` is null at its end. */
export interface Slice<T> {
  items: T[];
  nextCursor: string | null;
}

/** Which stretch is wanted: what follows `cursor`, at most `limit` items. */
export interface SliceRequest {
  cursor?: string;
  limit: number;
}
