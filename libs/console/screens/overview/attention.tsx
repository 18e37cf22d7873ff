import { useQueries, useQuery } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useRecentJobPage } from '../../app/recent-jobs';
import { Badge } from '../../ui/badge';
import { STATE_WORDS } from '../../app/states';
import { jobTitle } from '../../app/job-title';
import { validRecipients } from '../../app/valid-recipients';
import { t } from '../../language/translate';
import { Link } from '../../ui/link';
import { Panel } from '../../ui/panel';
import { getBulkJob, listBulkJobs } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto } from '../../../client/generated/types.gen';
import { JobBadge } from '../job/job-badge';
import { isAwaitingConfirmation, hasReachedNobody } from '../job/job-outcome';
import { useJobReason } from '../job/job-reason';

/** Jobs checked per status. */
const JOBS_PER_STATUS = 5;
const DAY_MS = 86_400_000;

/**
 * The paused and waiting jobs, and those of the last day that reached nobody, with reasons; renders nothing if there are none. Calls
 * `onKnown` once it is known what it renders.
 */
export function Attention({ onKnown }: { onKnown: () => void }) {
  const recent = useRecentJobPage();
  const paused = useOpenJobs('Paused');
  const processing = useOpenJobs('Processing');
  const queued = useOpenJobs('Queued');
  const failed = (recent.data?.items ?? [])
    .filter((job) => hasReachedNobody(job) && Date.now() - Date.parse(job.completedAt ?? job.createdAt) < DAY_MS)
    .slice(0, JOBS_PER_STATUS)
    .map(({ jobId }) => jobId);
  const ids = [...new Set([paused, processing, queued].flatMap((one) => one.jobIds).concat(failed))];
  const details = useQueries({
    queries: ids.map((jobId) => ({
      queryKey: queryKeys.job.one(jobId),
      queryFn: ({ signal }: { signal: AbortSignal }) => call(getBulkJob, { path: { jobId } }, { signal }),
    })),
  });
  const isKnown = [recent, paused, processing, queued, ...details].every(({ isLoading }) => !isLoading);
  useLayoutEffect(() => {
    if (isKnown) onKnown();
  }, [isKnown, onKnown]);
  const shown = details.flatMap(({ data }) => (data && needsAttention(data) ? [data] : []));
  if (shown.length === 0) return null;
  return (
    <Panel title={t('Needs your attention')}>
      <ul className="attention">
        {shown.map((job) => (
          <AttentionItem key={job.jobId} job={job} />
        ))}
      </ul>
    </Panel>
  );
}

function needsAttention(job: BulkJobDetailDto): boolean {
  if (hasReachedNobody(job)) return true;
  return (job.pauseReason ?? job.throttled) !== null && !isAwaitingConfirmation(job);
}

function AttentionItem({ job }: { job: BulkJobDetailDto }) {
  const reason = useJobReason(job);
  return (
    <li>
      <div className="row">
        <Link to={`/jobs/${job.jobId}`}>{jobTitle(job)}</Link>
        {hasReachedNobody(job) ? (
          <JobBadge job={job} />
        ) : (
          <>
            <Badge tone="warning">{job.status === 'Paused' ? STATE_WORDS.Paused : t('Waiting')}</Badge>
            <span className="hint">
              {t('{pending, number} of {total, number} not sent yet', {
                pending: job.pending,
                total: validRecipients(job),
              })}
            </span>
          </>
        )}
      </div>
      <p>
        {reason?.text ??
          t('The message did not reach {count, plural, one {its only recipient} other {any of # recipients}}.', {
            count: validRecipients(job),
          })}
      </p>
    </li>
  );
}

/** The first jobs with this status, which the latest jobs contain unless there are more. */
function useOpenJobs(status: 'Paused' | 'Processing' | 'Queued'): { jobIds: string[]; isLoading: boolean } {
  const { data: recent } = useRecentJobPage();
  const isLong = recent !== undefined && recent.totalCount > recent.items.length;
  const { data, isLoading } = useQuery({
    queryKey: queryKeys.jobs.open(status),
    queryFn: ({ signal }) => call(listBulkJobs, { query: { status, pageSize: JOBS_PER_STATUS } }, { signal }),
    enabled: isLong,
    refetchInterval: 10_000,
  });
  const jobs = isLong ? data?.items : recent?.items.filter((job) => job.status === status).slice(0, JOBS_PER_STATUS);
  return { jobIds: jobs?.map(({ jobId }) => jobId) ?? [], isLoading };
}
