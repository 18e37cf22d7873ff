import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { jobTitle } from '../../app/job-title';
import { useLiveness } from '../../app/live';
import { rich, t } from '../../language/translate';
import { PageHeader } from '../../ui/page-header';
import { Empty, Loaded, Loading } from '../../ui/states';
import { asMessagingError } from '../../api/call';
import { ButtonLink } from '../../ui/link';
import { AsOf } from '../../ui/time';
import { isOver } from '../../../client/job-events';
import type { BulkJobDetailDto } from '../../../client/generated/types.gen';
import { JobActions } from './job-actions';
import { JobSource } from './job-audience';
import { JobBadge } from './job-badge';
import { notReached } from './job-outcome';
import { JobLink } from './job-link';
import { useJob } from './use-job';

/** The common frame of the three job screens: header, actions and tabs. */
export function JobFrame({ jobId, children }: { jobId: string; children: (job: BulkJobDetailDto) => ReactNode }) {
  const job = useJob(jobId);
  const liveness = useLiveness();
  if (job.isError && asMessagingError(job.error).code === 'job_not_found') {
    return (
      <>
        <PageHeader title={t('Job not found')} />
        <Empty icon="jobs" title={t('This account has no job with this ID')}>
          <ButtonLink to="/jobs">{t('All jobs')}</ButtonLink>
        </Empty>
      </>
    );
  }
  const found = job.data;
  return (
    <>
      <PageHeader
        title={found ? jobTitle(found) : t('Job')}
        lead={found && <Lead job={found} />}
        asOf={<AsOf at={job.dataUpdatedAt} live={liveness === 'live'} />}
        actions={found && <JobActions key={found.jobId} job={found} />}
      />
      {found && <JobTabs job={found} />}
      <Loaded query={job} loading={<Loading rows={8} label={t('Loading the job')} />}>
        {children}
      </Loaded>
    </>
  );
}

function Lead({ job }: { job: BulkJobDetailDto }) {
  return (
    <div className="row">
      <JobBadge job={job} />
      {job.name !== null && <bdi>{job.templateName}</bdi>}
      {job.retryOf === null ? (
        <JobSource job={job} />
      ) : (
        <span>{rich('Retry of {job}', { job: <JobLink jobId={job.retryOf} /> })}</span>
      )}
      <span>{job.languageCode}</span>
      {job.reference && <bdi>{job.reference}</bdi>}
    </div>
  );
}

function JobTabs({ job }: { job: BulkJobDetailDto }) {
  const [path] = useLocation();
  const base = `/jobs/${job.jobId}`;
  const tabs = [
    { to: base, label: isOver(job) ? t('Result') : t('Progress') },
    { to: `${base}/recipients`, label: t('Recipients {count, number}', { count: job.totalRecipients }) },
    { to: `${base}/failures`, label: t('Not reached {count, number}', { count: notReached(job) }) },
  ];
  return (
    <nav className="tabs" aria-label={t('Job')}>
      {tabs.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          className="tab job-tab"
          aria-current={to === path ? 'page' : undefined}
          data-active={to === path || undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
