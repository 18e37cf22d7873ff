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

/** What the three screens of a job have in common: its name, its state, what can be done, and the ways between them. */
export function JobFrame({ jobId, children }: { jobId: string; children: (job: BulkJobDetailDto) => ReactNode }) {
  const job = useJob(jobId);
  const liveness = useLiveness();
  if (job.isError && asMessagingError(job.error).code === 'job_not_found') {
    return (
      <>
        <PageHeader title="No such job" />
        <Empty icon="jobs" title="This account has no job of this id">
          <ButtonLink to="/jobs">To the jobs</ButtonLink>
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
      {found && <Ways job={found} />}
      <Loaded query={job} loading={<Loading rows={8} label="Loading the job" />}>
        {children}
      </Loaded>
    </>
  );
}

function Lead({ job }: { job: BulkJobDetailDto }) {
  const from = job.retryOf
    ? 'Retry of another job'
    : (job.fileName ?? (job.kind === 'Group' ? 'To a group' : 'From a file'));
  return (
    <div className="row">
      <Badge>{job.status}</Badge>
      <bdi>{from}</bdi>
      <span>{job.languageCode}</span>
      {job.reference && <bdi>{job.reference}</bdi>}
    </div>
  );
}

function Ways({ job }: { job: BulkJobDetailDto }) {
  const [path] = useLocation();
  const at = `/jobs/${job.jobId}`;
  const ways = [
    { to: at, label: 'Progress' },
    { to: `${at}/recipients`, label: `Recipients ${count(job.totalRecipients)}` },
    { to: `${at}/failures`, label: `Failures ${count(job.failed + job.undelivered)}` },
  ];
  return (
    <nav className="tabs" aria-label="Parts of the job">
      {ways.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          className="tab job-way"
          aria-current={to === path ? 'page' : undefined}
          data-active={to === path || undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
