import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLive, usePollInterval } from '../../app/live';
import { share } from '../../ui/format';
import { isOver } from '../../../client/job-events';
import type { BulkJobDetailDto, BulkJobDto } from '../../../client/generated/types.gen';
import { jobQuery } from './job-query';
import { queryKeys } from '../../api/query-keys';

/** Minimum interval between refetches of a job's details on events. */
const DETAIL_MS = 1000;
/** How long delivery statuses are polled after a job has ended. */
const STATUS_WAIT_MS = 10 * 60_000;
const STATUS_POLL_MS = 3000;

/** Whether the job is neither paused nor over, so that its counts may change. */
export function isMoving(job: Pick<BulkJobDto, 'status'> | undefined): boolean {
  return job !== undefined && !isOver(job) && job.status !== 'Paused';
}

/** The progress of a job as text, such as “42%”. `notAttempted`: recipients counted as failed that were not attempted. */
export function progressText(
  job: Pick<BulkJobDto, 'totalRecipients' | 'successfullySent' | 'failed' | 'progressPercentage'>,
  notAttempted: number,
): string {
  if (notAttempted === 0) return `${job.progressPercentage}%`;
  return share(job.successfullySent + job.failed - notAttempted, job.totalRecipients);
}

/** The job, kept up to date: events update its counts immediately and trigger a refetch of the details. */
export function useJob(jobId: string): UseQueryResult<BulkJobDetailDto> {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const poll = usePollInterval(true);
  useLive('job', (event) => {
    if (event.jobId !== jobId) return;
    queries.setQueryData<BulkJobDetailDto>(queryKeys.job.one(jobId), (current) => current && { ...current, ...event });
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queries.invalidateQueries({ queryKey: queryKeys.job.one(jobId), exact: true });
    }, DETAIL_MS);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return useQuery({
    ...jobQuery(jobId),
    refetchInterval: ({ state }) => {
      if (isMoving(state.data)) return poll;
      return state.data && awaitsStatuses(state.data) ? STATUS_POLL_MS : false;
    },
  });
}

/** Whether delivery statuses may still arrive after the job's end; these have no job event. */
function awaitsStatuses(job: BulkJobDetailDto): boolean {
  if (!job.completedAt || job.delivered + job.undelivered >= job.successfullySent) return false;
  return Date.now() - Date.parse(job.completedAt) < STATUS_WAIT_MS;
}
