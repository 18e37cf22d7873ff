import { QueryClient } from '@tanstack/react-query';
import { MessagingError } from '../../client/errors';

const MAX_WAIT_MS = 5000;

/** Retries reads after network errors, 429 and 5xx; any other error is final. */
export const RETRY_POLICY = {
  retry: (failures: number, error: Error) => isTransient(error) && failures < 3,
  retryDelay: (failures: number) => Math.min(500 * 2 ** failures, MAX_WAIT_MS),
};

/** The query cache with the console's defaults. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 2000,
        // Refresh a tab when it becomes visible again.
        refetchOnWindowFocus: 'always',
        refetchIntervalInBackground: false,
        ...RETRY_POLICY,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Whether the same request may succeed on retry. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof MessagingError)) return false;
  return error.statusCode === 0 || error.statusCode === 429 || error.statusCode >= 500;
}
