import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useLive, useLiveness, usePollInterval } from '../../app/live';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
import { Badge } from '../../ui/badge';
import { Input } from '../../ui/field';
import { Button } from '../../ui/button';
import { count } from '../../ui/format';
import { ButtonLink, Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Pager } from '../../ui/pager';
import { Panel } from '../../ui/panel';
import { Select } from '../../ui/select';
import { Empty, Loaded, Loading } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { AsOf, Time } from '../../ui/time';
import { listBulkJobs } from '../../../client/generated/sdk.gen';
import type { BulkJobDto } from '../../../client/generated/types.gen';
import { JobBar } from '../job/job-bar';
import { useNotAttempted } from '../job/use-failures';
import { progressText, isMoving } from '../job/use-job';

type Status = BulkJobDto['status'];

const STATUSES: readonly { value: Status | ''; label: string }[] = [
  { value: '', label: 'All statuses' },
  { value: 'Scheduled', label: 'Scheduled' },
  { value: 'Queued', label: 'Queued' },
  { value: 'Processing', label: 'Processing' },
  { value: 'Paused', label: 'Paused' },
  { value: 'Completed', label: 'Completed' },
  { value: 'Failed', label: 'Failed' },
  { value: 'Cancelled', label: 'Cancelled' },
];

const KINDS: readonly { value: BulkJobDto['kind'] | ''; label: string }[] = [
  { value: '', label: 'Files and groups' },
  { value: 'Import', label: 'From files' },
  { value: 'Group', label: 'To groups' },
];

const COLUMNS: readonly Column<BulkJobDto>[] = [
  {
    key: 'job',
    head: 'Job',
    cell: (job) => (
      <>
        <Link to={`/jobs/${job.jobId}`} className="row-link">
          {job.templateName}
        </Link>
        <span className="cell-sub" dir="auto">
          {job.name ?? job.reference ?? `${job.kind === 'Import' ? 'From a file' : 'To a group'}, ${job.languageCode}`}
        </span>
      </>
    ),
  },
  { key: 'status', head: 'Status', cell: (job) => <Badge>{job.status}</Badge> },
  {
    key: 'progress',
    head: 'Progress',
    cell: (job) => <Progress job={job} />,
  },
  { key: 'total', head: 'Recipients', align: 'end', wideOnly: true, cell: (job) => count(job.totalRecipients) },
  { key: 'sent', head: 'Sent', align: 'end', wideOnly: true, cell: (job) => count(job.successfullySent) },
  {
    key: 'failed',
    head: 'Failed',
    align: 'end',
    wideOnly: true,
    cell: (job) => <Failed job={job} />,
  },
  { key: 'created', head: 'Created', align: 'end', wideOnly: true, cell: (job) => <Time at={job.createdAt} /> },
];

/** All jobs, newest first. */
export default function JobsScreen() {
  const session = useSession();
  const queries = useQueryClient();
  const liveness = useLiveness();
  const [filters, setFilters] = useUrlFilters({ status: '', kind: '', reference: '', page: '1' });
  const poll = usePollInterval(true);
  const jobs = useQuery({
    queryKey: queryKeys.jobs.list(filters),
    queryFn: ({ signal }) =>
      call(
        listBulkJobs,
        {
          query: {
            page: Number(filters.page),
            ...(filters.status && { status: filters.status as Status }),
            ...(filters.kind && { kind: filters.kind as BulkJobDto['kind'] }),
            ...(filters.reference && { reference: filters.reference }),
          },
        },
        { signal },
      ),
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => (state.data?.items.some(isMoving) ? poll : false),
  });
  useLive('job', (event) => {
    const current = jobs.data?.items.find(({ jobId }) => jobId === event.jobId);
    // A new job or a status change may change which jobs match the filters.
    if (current?.status !== event.status) void queries.invalidateQueries({ queryKey: queryKeys.jobs.all });
    else {
      queries.setQueryData<typeof jobs.data>(
        queryKeys.jobs.list(filters),
        (list) => list && { ...list, items: list.items.map((job) => (job.jobId === event.jobId ? event : job)) },
      );
    }
  });
  const isFiltered = Boolean(filters.status || filters.kind || filters.reference);

  return (
    <>
      <PageHeader
        title="Jobs"
        lead="Each job sends one template to many recipients."
        asOf={<AsOf at={jobs.dataUpdatedAt} live={liveness === 'live'} />}
      />
      <div className="filters" role="search" aria-label="Filter jobs">
        <Select
          label="Status"
          value={filters.status}
          choices={STATUSES}
          onChange={(status) => setFilters({ status })}
        />
        <Select label="Kind" value={filters.kind} choices={KINDS} onChange={(kind) => setFilters({ kind })} />
        <Input
          label="Reference"
          type="search"
          placeholder="Exact match"
          value={filters.reference}
          onChange={(reference) => setFilters({ reference })}
        />
      </div>
      <Panel title="Jobs, newest first" flush>
        <Loaded
          query={jobs}
          loading={
            <div className="jobs-loading">
              <Loading rows={6} />
            </div>
          }
        >
          {(found) =>
            found.items.length === 0 ? (
              <Empty
                icon="jobs"
                title={isFiltered ? 'No matching jobs' : 'No jobs yet'}
                hint={isFiltered ? undefined : 'Send a template to a file or a group; the job appears here.'}
              >
                {isFiltered ? (
                  <Button onClick={() => setFilters({ status: '', kind: '', reference: '' })}>Show all jobs</Button>
                ) : (
                  session.can('messaging:send') && (
                    <ButtonLink to="/send/campaign" variant="primary" icon="send">
                      New campaign
                    </ButtonLink>
                  )
                )}
              </Empty>
            ) : (
              <>
                <Table label="Jobs" columns={COLUMNS} rows={found.items} rowKey={({ jobId }) => jobId} />
                <Pager
                  page={found.page}
                  totalPages={found.totalPages}
                  totalCount={found.totalCount}
                  onPage={(page) => setFilters({ page: String(page) })}
                />
              </>
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}

function Progress({ job }: { job: BulkJobDto }) {
  const notAttempted = useNotAttempted(job);
  return (
    <div className="jobs-progress">
      <JobBar job={job} notAttempted={notAttempted} />
      <span>{progressText(job, notAttempted)}</span>
    </div>
  );
}

function Failed({ job }: { job: BulkJobDto }) {
  const failed = job.failed - useNotAttempted(job);
  return <span className={failed > 0 ? 'jobs-failed' : undefined}>{count(failed)}</span>;
}
