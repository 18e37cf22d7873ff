import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { listMessages } from '../../../client/generated/sdk.gen';
import type { ListMessagesData, MessageDto } from '../../../client/generated/types.gen';
import { call, isPhoneError } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { EXPLAINED_CODES } from '../../api/explanations';
import { useCursorList } from '../../app/cursor-list';
import { jobChoice, useRecentJobs } from '../../app/recent-jobs';
import { PhoneIncomplete, SearchedPhoneNote, useSearchedPhone } from '../../app/phone-field';
import { useSession } from '../../app/session';
import { StateBadge } from '../../app/state-badge';
import { hasFailed, MESSAGE_MEANINGS, stateChoices } from '../../app/states';
import { textOf } from '../../app/vocabulary';
import { useUrlFilters } from '../../app/url-filters';
import { Button } from '../../ui/button';
import { Combobox } from '../../ui/combobox';
import { CursorRows } from '../../ui/cursor-rows';
import { Input } from '../../ui/field';
import { errorTitle } from '../../api/error-title';
import { rich, t } from '../../language/translate';
import { PageHeader } from '../../ui/page-header';
import { Panel } from '../../ui/panel';
import { PhoneNumber } from '../../ui/phone-number';
import { SearchField } from '../../ui/search-field';
import { Select } from '../../ui/select';
import { AsOf, Time } from '../../ui/time';
import { useNarrow } from '../../ui/use-narrow';

type Query = NonNullable<ListMessagesData['query']>;

const NO_FILTERS = { to: '', jobId: '', reference: '', status: '', errorCode: '', from: '', until: '' };
type Filters = typeof NO_FILTERS;

/** Message search by recipient, job, reference, status, error and time. */
export default function MessagesScreen() {
  const [filters, setFilters] = useUrlFilters(NO_FILTERS);
  const searched = useSearchedPhone(filters.to);
  const isIncomplete = filters.to !== '' && searched.number === null;
  const wanted = { ...filters, to: searched.number ?? '' };
  const list = useCursorList<MessageDto>({
    key: queryKeys.messages.list(wanted),
    enabled: !isIncomplete,
    load: (cursor, signal) => call(listMessages, { query: { ...queryOf(wanted), cursor, limit: 100 } }, { signal }),
    idOf: ({ id }) => id,
    orderOf: ({ createdAt }) => createdAt,
  });
  const isRefused = isPhoneError(list.error);
  const isFiltered = Object.values(filters).some((value) => value !== '');
  return (
    <>
      <PageHeader
        title={t('Message search')}
        lead={t('The status of every message, and why some failed.')}
        asOf={<AsOf at={list.updatedAt} />}
      />
      <FilterFields filters={filters} isFiltered={isFiltered} onFilter={setFilters}>
        <SearchedPhoneNote searched={searched} isRefused={isRefused} />
      </FilterFields>
      <Panel
        title={filters.to ? t('Messages to this number') : isFiltered ? t('Matching messages') : t('Latest messages')}
        flush
      >
        {isIncomplete || isRefused ? (
          <PhoneIncomplete />
        ) : (
          <CursorRows
            list={list}
            label={t('Messages')}
            rowHeight={68}
            row={(message) => <MessageRow message={message} />}
            empty={
              isFiltered
                ? {
                    title: t('No matches'),
                    hint: t('Change or clear the filters. Messages are deleted after the retention period.'),
                  }
                : { title: t('No messages yet'), hint: t('Sent and received messages appear here.'), icon: 'chat' }
            }
          />
        )}
      </Panel>
    </>
  );
}

function queryOf({ to, jobId, reference, status, errorCode, from, until }: Filters): Query {
  return {
    ...(to && { to }),
    ...(jobId && { jobId }),
    ...(reference && { reference }),
    ...(status && { status: status as Query['status'] }),
    ...(errorCode && { errorCode: errorCode as Query['errorCode'] }),
    ...(from && { createdAfter: new Date(from).toISOString() }),
    ...(until && { createdBefore: new Date(until).toISOString() }),
  };
}

