import { QueryClient } from '@tanstack/react-query';
import { MessagingError } from '../../client/errors';

const LONGEST_WAIT_MS = 5000;

/** A read that got no answer is tried again; a refusal is final. */
export const TRIES_AGAIN = {
  retry: (failures: number, error: Error) => isPassing(error) && failures < 3,
  retryDelay: (failures: number) => Math.min(500 * 2 ** failures, LONGEST_WAIT_MS),
};

/** What has been read from the service. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 2000,
        // A look at a tab that was away: what it shows is brought up to date.
        refetchOnWindowFocus: 'always',
        refetchIntervalInBackground: false,
        ...TRIES_AGAIN,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Whether the same read may succeed a moment later: no answer, or the service was not able to give one. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof MessagingError)) return false;
  return error.statusCode === 0 || error.statusCode === 429 || error.statusCode >= 500;
}
