import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { call } from '../../api/call';
import type { ScreenProps } from '../../app/screen-props';
import { useUrlFilters } from '../../app/url-filters';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Input } from '../../ui/field';
import { words } from '../../ui/format';
import { PhoneNumber } from '../../ui/phone-number';
import { Panel } from '../../ui/panel';
import { Select } from '../../ui/select';
import { Empty, ErrorLine, ErrorState, Loading } from '../../ui/states';
import { Time } from '../../ui/time';
import { VirtualList } from '../../ui/virtual-list';
import { listBulkJobRecipients } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto, JobRecipientDto } from '../../../client/generated/types.gen';
import { JobFrame } from './job-frame';
import { isMoving } from './use-job';

const PAGE = 200;
const ROW_HEIGHT = 44;
const EVERY_MS = 2000;
/** More than so many pages are not read again while the job runs. */
const REREAD_PAGES = 1;
const TYPING_MS = 300;

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

/** Every recipient of a job, ten or a million of them. */
export default function RecipientsScreen({ params }: ScreenProps) {
  return <JobFrame jobId={params.jobId!}>{(job) => <Recipients job={job} />}</JobFrame>;
}

function Recipients({ job }: { job: BulkJobDetailDto }) {
  const [filters, setFilters] = useUrlFilters({ status: '', errorCode: '', phone: '' });
  const [phone, setPhone] = useState(filters.phone);
  const { jobId } = job;
  useEffect(() => {
    const timer = setTimeout(() => phone !== filters.phone && setFilters({ phone }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [phone, filters.phone, setFilters]);
  const found = useInfiniteQuery({
    queryKey: ['job', jobId, 'recipients', filters],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) =>
      call(
        listBulkJobRecipients,
        {
          path: { jobId },
          query: {
            limit: PAGE,
            ...(pageParam !== undefined && { cursor: pageParam }),
            ...(filters.status && { status: filters.status as Status }),
            ...(filters.errorCode && { errorCode: filters.errorCode as NonNullable<JobRecipientDto['errorCode']> }),
            ...(filters.phone && { phone: filters.phone }),
          },
        },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state }) =>
      isMoving(job) && (state.data?.pages.length ?? 0) <= REREAD_PAGES ? EVERY_MS : false,
    placeholderData: (before) => before,
  });
  const { hasNextPage, isFetching, fetchNextPage } = found;
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const rows = found.data?.pages.flatMap(({ items }) => items) ?? [];
  const isFiltered = Boolean(filters.status || filters.errorCode || filters.phone);
  useEffect(() => {
    // A page of a rare state may be empty before the end.
    if (rows.length === 0) more();
  }, [rows.length, more]);

  return (
    <>
      <div className="filters" role="search" aria-label="Filter the recipients">
        <Select label="State" value={filters.status} choices={STATUSES} onChange={(status) => setFilters({ status })} />
        <Input label="Phone number" type="search" inputMode="tel" value={phone} onChange={setPhone} />
        {filters.errorCode && (
          <Button icon="close" onClick={() => setFilters({ errorCode: '' })}>
            {words(filters.errorCode)}
          </Button>
        )}
      </div>
      <Panel title="Recipients" flush>
        {found.data === undefined && !found.isError && (
          <div className="job-inset">
            <Loading rows={6} />
          </div>
        )}
        {found.data === undefined && found.isError && (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} />
        )}
        {found.data && found.isError && <ErrorLine error={found.error} />}
        {found.data && rows.length === 0 && !hasNextPage && (
          <Empty
            icon="people"
            title={job.recipientsExpiredAt ? 'The recipients have been deleted' : 'Nobody is like this'}
            hint={job.recipientsExpiredAt ? 'They are kept as long as the history of the account.' : undefined}
          >
            {isFiltered && (
              <Button
                onClick={() => {
                  setPhone('');
                  setFilters({ status: '', errorCode: '', phone: '' });
                }}
              >
                Show all recipients
              </Button>
            )}
          </Empty>
        )}
        {rows.length > 0 && (
          <VirtualList
            label="Recipients"
            rows={rows}
            rowHeight={ROW_HEIGHT}
            height={560}
            total={isFiltered ? undefined : job.totalRecipients}
            onEnd={more}
            head={
              <div className="recipient recipients-head" aria-hidden="true">
                <span>Row</span>
                <span>Phone</span>
                <span>Values</span>
                <span>State</span>
                <span>Changed</span>
              </div>
            }
            row={(one) => <Recipient one={one} />}
          />
        )}
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
            {words(one.errorCode)}
          </span>
        )}
      </span>
      <span className="recipient-time">
        <Time at={one.updatedAt} />
      </span>
    </div>
  );
}
