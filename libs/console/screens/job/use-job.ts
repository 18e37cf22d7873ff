import { hashKey, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLive, usePollInterval } from '../../app/live';
import { isOver } from '../../../client/job-events';
import type { BulkJobDetailDto, BulkJobDto } from '../../../client/generated/types.gen';
import { pendingOf } from './job-counts';
import { jobQuery } from './job-query';
import { queryKeys } from '../../api/query-keys';

/** Minimum interval between refetches of a job's details on events. */
const DETAIL_MS = 1000;
/** How long delivery statuses are polled after a job has ended. */
const STATUS_WAIT_MS = 10 * 60_000;
export const STATUS_POLL_MS = 3000;

/** Whether the job is neither paused nor over, so that its counts may change. */
export function isMoving(job: Pick<BulkJobDto, 'status'> | undefined): boolean {
  return job !== undefined && !isOver(job) && job.status !== 'Paused';
}

/** The job, kept up to date: events update its counts immediately and trigger a refetch of the details. */
export function useJob(jobId: string): UseQueryResult<BulkJobDetailDto> {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const poll = usePollInterval(true);
  useLive('job', (event) => {
    if (event.jobId !== jobId) return;
    const known = queries.getQueryData<BulkJobDetailDto>(queryKeys.job.one(jobId));
    const next = known && { ...known, ...event, pending: pendingOf(event) };
    // A new stream begins with the jobs as they are.
    if (known && hashKey([known]) === hashKey([next])) return;
    queries.setQueryData(queryKeys.job.one(jobId), next);
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queries.invalidateQueries({ queryKey: queryKeys.job.one(jobId), exact: true });
    }, DETAIL_MS);
  });
  useEffect(
    () => () => {
      if (timer.current === undefined) return;
      clearTimeout(timer.current);
      timer.current = undefined;
      // The next tab of the job would show its last event with earlier details, such as its actions.
      void queries.invalidateQueries({ queryKey: queryKeys.job.one(jobId), exact: true });
    },
    [queries, jobId],
  );
  return useQuery({
    ...jobQuery(jobId),
    select: settled,
    refetchInterval: ({ state }) => {
      if (poll && isMoving(state.data)) return poll;
      return state.data && awaitsStatuses(state.data) ? STATUS_POLL_MS : false;
    },
  });
}

/** The job without what it no longer has once it is over: the event with its last status may arrive before its details. */
function settled(job: BulkJobDetailDto): BulkJobDetailDto {
  if (!isOver(job)) return job;
  const allowedActions = job.allowedActions.filter((action) => action === 'retry');
  return { ...job, pending: 0, estimatedCompletionAt: null, pauseReason: null, throttled: null, allowedActions };
}

/** Whether delivery statuses may still arrive, also for a while after the job's end; these have no job event. */
export function awaitsStatuses(job: BulkJobDto): boolean {
  const { completedAt, successfullySent, delivered = 0, undelivered = 0 } = job;
  if (delivered + undelivered >= successfullySent) return false;
  return completedAt === null ? isMoving(job) : Date.now() - Date.parse(completedAt) < STATUS_WAIT_MS;
}
