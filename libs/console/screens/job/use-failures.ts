import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { call } from '../../api/call';
import { listBulkJobFailures } from '../../../client/generated/sdk.gen';
import type { BulkJobDto, JobFailuresDto } from '../../../client/generated/types.gen';
import { isMoving } from './use-job';

const EVERY_MS = 2000;
/** The reason of those whose job ended before their turn. */
export const NEVER_TRIED = 'cancelled';

/** Of a job in a list it is not known how many were not delivered. */
type Counted = Pick<BulkJobDto, 'jobId' | 'status' | 'failed'> & { undelivered?: number };

/** Why recipients of the job failed, counted anew whenever the job counts more of them. */
export function useFailures(
  job: Counted,
  options: { enabled?: boolean; staleTime?: number; refetchOnWindowFocus?: boolean } = {},
): UseQueryResult<JobFailuresDto> {
  return useQuery({
    queryKey: ['job', job.jobId, 'failures', job.failed, job.undelivered],
    queryFn: ({ signal }) => call(listBulkJobFailures, { path: { jobId: job.jobId } }, { signal }),
    placeholderData: (before) => before,
    refetchInterval: isMoving(job) ? EVERY_MS : false,
    ...options,
  });
}

/** How many of those that the job counts as failed were never sent to, because it was cancelled or failed first. */
export function useNeverTried(job: Counted): number {
  const ended = job.status === 'Cancelled' || job.status === 'Failed';
  const { data, isPlaceholderData } = useFailures(job, {
    enabled: ended && job.failed > 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  if (!ended || isPlaceholderData) return 0;
  return data?.items.find(({ errorCode }) => errorCode === NEVER_TRIED)?.failed ?? 0;
}
