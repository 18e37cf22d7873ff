import { useQueries, useQuery } from '@tanstack/react-query';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { Badge } from '../../ui/badge';
import { STATE_WORDS } from '../../app/states';
import { jobTitle } from '../../app/job-title';
import { validRecipients } from '../../app/valid-recipients';
import { t } from '../../language/translate';
import { Link } from '../../ui/link';
import { Panel } from '../../ui/panel';
import { getBulkJob, listBulkJobs } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto } from '../../../client/generated/types.gen';
import { useJobReason } from '../job/job-reason';

/** Jobs checked per status. */
const JOBS_PER_STATUS = 5;

/** The paused and waiting jobs, with reasons; renders nothing if there are none. */
export function Attention() {
  const paused = useOpenJobs('Paused');
  const processing = useOpenJobs('Processing');
  const queued = useOpenJobs('Queued');
  const ids = [...paused, ...processing, ...queued];
  const details = useQueries({
    queries: ids.map((jobId) => ({
      queryKey: queryKeys.job.one(jobId),
      queryFn: ({ signal }: { signal: AbortSignal }) => call(getBulkJob, { path: { jobId } }, { signal }),
    })),
  });
  const stalled = details.flatMap(({ data }) => (data && (data.pauseReason ?? data.throttled) ? [data] : []));
  if (stalled.length === 0) return null;
  return (
    <Panel title={t('Needs your attention')}>
      <ul className="attention">
        {stalled.map((job) => (
          <AttentionItem key={job.jobId} job={job} />
        ))}
      </ul>
    </Panel>
  );
}

function AttentionItem({ job }: { job: BulkJobDetailDto }) {
  const reason = useJobReason(job);
  return (
    <li>
      <div className="row">
        <Link to={`/jobs/${job.jobId}`}>{jobTitle(job)}</Link>
        <Badge tone="warning">{job.status === 'Paused' ? STATE_WORDS.Paused : t('Waiting')}</Badge>
        <span className="hint">
          {t('{pending, number} of {total, number} not sent yet', {
            pending: job.pending,
            total: validRecipients(job),
          })}
        </span>
      </div>
      <p>{reason?.text}</p>
    </li>
  );
}

function useOpenJobs(status: 'Paused' | 'Processing' | 'Queued'): string[] {
  const { data } = useQuery({
    queryKey: queryKeys.jobs.open(status),
    queryFn: ({ signal }) => call(listBulkJobs, { query: { status, pageSize: JOBS_PER_STATUS } }, { signal }),
    refetchInterval: 10_000,
  });
  return data?.items.map(({ jobId }) => jobId) ?? [];
}
