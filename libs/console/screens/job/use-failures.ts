import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { listBulkJobFailures } from '../../../client/generated/sdk.gen';
import type { JobFailuresDto } from '../../../client/generated/types.gen';
import type { CountedJob } from './job-outcome';
import { isMoving } from './status-poll';

const POLL_MS = 2000;

/** The failures of a job by reason, refetched when its failure counts change. */
export function useFailures(
  job: CountedJob,
  options: { enabled?: boolean; staleTime?: number; refetchOnWindowFocus?: boolean; refetchInterval?: false } = {},
): UseQueryResult<JobFailuresDto> {
  return useQuery({
    queryKey: queryKeys.job.failures(job.jobId, job.failed, job.undelivered ?? 0),
    queryFn: ({ signal }) => call(listBulkJobFailures, { path: { jobId: job.jobId } }, { signal }),
    placeholderData: (before) => before,
    refetchInterval: isMoving(job) ? POLL_MS : false,
    ...options,
  });
}

/** Number of failed recipients with this code; undefined until the failures are known. */
export function failedWith(code: string, failures: JobFailuresDto | undefined): number | undefined {
  return failures && (failures.items.find(({ errorCode }) => errorCode === code)?.failed ?? 0);
}
