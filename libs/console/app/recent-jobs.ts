import { useQuery } from '@tanstack/react-query';
import { listBulkJobs } from '../../client/generated/sdk.gen';
import type { BulkJobDto } from '../../client/generated/types.gen';
import { call } from '../api/call';
import { queryKeys } from '../api/query-keys';
import { exactTime } from '../ui/format';
import { jobTitle } from './job-title';
import { useSession } from './session';

const NONE: readonly BulkJobDto[] = [];

/** The 100 latest jobs, for choices and names; none while loading, or if the key may not read jobs. */
export function useRecentJobs(): readonly BulkJobDto[] {
  const session = useSession();
  const { data } = useQuery({
    queryKey: queryKeys.jobs.choice,
    queryFn: ({ signal }) => call(listBulkJobs, { query: { pageSize: 100, counts: 'true' } }, { signal }),
    enabled: session.can('jobs:read'),
    staleTime: 10_000,
  });
  return data?.items ?? NONE;
}

/** A job in a list of choices: its name and when it was created. */
export function jobChoice(job: BulkJobDto): { value: string; label: string } {
  return { value: job.jobId, label: `${jobTitle(job)}, ${exactTime(new Date(job.createdAt))}` };
}
