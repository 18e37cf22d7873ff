import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { listBulkJobFailures } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto, BulkJobDto, JobFailuresDto } from '../../../client/generated/types.gen';
import { isMoving } from './use-job';

const POLL_MS = 2000;
/** The error code of recipients whose outcome stayed unknown. */
const UNCONFIRMED = 'outcome_unknown';
/** The error code of recipients that were not attempted because the job ended first. */
export const NOT_ATTEMPTED = 'cancelled';

/** A job, from a list or in detail; lists do not contain `undelivered`. */
type Counted = Pick<BulkJobDto, 'jobId' | 'status' | 'failed'> & { undelivered?: number };

/** The failures of a job by reason, refetched when its failure counts change. */
export function useFailures(
  job: Counted,
  options: { enabled?: boolean; staleTime?: number; refetchOnWindowFocus?: boolean; refetchInterval?: false } = {},
): UseQueryResult<JobFailuresDto> {
  return useQuery({
    queryKey: queryKeys.job.failures(job.jobId, job.failed, job.undelivered),
    queryFn: ({ signal }) => call(listBulkJobFailures, { path: { jobId: job.jobId } }, { signal }),
    placeholderData: (before) => before,
    refetchInterval: isMoving(job) ? POLL_MS : false,
    ...options,
  });
}

/** Number of recipients counted as failed that were not attempted because the job was cancelled or failed first. */
export function useNotAttempted(job: Counted): number {
  const ended = job.status === 'Cancelled' || job.status === 'Failed';
  const { data, isPlaceholderData } = useFailures(job, {
    enabled: ended && job.failed > 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  if (!ended || isPlaceholderData) return 0;
  return failedWith(NOT_ATTEMPTED, data) ?? 0;
}

/** Number of unconfirmed recipients that the job counts as failed, as they were for too long; the others are among its pending ones. */
export function useUnconfirmedFailures(job: BulkJobDetailDto): number {
  const { unknown, pending, failed, skipped, invalidRows } = job;
  const most = Math.min(unknown, failed - skipped - invalidRows);
  const isUnclear = most > 0 && pending > 0;
  const { data } = useFailures(job, {
    enabled: isUnclear,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchInterval: false,
  });
  return isUnclear ? Math.min(most, failedWith(UNCONFIRMED, data) ?? most) : most;
}

function failedWith(code: string, failures: JobFailuresDto | undefined): number | undefined {
  return failures && (failures.items.find(({ errorCode }) => errorCode === code)?.failed ?? 0);
}