function FilterFields({
  filters,
  isFiltered,
  onFilter,
  children,
}: {
  filters: Filters;
  isFiltered: boolean;
  onFilter: (change: Partial<Filters>) => void;
  /** How the number is read. */
  children: ReactNode;
}) {
  const session = useSession();
  const recent = useRecentJobs().map(jobChoice);
  // A link may lead to the messages of an older job.
  const isOlder = filters.jobId !== '' && recent.every(({ value }) => value !== filters.jobId);
  const isNarrow = useNarrow();
  const set = Object.entries(filters).filter(([name, value]) => name !== 'to' && value !== '').length;
  const jobs = isOlder ? [...recent, { value: filters.jobId, label: filters.jobId }] : recent;
  const others = (
    <>
      <SearchField
        label={t('Reference')}
        hiddenLabel={false}
        placeholder={t('Exact match')}
        value={filters.reference}
        onChange={(reference) => onFilter({ reference })}
      />
      {session.can('jobs:read') && (
        <Combobox
          label={t('Job')}
          placeholder={t('Any')}
          value={filters.jobId || null}
          onChange={(jobId) => onFilter({ jobId: jobId ?? '' })}
          choices={jobs}
        />
      )}
      <Select
        label={t('Status')}
        value={filters.status}
        onChange={(status) => onFilter({ status })}
        choices={stateChoices(t('Any'), Object.keys(MESSAGE_MEANINGS) as MessageDto['status'][])}
      />
      <Combobox
        label={t('Error')}
        placeholder={t('Any')}
        value={filters.errorCode || null}
        onChange={(errorCode) => onFilter({ errorCode: errorCode ?? '' })}
        choices={EXPLAINED_CODES.map((code) => ({ value: code, label: errorTitle(code) }))}
      />
      <Input
        label={t('From', {}, 'start of a period')}
        type="datetime-local"
        value={filters.from}
        onChange={(from) => onFilter({ from })}
      />
      <Input
        label={t('Until', {}, 'end of a period')}
        type="datetime-local"
        value={filters.until}
        onChange={(until) => onFilter({ until })}
      />
    </>
  );
  return (
    <div className="message-filters" role="search" aria-label={t('Message search')}>
      <div className="stack">
        <SearchField
          label={t('Sent to', {}, 'a phone number')}
          hiddenLabel={false}
          placeholder="+49 151 12345678"
          value={filters.to}
          onChange={(to) => onFilter({ to })}
        />
        {children}
      </div>
      {isNarrow ? (
        <details className="message-filters-more">
          <summary>{set === 0 ? t('Filters') : t('Filters ({count, number})', { count: set })}</summary>
          <div className="message-filters-fields">{others}</div>
        </details>
      ) : (
        others
      )}
      {isFiltered && (
        <div className="row message-filters-do">
          <Button variant="quiet" onClick={() => onFilter(NO_FILTERS)}>
            {t('Clear', {}, 'filters')}
          </Button>
        </div>
      )}
    </div>
  );
}

function MessageRow({ message }: { message: MessageDto }) {
  const { id, direction, contactPhone, userId, status, error, createdAt } = message;
  const last = message.statusHistory.at(-1)?.at;
  return (
    <div className="message-row">
      <div className="message-row-who">
        <Link to={`/messages/${id}`} className="row-link">
          {rich(direction === 'Inbound' ? '<hint>From</hint> {person}' : '<hint>To</hint> {person}', {
            hint: (text) => <span className="hint">{text}</span>,
            person: contactPhone ? <PhoneNumber value={contactPhone} /> : (userId ?? t('erased', {}, 'a phone number')),
          })}
        </Link>
        <Time at={createdAt} as="clock" />
      </div>
      <span className="message-row-text" dir="auto">
        {textOf(message)}
      </span>
      <div className="message-row-state">
        <StateBadge state={status} />
        {hasFailed(status) && error ? (
          <span className="hint cut">{errorTitle(error.code)}</span>
        ) : (
          last && <Time at={last} />
        )}
      </div>
    </div>
  );
}
