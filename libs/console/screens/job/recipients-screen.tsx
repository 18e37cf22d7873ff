import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useCursorList } from '../../app/cursor-list';
import type { ScreenProps } from '../../app/screen-props';
import { useUrlFilters } from '../../app/url-filters';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { CursorRows } from '../../ui/cursor-rows';
import { humanize } from '../../ui/format';
import { PhoneNumber } from '../../ui/phone-number';
import { Panel } from '../../ui/panel';
import { SearchField } from '../../ui/search-field';
import { Select } from '../../ui/select';
import { Time } from '../../ui/time';
import { listBulkJobRecipients } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto, JobRecipientDto } from '../../../client/generated/types.gen';
import { JobFrame } from './job-frame';
import { isMoving } from './use-job';

const PAGE = 200;
const ROW_HEIGHT = 44;
const POLL_MS = 2000;

type Status = JobRecipientDto['status'];

const STATUSES: readonly { value: Status | ''; label: string }[] = [
  { value: '', label: 'All' },
  { value: 'Pending', label: 'Not sent yet' },
  { value: 'Sent', label: 'Sent' },
  { value: 'Delivered', label: 'Delivered' },
  { value: 'Read', label: 'Read' },
  { value: 'Undelivered', label: 'Not delivered' },
  { value: 'Failed', label: 'Failed' },
  { value: 'Skipped', label: 'Opted out' },
  { value: 'Unknown', label: 'Unknown' },
  { value: 'Cancelled', label: 'Cancelled' },
];

/** The recipients of a job, as a virtual list. */
export default function RecipientsScreen({ params }: ScreenProps) {
  return <JobFrame jobId={params.jobId!}>{(job) => <Recipients job={job} />}</JobFrame>;
}

function Recipients({ job }: { job: BulkJobDetailDto }) {
  const [filters, setFilters] = useUrlFilters({ status: '', errorCode: '', phone: '' });
  const { jobId } = job;
  const list = useCursorList<JobRecipientDto>({
    key: queryKeys.job.recipients(jobId, filters),
    load: (cursor, signal) => {
      const query = {
        cursor,
        limit: PAGE,
        ...(filters.status && { status: filters.status as Status }),
        ...(filters.errorCode && { errorCode: filters.errorCode as NonNullable<JobRecipientDto['errorCode']> }),
        ...(filters.phone && { phone: filters.phone }),
      };
      return call(listBulkJobRecipients, { path: { jobId }, query }, { signal });
    },
    idOf: ({ rowNumber }) => String(rowNumber),
    orderOf: ({ rowNumber }) => -rowNumber,
    refetchInterval: isMoving(job) && POLL_MS,
  });
  const isFiltered = Boolean(filters.status || filters.errorCode || filters.phone);

  return (
    <>
      <div className="filters" role="search" aria-label="Filter recipients">
        <Select
          label="Status"
          value={filters.status}
          choices={STATUSES}
          onChange={(status) => setFilters({ status })}
        />
        <SearchField
          label="Phone number"
          placeholder="Phone number"
          value={filters.phone}
          onChange={(phone) => setFilters({ phone })}
        />
        {filters.errorCode && (
          <Button icon="close" onClick={() => setFilters({ errorCode: '' })}>
            {humanize(filters.errorCode)}
          </Button>
        )}
      </div>
      <Panel title="Recipients" flush>
        <CursorRows
          list={list}
          label="Recipients"
          rowHeight={ROW_HEIGHT}
          height={560}
          total={isFiltered ? undefined : job.totalRecipients}
          head={
            <div className="recipient recipients-head" aria-hidden="true">
              <span>Row</span>
              <span>Phone</span>
              <span>Values</span>
              <span>Status</span>
              <span>Changed</span>
            </div>
          }
          row={(one) => <Recipient one={one} />}
          empty={{
            icon: 'people',
            title: job.recipientsExpiredAt ? 'The recipients have been deleted' : 'No matches',
            hint: job.recipientsExpiredAt ? 'Recipients are deleted after the retention period.' : undefined,
            children: isFiltered && (
              <Button onClick={() => setFilters({ status: '', errorCode: '', phone: '' })}>Show all recipients</Button>
            ),
          }}
        />
      </Panel>
    </>
  );
}

function Recipient({ one }: { one: JobRecipientDto }) {
  const values = one.parameters.join(' · ');
  return (
    <div className="recipient">
      <span className="hint">{one.rowNumber}</span>
      <span className="recipient-phone">
        {one.phone ? <PhoneNumber value={one.phone} /> : <span className="hint">erased</span>}
      </span>
      <span className="recipient-values" dir="auto" title={values}>
        {values}
      </span>
      <span className="recipient-state">
        <Badge>{one.status}</Badge>
        {one.errorCode && (
          <span className="hint" title={one.errorMessage ?? undefined}>
            {humanize(one.errorCode)}
          </span>
        )}
      </span>
      <span className="recipient-time">
        <Time at={one.updatedAt} />
      </span>
    </div>
  );
}
