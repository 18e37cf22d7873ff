import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { listBulkJobs } from '../../client/generated/sdk.gen';
import type { BulkJobDto } from '../../client/generated/types.gen';
import { call } from '../api/call';
import { queryKeys } from '../api/query-keys';
import { exactTime } from '../ui/format';
import { jobTitle } from './job-title';
import { useSession } from './session';

const NONE: readonly BulkJobDto[] = [];

/** The query of the latest jobs: lists that use it share one request. */
export const RECENT = { pageSize: 100 };

/** The 100 latest jobs, for choices and names; none while loading, or if the key may not read jobs. */
export function useRecentJobs(): readonly BulkJobDto[] {
  return useRecentJobPage().data?.items ?? NONE;
}

/** The 100 latest jobs, and how many there are; not requested if the key may not read jobs. */
export function useRecentJobPage(): UseQueryResult<{ items: BulkJobDto[]; totalCount: number }> {
  const session = useSession();
  return useQuery({
    queryKey: queryKeys.jobs.list(RECENT),
    queryFn: ({ signal }) => call(listBulkJobs, { query: { ...RECENT, counts: 'true' } }, { signal }),
    enabled: session.can('jobs:read'),
    staleTime: 10_000,
  });
}

/** A job in a list of choices: its name and when it was created. */
export function jobChoice(job: BulkJobDto): { value: string; label: string } {
  return { value: job.jobId, label: `${jobTitle(job)}, ${exactTime(new Date(job.createdAt))}` };
}
