import { listAuditLog } from '../../../client/generated/sdk.gen';
import type { AuditEntryDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useCursorList } from '../../app/cursor-list';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
import { Button } from '../../ui/button';
import { CursorTable } from '../../ui/cursor-rows';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Panel } from '../../ui/panel';
import { Select } from '../../ui/select';
import type { Column } from '../../ui/table';
import { AsOf, Time } from '../../ui/time';
import { ACTION_LABELS } from './action-labels';

const HOUR_MS = 3_600_000;
const PERIODS = [
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
  { value: 'all', label: 'All (two years)' },
];

/** Changes to keys, accounts and webhooks, erasures, and console sign-ins. */
export default function AuditScreen() {
  const session = useSession();
  const [filters, setFilters] = useUrlFilters({ period: 'all', account: '' });
  const isOperator = session.can('accounts:manage');
  const list = useCursorList<AuditEntryDto>({
    key: queryKeys.audit(filters),
    load: (cursor, signal) => {
      const query = {
        cursor,
        limit: 50,
        ...(filters.period !== 'all' && { createdAfter: startOf(filters.period) }),
        ...(filters.account !== '' && { accountId: filters.account }),
      };
      return call(listAuditLog, { query }, { signal });
    },
    idOf: ({ id }) => id,
    orderOf: ({ createdAt }) => createdAt,
  });
  return (
    <>
      <PageHeader
        title="Audit log"
        lead="Changes to keys, accounts and webhooks, erasures, and console sign-ins. Values and secrets are not recorded."
        asOf={<AsOf at={list.updatedAt} />}
      />
      <Panel
        title={filters.account === '' ? (isOperator ? 'All accounts' : 'This account') : 'One account'}
        flush
        actions={
          <>
            {filters.account !== '' && (
              <Button small onClick={() => setFilters({ account: '' })}>
                Show all accounts
              </Button>
            )}
            <Select
              label="When"
              hiddenLabel
              value={filters.period}
              choices={PERIODS}
              onChange={(period) => setFilters({ period })}
            />
          </>
        }
      >
        <CursorTable
          list={list}
          label="Audit log"
          columns={isOperator ? [...COLUMNS, ACCOUNT] : COLUMNS}
          rowKey={({ id }) => id}
          what={['entry', 'entries']}
          empty={{ title: 'No entries in this period', icon: 'clock', hint: 'Choose a longer period.' }}
        />
      </Panel>
    </>
  );
}

const COLUMNS: Column<AuditEntryDto>[] = [
  { key: 'at', head: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    key: 'what',
    head: 'Event',
    cell: ({ action, fields }) => (
      <div className="audit-what">
        <span>{ACTION_LABELS[action]}</span>
        {fields.length > 0 && <span className="hint">{fields.join(', ')}</span>}
      </div>
    ),
  },
  {
    key: 'who',
    head: 'Key',
    cell: ({ keyPrefix, accountId, actorAccountId }) => (
      <div className="audit-what">
        {keyPrefix ? <code className="audit-id">mta_{keyPrefix}…</code> : <span className="hint">System</span>}
        {accountId !== actorAccountId && <span className="hint">Operator</span>}
      </div>
    ),
  },
  {
    key: 'from',
    head: 'IP address',
    wideOnly: true,
    cell: ({ address }) => (address ? <code className="audit-id">{address}</code> : <span className="hint">–</span>),
  },
  {
    key: 'target',
    head: 'ID',
    wideOnly: true,
    cell: ({ targetId }) => (targetId ? <Id id={targetId} /> : <span className="hint">–</span>),
  },
];

const ACCOUNT: Column<AuditEntryDto> = {
  key: 'account',
  head: 'Account',
  wideOnly: true,
  cell: ({ accountId }) => (
    <Link to={`/accounts/${accountId}`} className="link">
      <Id id={accountId} />
    </Link>
  ),
};

/** The distinctive end of an id, with the full id as tooltip. */
function Id({ id }: { id: string }) {
  return (
    <code className="audit-id" title={id}>
      …{id.slice(-12)}
    </code>
  );
}

function startOf(hours: string): string {
  // Rounded to minutes, so that a refetch has the same query key.
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  return new Date(now - Number(hours) * HOUR_MS).toISOString();
}
