import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { call } from '../../api/call';
import { listBulkJobFailures } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto, JobFailuresDto } from '../../../client/generated/types.gen';
import { isMoving } from './use-job';

const EVERY_MS = 2000;
/** The reason of those whose job ended before their turn. */
export const NEVER_TRIED = 'cancelled';

/** Why recipients of the job failed, counted anew whenever the job counts more of them. */
export function useFailures(job: BulkJobDetailDto, enabled = true): UseQueryResult<JobFailuresDto> {
  return useQuery({
    queryKey: ['job', job.jobId, 'failures', job.failed + job.undelivered],
    queryFn: ({ signal }) => call(listBulkJobFailures, { path: { jobId: job.jobId } }, { signal }),
    placeholderData: (before) => before,
    refetchInterval: isMoving(job) ? EVERY_MS : false,
    enabled,
  });
}

/** How many of those that the job counts as failed were never sent to, because it was cancelled or failed first. */
export function useNeverTried(job: BulkJobDetailDto): number {
  const ended = job.status === 'Cancelled' || job.status === 'Failed';
  const { data, isPlaceholderData } = useFailures(job, ended);
  if (!ended || isPlaceholderData) return 0;
  return data?.items.find(({ errorCode }) => errorCode === NEVER_TRIED)?.failed ?? 0;
}
