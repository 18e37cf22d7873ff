import { useQueries, useQuery } from '@tanstack/react-query';
import { call } from '../../api/call';
import { Badge } from '../../ui/badge';
import { count } from '../../ui/format';
import { Link } from '../../ui/link';
import { Panel } from '../../ui/panel';
import { getBulkJob, listBulkJobs } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto } from '../../../client/generated/types.gen';
import { useJobReason } from '../job/job-reason';

/** So many jobs of each state are looked at. */
const LOOKED_AT = 5;

/** The jobs that wait or are paused, and why. Nothing where all goes well. */
export function Attention() {
  const paused = useOpenJobs('Paused');
  const processing = useOpenJobs('Processing');
  const queued = useOpenJobs('Queued');
  const ids = [...paused, ...processing, ...queued];
  const details = useQueries({
    queries: ids.map((jobId) => ({
      queryKey: ['job', jobId],
      queryFn: ({ signal }: { signal: AbortSignal }) => call(getBulkJob, { path: { jobId } }, { signal }),
    })),
  });
  const kept = details.flatMap(({ data }) => (data && (data.pauseReason ?? data.throttled) ? [data] : []));
  if (kept.length === 0) return null;
  return (
    <Panel title="Jobs that do not go on">
      <ul className="attention">
        {kept.map((job) => (
          <Kept key={job.jobId} job={job} />
        ))}
      </ul>
    </Panel>
  );
}

function Kept({ job }: { job: BulkJobDetailDto }) {
  const reason = useJobReason(job);
  return (
    <li>
      <div className="row">
        <Link to={`/jobs/${job.jobId}`}>{job.templateName}</Link>
        <Badge>{job.status === 'Paused' ? job.status : 'Waiting'}</Badge>
        <span className="hint">
          {count(job.pending)} of {count(job.totalRecipients)} not sent yet
        </span>
      </div>
      <p>{reason?.text}</p>
    </li>
  );
}

function useOpenJobs(status: 'Paused' | 'Processing' | 'Queued'): string[] {
  const { data } = useQuery({
    queryKey: ['jobs', 'open', status],
    queryFn: ({ signal }) => call(listBulkJobs, { query: { status, pageSize: LOOKED_AT } }, { signal }),
    refetchInterval: 10_000,
  });
  return data?.items.map(({ jobId }) => jobId) ?? [];
}
