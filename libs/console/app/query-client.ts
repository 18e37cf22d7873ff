import { type Query, QueryClient } from '@tanstack/react-query';
import { MessagingError } from '../../client/errors';

/** Before the first attempt to load what an outage interrupted; each further wait doubles. */
const HEAL_MS = 4000;
const MAX_HEAL_MS = 30_000;

/** Retries reads after network errors, 429 and 5xx; any other error is final. */
export const RETRY_POLICY = {
  retry: (failures: number, error: Error) => isTransient(error) && failures < 2,
  retryDelay: (failures: number) => 1000 * 2 ** failures,
};

/** The query cache with the console's defaults. */
export function newQueryClient(): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        // Loading the code of a screen takes that long on a slow line: what was requested beside it is not requested again.
        staleTime: 5000,
        // Refresh a tab when it becomes visible again.
        refetchOnWindowFocus: 'always',
        refetchIntervalInBackground: false,
        ...RETRY_POLICY,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  healAfterOutages(queries);
  return queries;
}

/** Repeats the visible queries that failed in an outage until they succeed, with or without an event stream. */
function healAfterOutages(queries: QueryClient): void {
  const waits = new WeakMap<Query, number>();
  const waiting = new WeakSet<Query>();
  const later = (query: Query, ms: number) => {
    waiting.add(query);
    setTimeout(() => heal(query, ms), ms);
  };
  const heal = (query: Query, ms: number) => {
    waiting.delete(query);
    if (!query.isActive() || !isInterrupted(query)) return;
    if (document.visibilityState === 'hidden') return later(query, ms);
    void queries.refetchQueries({ type: 'active', predicate: (other) => other === query });
  };
  queries.getQueryCache().subscribe((event) => {
    const query = event.query as Query;
    if (query.state.status === 'success') waits.delete(query);
    if (!query.isActive() || !isInterrupted(query) || waiting.has(query)) return;
    const ms = waits.get(query) ?? HEAL_MS;
    waits.set(query, Math.min(ms * 2, MAX_HEAL_MS));
    later(query, ms);
  });
}

/** Whether the query has given up, but would retry after the error; a rate limit has already been waited for. */
function isInterrupted({ state, options }: Query): boolean {
  const { status, fetchStatus, error } = state;
  if (status !== 'error' || fetchStatus !== 'idle' || !isTransient(error)) return false;
  const { retry } = options;
  return typeof retry === 'function' && retry(0, error!) && (error as MessagingError).statusCode !== 429;
}

/** Whether the same request may succeed on retry. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof MessagingError)) return false;
  return error.statusCode === 0 || error.statusCode === 429 || error.statusCode >= 500;
}
