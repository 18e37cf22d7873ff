import { useState } from 'react';
import { Link } from 'wouter';
import { listMessages } from '../../../client/generated/sdk.gen';
import type { ListMessagesData, MessageDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { EXPLAINED_CODES } from '../../api/explanations';
import { useCursorList } from '../../app/cursor-list';
import { useUrlFilters } from '../../app/url-filters';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Combobox } from '../../ui/combobox';
import { CursorRows } from '../../ui/cursor-rows';
import { Input } from '../../ui/field';
import { humanize } from '../../ui/format';
import { PageHeader } from '../../ui/page-header';
import { Panel } from '../../ui/panel';
import { PhoneNumber } from '../../ui/phone-number';
import { Select } from '../../ui/select';
import { AsOf, Time } from '../../ui/time';
import { hasFailed, STATUS_LABELS } from './message-labels';

type Query = NonNullable<ListMessagesData['query']>;

const NO_FILTERS = { to: '', jobId: '', reference: '', status: '', errorCode: '', from: '', until: '' };
type Filters = typeof NO_FILTERS;

/** Message search by number, job, reference, status, error and time. */
export default function MessagesScreen() {
  const [filters, setFilters] = useUrlFilters(NO_FILTERS);
  const list = useCursorList<MessageDto>({
    key: queryKeys.messages.list(filters),
    load: (cursor, signal) => call(listMessages, { query: { ...queryOf(filters), cursor, limit: 100 } }, { signal }),
    idOf: ({ id }) => id,
    orderOf: ({ createdAt }) => createdAt,
  });
  const isFiltered = Object.values(filters).some((value) => value !== '');
  return (
    <>
      <PageHeader
        title="Message search"
        lead="The status of every message, and why some failed."
        asOf={<AsOf at={list.updatedAt} />}
      />
      <FilterForm key={JSON.stringify(filters)} filters={filters} onFilter={setFilters} />
      <Panel
        title={filters.to ? 'Messages of this number' : isFiltered ? 'Matching messages' : 'Latest messages'}
        flush
      >
        <CursorRows
          list={list}
          label="Messages"
          rowHeight={68}
          height={640}
          row={(message) => <MessageRow message={message} />}
          empty={
            isFiltered
              ? {
                  title: 'No matches',
                  hint: 'Change or clear the filters. Messages are deleted after the retention period.',
                }
              : { title: 'No messages yet', hint: 'Sent and received messages appear here.', icon: 'chat' }
          }
        />
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

/** The filter form; filters are applied together on submit. */
function FilterForm({ filters, onFilter }: { filters: Filters; onFilter: (change: Filters) => void }) {
  const [draft, setDraft] = useState(filters);
  const change = (field: keyof Filters) => (value: string | null) => setDraft({ ...draft, [field]: value ?? '' });
  return (
    <form
      className="message-filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const trimmed = Object.entries(draft).map(([field, value]) => [field, value.trim()]);
        onFilter(Object.fromEntries(trimmed) as Filters);
      }}
    >
      <Input label="Phone number" type="tel" placeholder="+49 151 12345678" value={draft.to} onChange={change('to')} />
      <Input label="Reference" value={draft.reference} onChange={change('reference')} />
      <Input label="Job" placeholder="Job ID" value={draft.jobId} onChange={change('jobId')} />
      <Select
        label="Status"
        value={draft.status}
        onChange={change('status')}
        choices={[
          { value: '', label: 'Any' },
          ...Object.keys(STATUS_LABELS).map((status) => ({ value: status, label: status })),
        ]}
      />
      <Combobox
        label="Error"
        placeholder="Any"
        value={draft.errorCode || null}
        onChange={change('errorCode')}
        choices={EXPLAINED_CODES.map((code) => ({ value: code, label: humanize(code) }))}
      />
      <Input label="From" type="datetime-local" value={draft.from} onChange={change('from')} />
      <Input label="Until" type="datetime-local" value={draft.until} onChange={change('until')} />
      <div className="row message-filters-do">
        <Button type="submit" variant="primary" icon="search">
          Search
        </Button>
        <Button variant="quiet" onClick={() => onFilter(NO_FILTERS)}>
          Clear
        </Button>
      </div>
    </form>
  );
}

function MessageRow({ message }: { message: MessageDto }) {
  const { id, direction, contactPhone, userId, renderedText, type, status, error, createdAt } = message;
  const last = message.statusHistory.at(-1)?.at;
  return (
    <div className="message-row">
      <div className="message-row-who">
        <Link to={`/messages/${id}`} className="row-link">
          <span className="hint">{direction === 'Inbound' ? 'From ' : 'To '}</span>
          {contactPhone ? <PhoneNumber value={contactPhone} /> : (userId ?? 'erased')}
        </Link>
        <Time at={createdAt} as="clock" />
      </div>
      <span className="message-row-text" dir="auto">
        {renderedText ?? type}
      </span>
      <div className="message-row-state">
        <Badge>{status}</Badge>
        {hasFailed(status) && error ? (
          <span className="hint cut">{humanize(error.code)}</span>
        ) : (
          last && <Time at={last} />
        )}
      </div>
    </div>
  );
}
