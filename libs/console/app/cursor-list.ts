import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { appended, joined, type Order, type Range } from './joined-ranges';
import { TRIES_AGAIN } from './query-client';

/** A list as far as it has been read. */
export interface CursorList<T> {
  /** Absent: nothing has been read yet. */
  items?: readonly T[];
  /** Whether `items` is all of it. */
  isWhole: boolean;
  /** Why the last read failed; null: it did not. */
  error: Error | null;
  isReadingMore: boolean;
  /** Reads the next range; does nothing at the end, while one is read, and after one failed: then `retry` goes on. */
  more: () => void;
  /** Reads again what failed. */
  retry: () => void;
  /** When the newest range was read, in milliseconds; 0: never. */
  updatedAt: number;
}

/** What a list is read from. */
export interface CursorListOptions<T> extends Order<T> {
  key: readonly unknown[];
  load: (cursor: string | undefined, signal?: AbortSignal) => Promise<Range<T>>;
  enabled?: boolean;
  /** Milliseconds between looks at the newest range. */
  refetchInterval?: number | false;
}

interface Next {
  key: readonly unknown[];
  cursor: string;
}

/**
 * A list that the API tells range by range. Whatever reads it again reads the newest range only, and joins it to the ranges that
 * are there: of a list of which 50,000 items have been read, one call brings the beginning up to date.
 */
export function useCursorList<T>(options: CursorListOptions<T>): CursorList<T> {
  const { key, load, enabled, refetchInterval = false } = options;
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: key,
    enabled,
    refetchInterval,
    queryFn: async ({ signal }): Promise<Range<T>> => {
      const newest = await load(undefined, signal);
      return joined(queries.getQueryData<Range<T>>(key), newest, options);
    },
  });
  const next = useMutation({
    ...TRIES_AGAIN,
    mutationFn: async ({ key: of, cursor }: Next) => {
      const range = await load(cursor);
      queries.setQueryData<Range<T>>(of, (kept) => kept && appended(kept, cursor, range, options), {
        // The beginning is as old as it was.
        updatedAt: queries.getQueryState(of)?.dataUpdatedAt,
      });
    },
  });
  const { mutate } = next;
  const cursor = query.data?.nextCursor ?? null;
  const isOfThis = next.variables?.cursor === cursor;
  const isReadingMore = isOfThis && next.isPending;
  const hasFailed = isOfThis && next.isError;
  const keyText = JSON.stringify(key);
  const read = useCallback(() => {
    if (cursor !== null && !isReadingMore) mutate({ key: JSON.parse(keyText) as unknown[], cursor });
  }, [cursor, isReadingMore, keyText, mutate]);
  return {
    items: query.data?.items,
    isWhole: query.data !== undefined && cursor === null,
    error: query.error ?? (hasFailed ? next.error : null),
    isReadingMore,
    more: hasFailed ? nothing : read,
    retry: () => (hasFailed ? read() : void query.refetch()),
    updatedAt: query.dataUpdatedAt,
  };
}

function nothing(): void {}
