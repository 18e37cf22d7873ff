import { isOver } from '../../../client/job-events';
import { type CountedJob, countsOf, type JobCounts, pendingOf } from './job-counts';
import { NOT_ATTEMPTED, UNCONFIRMED } from './failure-groups';
import { failedWith, useFailures } from './use-failures';

/** The counts of a job; reads its failures only where the figures of the job do not suffice. */
export function useJobCounts(job: CountedJob): JobCounts {
  const { status, failed, skipped = 0, unknown = 0, invalidRows = 0 } = job;
  const isCutShort = status === 'Cancelled' || status === 'Failed';
  const mostUnconfirmed = Math.max(0, Math.min(unknown, failed - skipped - invalidRows));
  // Unknown outcomes that may still be settled are among the pending recipients.
  const isUnclear = mostUnconfirmed > 0 && !isOver(job) && pendingOf(job) > 0;
  const { data, isPlaceholderData } = useFailures(job, {
    enabled: isUnclear || (isCutShort && failed > 0),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchInterval: false,
  });
  const unconfirmed = isUnclear ? failedWith(UNCONFIRMED, data) : mostUnconfirmed;
  return countsOf(job, {
    notSent: isCutShort && !isPlaceholderData ? (failedWith(NOT_ATTEMPTED, data) ?? 0) : 0,
    unconfirmed: Math.min(mostUnconfirmed, unconfirmed ?? mostUnconfirmed),
  });
}
