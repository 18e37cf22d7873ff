import { listAuditLog } from '../../../client/generated/sdk.gen';
import type { AuditEntryDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useCursorList } from '../../app/cursor-list';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { CursorTable } from '../../ui/cursor-rows';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Panel } from '../../ui/panel';
import { Select } from '../../ui/select';
import type { Column } from '../../ui/table';
import { AsOf, Time } from '../../ui/time';
import { ACTION_LABELS } from './action-labels';
import { fieldWords } from './field-labels';
import { AccountName, Target } from './target';

const ACTIONS = [
  { value: '', label: t('All events') },
  ...Object.entries(ACTION_LABELS).map(([value, label]) => ({ value, label })),
];
const HOUR_MS = 3_600_000;
const PERIODS = [
  { value: '24', label: t('Last 24 hours') },
  { value: '168', label: t('Last 7 days') },
  { value: '720', label: t('Last 30 days') },
  { value: 'all', label: t('All (two years)') },
];

/** Who changed what: jobs, templates, opt-outs, settings, keys, accounts and webhooks, erasures, and console sign-ins. */
export default function AuditScreen() {
  const session = useSession();
  const [filters, setFilters] = useUrlFilters({ period: 'all', account: '', action: '', key: '' });
  const isOperator = session.can('accounts:manage');
  const wanted = {
    ...(filters.period !== 'all' && { createdAfter: startOf(filters.period) }),
    ...(filters.account !== '' && { accountId: filters.account }),
    ...(filters.action !== '' && { action: filters.action as AuditEntryDto['action'] }),
    ...(filters.key !== '' && { keyPrefix: filters.key }),
  };
  const list = useCursorList<AuditEntryDto>({
    key: queryKeys.audit(filters),
    load: (cursor, signal) => {
      const query = { cursor, limit: 50, ...wanted };
      return call(listAuditLog, { query }, { signal });
    },
    idOf: ({ id }) => id,
    orderOf: ({ createdAt }) => createdAt,
  });
  return (
    <>
      <PageHeader
        title={t('Audit log')}
        lead={t(
          'Who did what with jobs, templates, opt-outs, settings, keys, accounts and webhooks. Values and secrets are not recorded.',
        )}
        asOf={<AsOf at={list.updatedAt} />}
      />
      <Panel
        title={filters.account === '' ? (isOperator ? t('All accounts') : t('This account')) : t('One account')}
        flush
        actions={
          <>
            {filters.account !== '' && (
              <Button small onClick={() => setFilters({ account: '' })}>
                {t('Show all accounts')}
              </Button>
            )}
            {filters.key !== '' && (
              <Button small onClick={() => setFilters({ key: '' })}>
                {t('Show all keys')}
              </Button>
            )}
            <a
              className="button"
              data-variant="plain"
              href={`/api/v1/messaging/audit-log/export?${new URLSearchParams(wanted).toString()}`}
              download
            >
              {t('Download as CSV')}
            </a>
            <Select
              label={t('Event')}
              hiddenLabel
              value={filters.action}
              choices={ACTIONS}
              onChange={(action) => setFilters({ action })}
            />
            <Select
              label={t('When')}
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
          label={t('Audit log')}
          columns={isOperator ? [...COLUMNS, ACCOUNT] : COLUMNS}
          rowKey={({ id }) => id}
          shown={(count) => t('{count, plural, one {# entry} other {# entries}}', { count })}
          empty={{ title: t('No entries in this period'), icon: 'clock', hint: t('Choose a longer period.') }}
        />
      </Panel>
    </>
  );
}

const COLUMNS: Column<AuditEntryDto>[] = [
  { key: 'at', head: t('When'), cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    key: 'what',
    head: t('Event'),
    cell: ({ action, fields }) => (
      <div className="audit-what">
        <span>{ACTION_LABELS[action]}</span>
        {fields.length > 0 && <span className="hint">{fieldWords({ fields })}</span>}
      </div>
    ),
  },
  {
    key: 'who',
    head: t('Key'),
    cell: ({ keyPrefix, keyName, accountId, actorAccountId }) => (
      <div className="audit-what">
        {keyPrefix ? (
          <Link to={`/audit?key=${keyPrefix}`} className="link">
            {keyName ?? <code className="audit-id">{`mta_${keyPrefix}…`}</code>}
          </Link>
        ) : (
          <span className="hint">{t('System')}</span>
        )}
        {accountId !== actorAccountId && <span className="hint">{t('Operator')}</span>}
      </div>
    ),
  },
  {
    key: 'from',
    head: t('IP address'),
    wideOnly: true,
    cell: ({ address }) => (address ? <code className="audit-id">{address}</code> : <span className="hint">–</span>),
  },
  {
    key: 'target',
    head: t('Of', {}, 'what an entry of the audit log is about'),
    wideOnly: true,
    cell: (entry) => <Target entry={entry} />,
  },
];

const ACCOUNT: Column<AuditEntryDto> = {
  key: 'account',
  head: t('Account'),
  wideOnly: true,
  cell: ({ accountId }) => <AccountName id={accountId} />,
};

function startOf(hours: string): string {
  // Rounded to minutes, so that a refetch has the same query key.
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  return new Date(now - Number(hours) * HOUR_MS).toISOString();
}
