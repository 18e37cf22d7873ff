import { useQuery } from '@tanstack/react-query';
import { listAccounts } from '../../../client/generated/sdk.gen';
import type { AccountDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
import { t } from '../../language/translate';
import { Badge, toneOf } from '../../ui/badge';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Pager } from '../../ui/pager';
import { Panel } from '../../ui/panel';
import { Empty, Loaded } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { AsOf, Time } from '../../ui/time';

const STATUS_WORDS: Readonly<Record<AccountDto['status'], string>> = {
  Active: t('Active'),
  Suspended: t('Suspended'),
  Deleting: t('Deleting'),
};

/** All accounts of the service, for the operator. */
export default function AccountsScreen() {
  const session = useSession();
  const [filters, setFilters] = useUrlFilters({ page: '1' });
  const accounts = useQuery({
    queryKey: queryKeys.accounts.list(filters),
    queryFn: ({ signal }) => call(listAccounts, { query: { page: Number(filters.page) } }, { signal }),
  });
  const columns: Column<AccountDto>[] = [
    {
      key: 'name',
      head: t('Account'),
      cell: ({ id, name }) => (
        <>
          <Link to={`/accounts/${id}`} className="row-link accounts-name">
            <bdi>{name}</bdi>
          </Link>{' '}
          {id === session.account.id && <Badge tone="active">{t('Yours')}</Badge>}
        </>
      ),
    },
    { key: 'state', head: t('Status'), cell: (account) => <AccountState account={account} /> },
    { key: 'plan', head: t('Plan'), wideOnly: true, cell: ({ plan }) => plan },
    { key: 'number', head: t('Number'), wideOnly: true, cell: ({ sender }) => <PhoneOf sender={sender} /> },
    { key: 'created', head: t('Since'), wideOnly: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  return (
    <>
      <PageHeader
        title={t('Accounts')}
        lead={t('All customers of this service.')}
        asOf={<AsOf at={accounts.dataUpdatedAt} />}
      />
      <Loaded query={accounts}>
        {({ items, page, totalPages, totalCount }) =>
          items.length === 0 ? (
            <Empty title={t('No accounts on this page')} icon="people" />
          ) : (
            <Panel title={t('Accounts')} flush>
              <Table label={t('Accounts')} columns={columns} rows={items} rowKey={({ id }) => id} />
              <Pager {...{ page, totalPages, totalCount }} onPage={(next) => setFilters({ page: String(next) })} />
            </Panel>
          )
        }
      </Loaded>
    </>
  );
}

/** The status of an account, and whether its sending is stopped. */
export function AccountState({ account: { status, sendingPaused } }: { account: AccountDto }) {
  return (
    <span className="row">
      <Badge tone={toneOf(status)}>{STATUS_WORDS[status]}</Badge>
      {sendingPaused && <Badge tone="warning">{t('Sending stopped')}</Badge>}
    </span>
  );
}

function PhoneOf({ sender }: Pick<AccountDto, 'sender'>) {
  if (!sender) return <span className="hint">{t('None (cannot send)')}</span>;
  return <span className="phone">{sender.displayPhoneNumber ?? sender.phoneNumberId}</span>;
}
