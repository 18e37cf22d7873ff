import { useQueries, useQuery } from '@tanstack/react-query';
import { listBulkJobs } from '../../../client/generated/sdk.gen';
import type { SenderStateDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { jobQuery } from '../job/job-query';

/** Running jobs that are looked at. */
const JOBS = { status: 'Processing', pageSize: 10 } as const;

/** Messages per second that the running jobs of a sender send now; 0: it is idle; null: unknown. */
export type RateOf = (sender: SenderStateDto) => number | null;

/** The rates of the account's senders, read every `pollMs`; all are unknown without the scope to read jobs. */
export function useSendingRates(pollMs: number): RateOf {
  const canRead = useSession().can('jobs:read');
  const list = useQuery({
    queryKey: queryKeys.jobs.list(JOBS),
    queryFn: ({ signal }) => call(listBulkJobs, { query: JOBS }, { signal }),
    enabled: canRead,
    refetchInterval: pollMs,
  });
  // A job that waits sends nothing.
  const running = (list.data?.items ?? []).filter(({ throttled }) => throttled === null);
  const details = useQueries({
    queries: running.map(({ jobId }) => ({ ...jobQuery(jobId), refetchInterval: pollMs })),
  });
  if (!list.data || details.some(({ data }) => data === undefined)) return () => null;
  const jobs = details.flatMap(({ data }) => (data ? [data] : []));
  const isComplete = list.data.totalCount <= list.data.items.length;
  return ({ id }) => {
    // Jobs name their sender only if the account has several.
    const rates = jobs.filter(({ senderId }) => senderId === id).map(({ ratePerSecond }) => ratePerSecond ?? 0);
    if (rates.length === 0) return isComplete ? 0 : null;
    return rates.reduce((sum, rate) => sum + rate, 0);
  };
}
