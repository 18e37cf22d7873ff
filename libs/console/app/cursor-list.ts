import { useMutation, useQuery, useQueryClient, type UseQueryOptions } from '@tanstack/react-query';
import { useCallback } from 'react';
import { appendRange, mergeNewest, type ItemOrder, type Range } from './merge-ranges';
import { useLastError } from '../ui/use-last-error';
import { RETRY_POLICY } from './query-client';

/** A partially loaded list. */
export interface CursorList<T> {
  /** Absent until the first load. */
  items?: readonly T[];
  /** Whether `items` is the complete list. */
  isComplete: boolean;
  /** The error of the last load; null if it succeeded. */
  error: Error | null;
  isLoadingMore: boolean;
  /** Loads the next range; does nothing at the end of the list, during a load, and after a failed one (use `retry`). */
  more: () => void;
  /** Repeats the failed load. */
  retry: () => void;
  /** When the newest range was loaded, in epoch milliseconds; 0: never. */
  updatedAt: number;
}

/** The source of a list. */
export interface CursorListOptions<T> extends ItemOrder<T> {
  key: readonly unknown[];
  load: (cursor: string | undefined, signal?: AbortSignal) => Promise<Range<T>>;
  enabled?: boolean;
  /** Milliseconds between refetches of the newest range. */
  refetchInterval?: UseQueryOptions<Range<T>>['refetchInterval'];
}

interface Next {
  key: readonly unknown[];
  cursor: string;
}

/**
 * A list that the API pages by cursor. A refetch loads only the newest range and merges it into the loaded ranges, so one call
 * updates the top of a list of which 50,000 items are loaded.
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
      return mergeNewest(queries.getQueryData<Range<T>>(key), newest, options);
    },
  });
  const lastError = useLastError(query);
  const next = useMutation({
    ...RETRY_POLICY,
    mutationFn: async ({ key: target, cursor }: Next) => {
      const range = await load(cursor);
      queries.setQueryData<Range<T>>(target, (loaded) => loaded && appendRange(loaded, cursor, range, options), {
        // The newest range has not been refetched.
        updatedAt: queries.getQueryState(target)?.dataUpdatedAt,
      });
    },
  });
  const { mutate } = next;
  const cursor = query.data?.nextCursor ?? null;
  const isCurrent = next.variables?.cursor === cursor;
  const isLoadingMore = isCurrent && next.isPending;
  // The service responds again once the newest range was loaded after the failed one.
  const hasFailed = isCurrent && next.isError && query.dataUpdatedAt <= next.submittedAt;
  const keyText = JSON.stringify(key);
  const loadNext = useCallback(() => {
    if (cursor !== null && !isLoadingMore) mutate({ key: JSON.parse(keyText) as unknown[], cursor });
  }, [cursor, isLoadingMore, keyText, mutate]);
  return {
    items: query.data?.items,
    isComplete: query.data !== undefined && cursor === null,
    error: lastError ?? (hasFailed ? next.error : null),
    isLoadingMore,
    more: hasFailed ? doNothing : loadNext,
    retry: () => (hasFailed ? loadNext() : void query.refetch()),
    updatedAt: query.dataUpdatedAt,
  };
}

function doNothing(): void {}
