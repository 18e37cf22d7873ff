import { jobTitle } from '../../app/job-title';
import { STATE_WORDS } from '../../app/states';
import { t } from '../../language/translate';
import { count, share } from '../../ui/format';
import { Link } from '../../ui/link';
import type { Column } from '../../ui/table';
import { Time } from '../../ui/time';
import type { BulkJobDto } from '../../../client/generated/types.gen';
import { JobBadge } from '../job/job-badge';
import { JobBar } from '../job/job-bar';
import { RetryMark } from '../job/retry-mark';
import { useJobCounts } from '../job/use-job-counts';
import { useNarrow } from '../job/use-narrow';

/** The columns of every list of jobs. On narrow screens, the figures are below the name. */
export function jobColumns(jobs: readonly BulkJobDto[]): Column<BulkJobDto>[] {
  const repeated = repeatedIn(jobs);
  return [
    {
      key: 'job',
      head: t('Job'),
      cell: (job) => (
        <>
          <Link to={`/jobs/${job.jobId}`} className="row-link">
            <bdi>{jobTitle(job)}</bdi>
          </Link>{' '}
          {repeated.has(job.jobId) && <RetryMark jobId={job.jobId} />}
          <span className="cell-sub" dir="auto">
            {subtitle(job)}
          </span>
          <NarrowFigures job={job} />
        </>
      ),
    },
    { key: 'status', head: t('Status'), cell: (job) => <JobBadge job={job} /> },
    { key: 'progress', head: t('Progress'), wideOnly: true, cell: (job) => <Progress job={job} /> },
    { key: 'total', head: t('Recipients'), align: 'end', wideOnly: true, cell: (job) => <Recipients job={job} /> },
    { key: 'sent', head: STATE_WORDS.Sent, align: 'end', wideOnly: true, cell: (job) => <Sent job={job} /> },
    { key: 'failed', head: STATE_WORDS.Failed, align: 'end', wideOnly: true, cell: (job) => <Failed job={job} /> },
    { key: 'created', head: t('Created'), align: 'end', wideOnly: true, cell: (job) => <Time at={job.createdAt} /> },
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

/** The template of a named job, and its reference or where its recipients are from. */
function subtitle(job: BulkJobDto): string {
  const source = job.reference ?? (job.kind === 'Import' ? t('From a file') : t('To a group'));
  return [...(job.name === null ? [] : [job.templateName]), source, job.languageCode].join(', ');
}

function NarrowFigures({ job }: { job: BulkJobDto }) {
  const { sent, failed } = useJobCounts(job);
  const isNarrow = useNarrow();
  if (!isNarrow) return null;
  return (
    <div className="jobs-narrow">
      <Progress job={job} />
      <p>
        {t('{count, number} sent', { count: sent })}
        {failed > 0 && <span className="jobs-failed">{t('{count, number} failed', { count: failed })}</span>}
      </p>
    </div>
  );
}

function Progress({ job }: { job: BulkJobDto }) {
  const counts = useJobCounts(job);
  return (
    <div className="jobs-progress">
      <JobBar job={job} counts={counts} />
      <span>{share(counts.processed, counts.valid)}</span>
    </div>
  );
}

function Recipients({ job: { totalRecipients, invalidRows = 0 } }: { job: BulkJobDto }) {
  return (
    <>
      {count(totalRecipients)}
      {invalidRows > 0 && (
        <span className="cell-sub">
          {t('{count, plural, one {# invalid row} other {# invalid rows}}', { count: invalidRows })}
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

/** The failures of a job and, apart from them, who opted out or stayed unconfirmed. */
function Failed({ job }: { job: BulkJobDto }) {
  const { failed, optedOut, unconfirmed } = useJobCounts(job);
  return (
    <>
      <span className={failed > 0 ? 'jobs-failed' : undefined}>{count(failed)}</span>
      {optedOut > 0 && <span className="cell-sub">{t('{count, number} opted out', { count: optedOut })}</span>}
      {unconfirmed > 0 && <span className="cell-sub">{t('{count, number} unconfirmed', { count: unconfirmed })}</span>}
    </>
  );
}
