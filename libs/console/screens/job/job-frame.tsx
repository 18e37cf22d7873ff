import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useLiveness } from '../../app/live';
import { Badge } from '../../ui/badge';
import { count } from '../../ui/format';
import { PageHeader } from '../../ui/page-header';
import { Empty, Loaded, Loading } from '../../ui/states';
import { asMessagingError } from '../../api/call';
import { ButtonLink } from '../../ui/link';
import { AsOf } from '../../ui/time';
import type { BulkJobDetailDto } from '../../../client/generated/types.gen';
import { JobActions } from './job-actions';
import { useJob } from './use-job';

/** The common frame of the three job screens: header, actions and tabs. */
export function JobFrame({ jobId, children }: { jobId: string; children: (job: BulkJobDetailDto) => ReactNode }) {
  const job = useJob(jobId);
  const liveness = useLiveness();
  if (job.isError && asMessagingError(job.error).code === 'job_not_found') {
    return (
      <>
        <PageHeader title="Job not found" />
        <Empty icon="jobs" title="This account has no job with this ID">
          <ButtonLink to="/jobs">All jobs</ButtonLink>
        </Empty>
      </>
    );
  }
  const found = job.data;
  return (
    <>
      <PageHeader
        title={found ? found.templateName : 'Job'}
        lead={found && <Lead job={found} />}
        asOf={<AsOf at={job.dataUpdatedAt} live={liveness === 'live'} />}
        actions={found && <JobActions job={found} />}
      />
      {found && <JobTabs job={found} />}
      <Loaded query={job} loading={<Loading rows={8} label="Loading the job" />}>
        {children}
      </Loaded>
    </>
  );
}

function Lead({ job }: { job: BulkJobDetailDto }) {
  const from = job.retryOf ? 'Retry' : (job.fileName ?? (job.kind === 'Group' ? 'To a group' : 'From a file'));
  return (
    <div className="row">
      <Badge>{job.status}</Badge>
      <bdi>{from}</bdi>
      <span>{job.languageCode}</span>
      {job.reference && <bdi>{job.reference}</bdi>}
    </div>
  );
}

function JobTabs({ job }: { job: BulkJobDetailDto }) {
  const [path] = useLocation();
  const base = `/jobs/${job.jobId}`;
  const tabs = [
    { to: base, label: 'Progress' },
    { to: `${base}/recipients`, label: `Recipients ${count(job.totalRecipients)}` },
    { to: `${base}/failures`, label: `Failures ${count(job.failed + job.undelivered)}` },
  ];
  return (
    <nav className="tabs" aria-label="Job">
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
