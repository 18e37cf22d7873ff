import { call, isPhoneError } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useCursorList } from '../../app/cursor-list';
import { PhoneIncomplete, SearchedPhoneNote, useSearchedPhone } from '../../app/phone-field';
import type { ScreenProps } from '../../app/screen-props';
import { StateBadge } from '../../app/state-badge';
import { STATE_WORDS, stateChoices } from '../../app/states';
import { useUrlFilters } from '../../app/url-filters';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { CellLabel } from '../../ui/cell-label';
import { CursorRows } from '../../ui/cursor-rows';
import { t } from '../../language/translate';
import { errorTitle } from '../../api/error-title';
import { Link } from '../../ui/link';
import { PhoneNumber } from '../../ui/phone-number';
import { Panel } from '../../ui/panel';
import { SearchField } from '../../ui/search-field';
import { Select } from '../../ui/select';
import { Time } from '../../ui/time';
import { listBulkJobRecipients } from '../../../client/generated/sdk.gen';
import type { BulkJobDetailDto, JobRecipientDto } from '../../../client/generated/types.gen';
import { isInvalidRow } from './job-counts';
import { JobFrame } from './job-frame';
import { isMoving } from './status-poll';
import { useNarrow } from '../../ui/use-narrow';
import { ProblemText } from './problem-text';

const PAGE = 200;
const ROW_HEIGHT = 44;
/** On a narrow screen the state is above its reason. */
const NARROW_ROW_HEIGHT = 68;
const POLL_MS = 2000;

type Status = JobRecipientDto['status'];

/** The service counts them as failed, and the console apart. */
const INVALID = 'Invalid';

const STATUSES = [
  ...stateChoices<Status>(t('All', {}, 'recipients'), [
    ...(['Pending', 'Sent', 'Delivered', 'Read', 'Undelivered', 'Failed', 'Skipped', 'Unknown', 'Cancelled'] as const),
  ]),
  { value: INVALID, label: t('Invalid') },
];

/** The recipients of a job, as a virtual list. */
export default function RecipientsScreen({ params }: ScreenProps) {
  return <JobFrame jobId={params.jobId!}>{(job) => <Recipients job={job} />}</JobFrame>;
}

function Recipients({ job }: { job: BulkJobDetailDto }) {
  const [filters, setFilters] = useUrlFilters({ status: '', errorCode: '', phone: '' });
  const { jobId } = job;
  const searched = useSearchedPhone(filters.phone);
  const phone = searched.number;
  const isIncomplete = filters.phone !== '' && phone === null;
  const rowHeight = useNarrow() ? NARROW_ROW_HEIGHT : ROW_HEIGHT;
  const list = useCursorList<JobRecipientDto>({
    key: queryKeys.job.recipients(jobId, { ...filters, phone: phone ?? '' }),
    enabled: !isIncomplete,
    load: async (cursor, signal) => {
      const status = filters.status === INVALID ? 'Failed' : filters.status;
      const query = {
        cursor,
        limit: PAGE,
        ...(status && { status: status as Status }),
        ...(filters.errorCode && { errorCode: filters.errorCode }),
        ...(phone && { phone }),
      };
      const { items, nextCursor } = await call(listBulkJobRecipients, { path: { jobId }, query }, { signal });
      if (status !== 'Failed') return { items, nextCursor };
      return { items: items.filter((one) => isInvalidRow(one) === (filters.status === INVALID)), nextCursor };
    },
    idOf: ({ rowNumber }) => String(rowNumber),
    orderOf: ({ rowNumber }) => -rowNumber,
    refetchInterval: isMoving(job) && POLL_MS,
  });
  const isFiltered = Object.values(filters).some((value) => value !== '');
  const isRefused = isPhoneError(list.error);

  return (
    <>
      <div className="filters" role="search" aria-label={t('Filter recipients')}>
        <Select
          label={t('Status')}
          value={filters.status}
          choices={STATUSES}
          onChange={(status) => setFilters({ status })}
        />
        <SearchField
          label={t('Phone number')}
          hiddenLabel={false}
          value={filters.phone}
          onChange={(phone) => setFilters({ phone })}
        />
        {filters.errorCode && (
          <Button icon="close" onClick={() => setFilters({ errorCode: '' })}>
            {errorTitle(filters.errorCode)}
          </Button>
        )}
      </div>
      <SearchedPhoneNote searched={searched} isRefused={isRefused} />
      <Panel title={t('Recipients')} flush>
        {isIncomplete || isRefused ? (
          <PhoneIncomplete />
        ) : (
          <CursorRows
            key={rowHeight}
            list={list}
            label={t('Recipients')}
            rowHeight={rowHeight}
            total={isFiltered ? undefined : job.totalRecipients}
            head={
              <div className="recipient recipients-head list-head" aria-hidden="true">
                <span>{t('Row')}</span>
                <span>{t('Phone')}</span>
                <span>{t('Values')}</span>
                <span>{t('Status')}</span>
                <span>{t('Changed')}</span>
              </div>
            }
            row={(one) => <Recipient one={one} />}
            empty={{
              icon: 'people',
              title: job.recipientsExpiredAt ? t('The recipients have been deleted') : t('No matches'),
              hint: job.recipientsExpiredAt ? t('Recipients are deleted after the retention period.') : undefined,
              children: isFiltered && (
                <Button onClick={() => setFilters({ status: '', errorCode: '', phone: '' })}>
                  {t('Show all recipients')}
                </Button>
              ),
            }}
          />
        )}
      </Panel>
    </>
  );
}

function Recipient({ one }: { one: JobRecipientDto }) {
  const values = one.parameters.map((value) => value || '–').join(' · ');
  return (
    <div className="recipient">
      <span className="hint">
        <CellLabel label={t('Row')} />
        {one.rowNumber}
      </span>
      <span className="recipient-phone">
        <CellLabel label={t('Phone')} />
        {one.phone
          ? numberOf(one, one.phone)
          : (one.userId ?? (
              <span className="hint">{isErased(one) ? t('erased', {}, 'a phone number') : t('empty')}</span>
            ))}
      </span>
      <span className="recipient-values" title={values}>
        {values !== '' && (
          <>
            <CellLabel label={t('Values')} />
            <bdi>{values}</bdi>
          </>
        )}
      </span>
      <span className="recipient-state">
        <CellLabel label={t('Status')} />
        {isInvalidRow(one) ? <Badge tone="warning">{t('Invalid')}</Badge> : <StateBadge state={one.status} />}
        {one.errorCode && errorTitle(one.errorCode) !== STATE_WORDS[one.status] && (
          <span className="hint">
            <ProblemText code={one.errorCode} message={one.errorMessage ?? errorTitle(one.errorCode)} />
          </span>
        )}
      </span>
      <span className="recipient-time">
        <CellLabel label={t('Changed')} />
        <Time at={one.updatedAt} />
      </span>
    </div>
  );
}

/** The number, which leads to the message if there is one. */
function numberOf({ messageId }: JobRecipientDto, phone: string) {
  const number = <PhoneNumber value={phone} />;
  return messageId ? <Link to={`/messages/${messageId}`}>{number}</Link> : number;
}

/** Whether a row without a number is that of an erased person, whose values are erased too, and not one that lacks it in the file. */
function isErased({ errorCode, parameters }: JobRecipientDto): boolean {
  return errorCode !== 'phone_missing' && parameters.length === 0;
}
