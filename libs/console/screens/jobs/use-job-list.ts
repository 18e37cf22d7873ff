import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useLive, usePollInterval, useRefresh } from '../../app/live';
import { listBulkJobs } from '../../../client/generated/sdk.gen';
import type { BulkJobDto, ListBulkJobsData } from '../../../client/generated/types.gen';
import { isMoving, statusPollOf } from '../job/status-poll';

/** A page of the job list. */
export interface JobPage {
  items: BulkJobDto[];
  page: number;
  totalCount: number;
  totalPages: number;
}

/** A page of jobs, newest first. Events change its jobs; one that may change which jobs belong to it refetches all lists of jobs. */
export function useJobList(query: NonNullable<ListBulkJobsData['query']>): UseQueryResult<JobPage> {
  const queries = useQueryClient();
  const poll = usePollInterval(true);
  const refresh = useRefresh(queryKeys.jobs.all);
  // The progress of jobs that are not on the page must not refetch it.
  const latest = useRef(new Map<string, BulkJobDto['status']>());
  const queryKey = queryKeys.jobs.list(query);
  const jobs = useQuery<JobPage>({
    queryKey,
    queryFn: ({ signal }) => call(listBulkJobs, { query: { ...query, counts: 'true' } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      if (poll && state.data?.items.some(isMoving)) return poll;
      const polls = (state.data?.items ?? []).map(statusPollOf).filter((ms) => ms !== false);
      return polls.length > 0 && Math.min(...polls);
    },
  });
  const items = jobs.data?.items;
  useLive('job', (event) => {
    const { jobId, status } = event;
    const known = items?.find((job) => job.jobId === jobId)?.status ?? latest.current.get(jobId);
    latest.current.set(jobId, status);
    if (!items) return;
    if (known !== status) refresh();
    else {
      queries.setQueryData<JobPage>(
        queryKey,
        (list) =>
          list && { ...list, items: list.items.map((job) => (job.jobId === jobId ? { ...job, ...event } : job)) },
      );
    }
  });
  const isCompared = useRef(false);
  useEffect(() => {
    if (isCompared.current || !items) return;
    isCompared.current = true;
    // Events that were faster than the first load, which is mostly as new.
    const statusOf = (jobId: string) => items.find((job) => job.jobId === jobId)?.status;
    if ([...latest.current].some(([jobId, status]) => statusOf(jobId) !== status)) refresh();
  });
  return jobs;
}
