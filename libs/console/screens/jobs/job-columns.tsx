import { useQuery } from '@tanstack/react-query';
import { jobTitle } from '../../app/job-title';
import { STATE_WORDS } from '../../app/states';
import { validRecipients } from '../../app/valid-recipients';
import { t } from '../../language/translate';
import { count, share } from '../../ui/format';
import { Link } from '../../ui/link';
import type { Column } from '../../ui/table';
import { Time } from '../../ui/time';
import type { BulkJobDto } from '../../../client/generated/types.gen';
import { JobBadge } from '../job/job-badge';
import { JobBar } from '../job/job-bar';
import { UNKNOWN } from '../job/job-counts';
import { jobQuery } from '../job/job-query';
import { isNamedRetry } from '../job/retry-name';
import { useJobCounts } from '../job/use-job-counts';
import { useNarrow } from '../../ui/use-narrow';

/** Up to this width a job shows its figures below its name, as in jobs.css. */
const CARDS_PX = 1000;
const FIGURE = { align: 'end', wideOnly: true } as const;

/** The whole of the rates in lists of jobs. */
export const RATES = t('Delivered and read: share of sent messages');

/** The columns of every list of jobs, with the source and age below the name; on narrow screens the figures, too. */
export function jobColumns(jobs: readonly BulkJobDto[]): Column<BulkJobDto>[] {
  const repeated = repeatedIn(jobs);
  return [
    {
      key: 'job',
      head: t('Job'),
      cell: (job) => (
        <div className="jobs-name">
          <Link to={`/jobs/${job.jobId}`} className="row-link">
            <bdi title={jobTitle(job)}>{jobTitle(job)}</bdi>
          </Link>
          <Subtitle job={job} mayRetry={repeated.has(job.jobId) || isNamedRetry(jobTitle(job))} />
          <NarrowFigures job={job} />
        </div>
      ),
    },
    { key: 'status', head: t('Status'), cell: (job) => <Status job={job} /> },
    { key: 'total', head: t('Recipients'), ...FIGURE, cell: (job) => <Recipients job={job} /> },
    { key: 'sent', head: STATE_WORDS.Sent, ...FIGURE, cell: (job) => <Sent job={job} /> },
    {
      key: 'delivered',
      head: STATE_WORDS.Delivered,
      ...FIGURE,
      cell: (job) => <Rate job={job} part={job.delivered} />,
    },
    { key: 'read', head: STATE_WORDS.Read, ...FIGURE, cell: (job) => <Rate job={job} part={job.read} /> },
    { key: 'failed', head: STATE_WORDS.Failed, ...FIGURE, cell: (job) => <Failed job={job} /> },
  ];
}

/** The jobs with the name and template of an older one in the list: only these look like the job that they may retry. */
function repeatedIn(newestFirst: readonly BulkJobDto[]): ReadonlySet<string> {
  const [seen, repeated] = [new Set<string>(), new Set<string>()];
  for (const job of [...newestFirst].reverse()) {
    const key = JSON.stringify([job.name, job.templateName]);
    if (seen.has(key)) repeated.add(job.jobId);
    seen.add(key);
  }
  return repeated;
}

/** The template of a named job, its reference or where its recipients are from, and its age. */
function Subtitle({ job, mayRetry }: { job: BulkJobDto; mayRetry: boolean }) {
  // Lists do not say of which job one is a retry, and that never changes.
  const { data } = useQuery({
    ...jobQuery(job.jobId),
    ...{ enabled: mayRetry, retry: false, staleTime: Infinity, refetchOnWindowFocus: false },
  });
  const source =
    job.reference ?? (job.kind === 'Import' ? t('From a file', {}, 'in a line') : t('To a group', {}, 'in a line'));
  const sources = data?.retryOf ? [t('Retry', {}, 'a job'), job.reference] : [source];
  const words = [job.name !== null && job.templateName, ...sources, job.languageCode].filter(Boolean).join(', ');
  return (
    <span className="cell-sub">
      <span className="jobs-source" dir="auto" title={words}>
        {words}
      </span>
      {' · '}
      <Time at={job.createdAt} />
    </span>
  );
}

/** The status of a job, with its progress on wide screens. */
function Status({ job }: { job: BulkJobDto }) {
  const isNarrow = useNarrow(CARDS_PX);
  return (
    <>
      <JobBadge job={job} />
      {!isNarrow && <Progress job={job} />}
    </>
  );
}

function NarrowFigures({ job }: { job: BulkJobDto }) {
  const { sent, failed } = useJobCounts(job);
  const isNarrow = useNarrow(CARDS_PX);
  if (!isNarrow) return null;
  return (
    <div className="jobs-narrow">
      <Progress job={job} />
      <p>
        {t('{count, number} sent', { count: sent })}
        {sent > 0 && (
          <span>
            {t('{delivered} delivered, {read} read', {
              delivered: share(job.delivered ?? 0, sent),
              read: share(job.read ?? 0, sent),
            })}
          </span>
        )}
        {failed > 0 && <span className="jobs-failed">{t('{count, number} failed', { count: failed })}</span>}
      </p>
    </div>
  );
}

/** The progress of a job that is not complete. */
function Progress({ job }: { job: BulkJobDto }) {
  const counts = useJobCounts(job);
  if (job.status === 'Completed') return null;
  return (
    <div className="jobs-progress">
      <JobBar job={job} counts={counts} />
      <span>{counts.unsorted > 0 ? UNKNOWN : share(counts.processed, counts.valid)}</span>
    </div>
  );
}

function Recipients({ job }: { job: BulkJobDto }) {
  const { invalidRows = 0, skipped: optedOut = 0 } = job;
  const notes = [
    ...(invalidRows > 0 ? [t('plus {count, number} invalid', { count: invalidRows })] : []),
    ...(optedOut > 0 ? [t('{count, number} opted out', { count: optedOut })] : []),
  ];
  return (
    <>
      {count(validRecipients(job))}
      {notes.length > 0 && (
        <span className="cell-sub jobs-notes" title={notes.join(' · ')}>
          {notes.join(' · ')}
        </span>
      )}
    </>
  );
}

function Sent({ job: { successfullySent, undelivered = 0 } }: { job: BulkJobDto }) {
  return (
    <>
      {count(successfullySent)}
      {undelivered > 0 && (
        <span className="cell-sub">{t('{count, number} not delivered', { count: undelivered })}</span>
      )}
    </>
  );
}

/** A part of the sent messages, in percent and as a count. */
function Rate({ job: { successfullySent: sent }, part = 0 }: { job: BulkJobDto; part: number | undefined }) {
  if (sent === 0) return '–';
  return (
    <>
      {share(part, sent)}
      <span className="cell-sub">{count(part)}</span>
    </>
  );
}

/** The failures of a job and, apart from them, who stayed unconfirmed. */
function Failed({ job }: { job: BulkJobDto }) {
  const { failed, unconfirmed, unsorted } = useJobCounts(job);
  return (
    <>
      <span className={failed > 0 ? 'jobs-failed' : undefined}>{unsorted > 0 ? UNKNOWN : count(failed)}</span>
      {unconfirmed > 0 && <span className="cell-sub">{t('{count, number} unconfirmed', { count: unconfirmed })}</span>}
    </>
  );
}
