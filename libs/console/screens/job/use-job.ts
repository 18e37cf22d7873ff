import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLive, usePolls } from '../../app/live';
import { share } from '../../ui/format';
import { isOver } from '../../../client/job-events';
import type { BulkJobDetailDto, BulkJobDto } from '../../../client/generated/types.gen';
import { jobQuery } from './job-query';

/** At most so often the detail of a job is read while events of it come. */
const DETAIL_MS = 1000;
/** For so long after its end statuses of the platform are waited for. */
const SETTLING_MS = 10 * 60_000;
const SETTLING_POLL_MS = 3000;

/** Whether figures of the job may change by themselves. */
export function isMoving(job: Pick<BulkJobDto, 'status'> | undefined): boolean {
  return job !== undefined && !isOver(job) && job.status !== 'Paused';
}

/** How far the job is, in percent; `neverTried`: those counted as failed whose turn did not come. */
export function howFar(
  job: Pick<BulkJobDto, 'totalRecipients' | 'successfullySent' | 'failed' | 'progressPercentage'>,
  neverTried: number,
): string {
  if (neverTried === 0) return `${job.progressPercentage}%`;
  return share(job.successfullySent + job.failed - neverTried, job.totalRecipients);
}

/** The job, kept up to date: its events give the counts at once, and the rest is read after them. */
export function useJob(jobId: string): UseQueryResult<BulkJobDetailDto> {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const poll = usePolls(true);
  useLive('job', (told) => {
    if (told.jobId !== jobId) return;
    queries.setQueryData<BulkJobDetailDto>(['job', jobId], (known) => known && { ...known, ...told });
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queries.invalidateQueries({ queryKey: ['job', jobId], exact: true });
    }, DETAIL_MS);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return useQuery({
    ...jobQuery(jobId),
    refetchInterval: ({ state }) => {
      if (isMoving(state.data)) return poll;
      return state.data && isSettling(state.data) ? SETTLING_POLL_MS : false;
    },
  });
}

/** After its end, what the platform says of the messages still comes; no event tells of it. */
function isSettling(job: BulkJobDetailDto): boolean {
  if (!job.completedAt || job.delivered + job.undelivered >= job.successfullySent) return false;
  return Date.now() - Date.parse(job.completedAt) < SETTLING_MS;
}
