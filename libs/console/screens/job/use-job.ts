import { hashKey, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLive, usePollInterval } from '../../app/live';
import { isOver } from '../../../client/job-events';
import { pendingOf } from '../../../client/job-figures';
import type { BulkJobDetailDto, BulkJobDto } from '../../../client/generated/types.gen';
import { jobQuery } from './job-query';
import { queryKeys } from '../../api/query-keys';
import { isMoving, statusPollOf } from './status-poll';

/** Minimum interval between refetches of a job's details on events. */
const DETAIL_MS = 1000;

/** The job, kept up to date: events update its counts immediately and trigger a refetch of the details. */
export function useJob(jobId: string): UseQueryResult<BulkJobDetailDto> {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const poll = usePollInterval(true);
  const loaded = () => queries.getQueryData<BulkJobDetailDto>(queryKeys.job.one(jobId));
  useLive('job', (event) => {
    if (event.jobId !== jobId) return;
    const known = loaded();
    // A new stream begins with the jobs as they are.
    if (known && isUpToDate(known, event)) return;
    if (known) queries.setQueryData(queryKeys.job.one(jobId), updated(known, event));
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const first = known ? undefined : loaded();
      // The stream was faster than the first load, which is as new.
      if (first && isUpToDate(first, event)) return;
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
      return state.data ? statusPollOf(state.data) : false;
    },
  });
}

function updated(job: BulkJobDetailDto, event: BulkJobDto): BulkJobDetailDto {
  return { ...job, ...event, pending: pendingOf(event) };
}

function isUpToDate(job: BulkJobDetailDto, event: BulkJobDto): boolean {
  return hashKey([job]) === hashKey([updated(job, event)]);
}

/** The job without what it no longer has once it is over: the event with its last status may arrive before its details. */
function settled(job: BulkJobDetailDto): BulkJobDetailDto {
  if (!isOver(job)) return job;
  const allowedActions = job.allowedActions.filter((action) => action === 'retry');
  return { ...job, pending: 0, estimatedCompletionAt: null, pauseReason: null, throttled: null, allowedActions };
}
