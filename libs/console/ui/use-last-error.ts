import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';

/** The error of a query, and of one without data also while it is repeated, when the query itself has none; otherwise null. */
export function useLastError<T>({ data, error, errorUpdatedAt: at }: UseQueryResult<T>): Error | null {
  const [last, setLast] = useState<{ at: number; error: Error | null }>({ at: 0, error: null });
  if (error && last.at !== at) setLast({ at, error });
  if (error || data !== undefined) return error;
  return last.at === at ? last.error : null;
}
