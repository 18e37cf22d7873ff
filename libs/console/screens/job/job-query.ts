import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { getBulkJob } from '../../../client/generated/sdk.gen';

/** The query of one job. */
export function jobQuery(jobId: string) {
  return queryOptions({
    queryKey: queryKeys.job.one(jobId),
    queryFn: ({ signal }) => call(getBulkJob, { path: { jobId } }, { signal }),
  });
}
