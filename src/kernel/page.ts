/** One page of a list with a total count; `page` starts at 1. */
export interface Page<T> {
  items: T[];
  page: number;
  pageSize: number;
  totalCount: number;
}

/** A requested page. */
export interface PageRequest {
  page: number;
  pageSize: number;
}

/** One page of a fast-growing list, without a total count; `nextCursor` is null at the end. */
export interface Slice<T> {
  items: T[];
  nextCursor: string | null;
}

/** A requested page: at most `limit` items after `cursor`. */
export interface SliceRequest {
  cursor?: string;
  limit: number;
}
