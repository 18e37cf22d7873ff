import { isOver } from '../../../client/job-events';
import { isCutShort, NOT_ATTEMPTED, pendingOf, UNCONFIRMED } from '../../../client/job-figures';
import { countsOf, type JobCounts } from './job-counts';
import { type CountedJob } from './job-outcome';
import { failedWith, useFailures } from './use-failures';

/** The counts of a job; reads its failures only where the figures of the job do not suffice. */
export function useJobCounts(job: CountedJob): JobCounts {
  const { status, failed, skipped = 0, unknown = 0, invalidRows = 0 } = job;
  const mayBeUntried = isCutShort(status);
  const mostUnconfirmed = Math.max(0, Math.min(unknown, failed - skipped - invalidRows));
  // Unknown outcomes that may still be settled are among the pending recipients.
  const isUnclear = mostUnconfirmed > 0 && !isOver(job) && pendingOf(job) > 0;
  const { data, isPlaceholderData } = useFailures(job, {
    enabled: isUnclear || (mayBeUntried && failed > 0),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchInterval: false,
  });
  const unconfirmed = isUnclear ? failedWith(UNCONFIRMED, data) : mostUnconfirmed;
  return countsOf(job, {
    notSent: mayBeUntried && failed > 0 ? (failedWith(NOT_ATTEMPTED, isPlaceholderData ? undefined : data) ?? null) : 0,
    unconfirmed: Math.min(mostUnconfirmed, unconfirmed ?? mostUnconfirmed),
  });
}
