import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { jobTitle } from '../../app/job-title';
import { useLive, useLiveness, usePollInterval } from '../../app/live';
import { useSession } from '../../app/session';
import { STATE_WORDS, stateChoices } from '../../app/states';
import { useUrlFilters } from '../../app/url-filters';
import { Input } from '../../ui/field';
import { SearchField } from '../../ui/search-field';
import { Button } from '../../ui/button';
import { t } from '../../language/translate';
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
import { JobBadge } from '../job/job-badge';
import { JobBar } from '../job/job-bar';
import { RetryMark } from '../job/retry-mark';
import { useNotAttempted } from '../job/use-failures';
import { failedOf, hasBegun, progressText, isMoving } from '../job/use-job';

type Status = BulkJobDto['status'];

const STATUSES = stateChoices<Status>(t('All statuses'), [
  'Scheduled',
  'Queued',
  'Processing',
  'Paused',
  'Completed',
  'Failed',
  'Cancelled',
]);

const KINDS: readonly { value: BulkJobDto['kind'] | ''; label: string }[] = [
  { value: '', label: t('Files and groups') },
  { value: 'Import', label: t('From files') },
  { value: 'Group', label: t('To groups') },
];

/** The name of a job, marked if it is a retry. */
function nameColumn(jobs: readonly BulkJobDto[]): Column<BulkJobDto> {
  const repeated = repeatedIn(jobs);
  return {
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
      </>
    ),
  };
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

const OTHER_COLUMNS: readonly Column<BulkJobDto>[] = [
  { key: 'status', head: t('Status'), cell: (job) => <JobBadge job={job} /> },
  {
    key: 'progress',
    head: t('Progress'),
    cell: (job) => <Progress job={job} />,
  },
  { key: 'total', head: t('Recipients'), align: 'end', wideOnly: true, cell: (job) => count(job.totalRecipients) },
  { key: 'sent', head: STATE_WORDS.Sent, align: 'end', wideOnly: true, cell: (job) => count(job.successfullySent) },
  {
    key: 'failed',
    head: STATE_WORDS.Failed,
    align: 'end',
    wideOnly: true,
    cell: (job) => <Failed job={job} />,
  },
  { key: 'created', head: t('Created'), align: 'end', wideOnly: true, cell: (job) => <Time at={job.createdAt} /> },
];

/** All jobs, newest first. */
export default function JobsScreen() {
  const session = useSession();
  const queries = useQueryClient();
  const liveness = useLiveness();
  const [filters, setFilters] = useUrlFilters({ search: '', status: '', kind: '', reference: '', page: '1' });
  const poll = usePollInterval(true);
  const jobs = useQuery({
    queryKey: queryKeys.jobs.list(filters),
    queryFn: ({ signal }) =>
      call(
        listBulkJobs,
        {
          query: {
            page: Number(filters.page),
            ...(filters.search && { search: filters.search }),
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
  const isFiltered = Boolean(filters.search || filters.status || filters.kind || filters.reference);

  return (
    <>
      <PageHeader
        title={t('Jobs')}
        lead={t('Each job sends one template to many recipients.')}
        asOf={<AsOf at={jobs.dataUpdatedAt} live={liveness === 'live'} />}
      />
      <div className="filters" role="search" aria-label={t('Filter jobs')}>
        <SearchField
          label={t('Name')}
          hiddenLabel={false}
          placeholder={t('Part of the name')}
          value={filters.search}
          onChange={(search) => setFilters({ search })}
        />
        <Select
          label={t('Status')}
          value={filters.status}
          choices={STATUSES}
          onChange={(status) => setFilters({ status })}
        />
        <Select
          label={t('Kind', {}, 'of a job')}
          value={filters.kind}
          choices={KINDS}
          onChange={(kind) => setFilters({ kind })}
        />
        <Input
          label={t('Reference')}
          type="search"
          placeholder={t('Exact match')}
          value={filters.reference}
          onChange={(reference) => setFilters({ reference })}
        />
      </div>
      <Panel title={t('Jobs, newest first')} flush>
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
                title={isFiltered ? t('No matching jobs') : t('No jobs yet')}
                hint={isFiltered ? undefined : t('Send a template to a file or a group; the job appears here.')}
              >
                {isFiltered ? (
                  <Button onClick={() => setFilters({ search: '', status: '', kind: '', reference: '' })}>
                    {t('Show all jobs')}
                  </Button>
                ) : (
                  session.can('messaging:send') && (
                    <ButtonLink to="/send/campaign" variant="primary" icon="send">
                      {t('New campaign')}
                    </ButtonLink>
                  )
                )}
              </Empty>
            ) : (
              <>
                <Table
                  label={t('Jobs')}
                  columns={[nameColumn(found.items), ...OTHER_COLUMNS]}
                  rows={found.items}
                  rowKey={({ jobId }) => jobId}
                />
                <Pager
                  page={found.page}
                  totalPages={found.totalPages}
                  totalCount={found.totalCount}
                  bounded
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

/** The template of a named job, and its reference or where its recipients are from. */
function subtitle(job: BulkJobDto): string {
  const source = job.reference ?? (job.kind === 'Import' ? t('From a file') : t('To a group'));
  return [...(job.name === null ? [] : [job.templateName]), source, job.languageCode].join(', ');
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
  const failed = failedOf(job, useNotAttempted(job));
  return <span className={failed > 0 && hasBegun(job) ? 'jobs-failed' : undefined}>{count(failed)}</span>;
}
