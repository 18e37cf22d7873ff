import { useLiveness } from '../../app/live';
import { useSession } from '../../app/session';
import { stateChoices } from '../../app/states';
import { useUrlFilters } from '../../app/url-filters';
import { Input } from '../../ui/field';
import { SearchField } from '../../ui/search-field';
import { Button } from '../../ui/button';
import { t } from '../../language/translate';
import { ButtonLink } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Pager } from '../../ui/pager';
import { Panel } from '../../ui/panel';
import { Select } from '../../ui/select';
import { Empty, Loaded, Loading } from '../../ui/states';
import { Table } from '../../ui/table';
import { AsOf } from '../../ui/time';
import type { BulkJobDto } from '../../../client/generated/types.gen';
import { jobColumns, RATES } from './job-columns';
import { useJobList } from './use-job-list';

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

/** All jobs, newest first. */
export default function JobsScreen() {
  const session = useSession();
  const liveness = useLiveness();
  const [filters, setFilters] = useUrlFilters({ search: '', status: '', kind: '', reference: '', page: '1' });
  const { search, status, kind, reference, page } = filters;
  const jobs = useJobList({
    page: Number(page),
    ...(search && { search }),
    ...(status && { status: status as Status }),
    ...(kind && { kind: kind as BulkJobDto['kind'] }),
    ...(reference && { reference }),
  });
  const isFiltered = Boolean(search || status || kind || reference);
  const add = session.can('messaging:send') && (
    <ButtonLink to="/send/campaign" variant="primary" icon="send">
      {t('New campaign')}
    </ButtonLink>
  );

  return (
    <>
      <PageHeader
        title={t('Jobs')}
        lead={t('Each job sends one template to many recipients.')}
        asOf={<AsOf at={jobs.dataUpdatedAt} live={liveness === 'live'} />}
        actions={add}
      />
      <div className="filters" role="search" aria-label={t('Filter jobs')}>
        <SearchField
          label={t('Name')}
          hiddenLabel={false}
          placeholder={t('Part of the name')}
          value={search}
          onChange={(next) => setFilters({ search: next })}
        />
        <Select
          label={t('Status')}
          value={status}
          choices={STATUSES}
          onChange={(next) => setFilters({ status: next })}
        />
        <Select
          label={t('Kind', {}, 'of a job')}
          value={kind}
          choices={KINDS}
          onChange={(next) => setFilters({ kind: next })}
        />
        <Input
          label={t('Reference')}
          type="search"
          placeholder={t('Exact match')}
          value={reference}
          onChange={(next) => setFilters({ reference: next })}
        />
      </div>
      <Panel title={t('Jobs, newest first')} actions={<span className="hint">{RATES}</span>} flush>
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
                  add
                )}
              </Empty>
            ) : (
              <>
                <Table
                  label={t('Jobs')}
                  columns={jobColumns(found.items)}
                  rows={found.items}
                  rowKey={({ jobId }) => jobId}
                />
                <Pager
                  page={found.page}
                  totalPages={found.totalPages}
                  totalCount={found.totalCount}
                  bounded
                  onPage={(next) => setFilters({ page: String(next) })}
                />
              </>
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}
