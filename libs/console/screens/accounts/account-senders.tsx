import { useQuery } from '@tanstack/react-query';
import { listAccountSenders } from '../../../client/generated/sdk.gen';
import type { SenderStateDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { t } from '../../language/translate';
import { Badge } from '../../ui/badge';
import { pace } from '../../ui/format';
import { Panel } from '../../ui/panel';
import { Loaded } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { tierLabel } from './tier-label';

const COLUMNS: Column<SenderStateDto>[] = [
  {
    key: 'number',
    head: t('Number'),
    cell: ({ displayPhoneNumber, phoneNumberId, ...sender }) => (
      <span className="row">
        <span className="phone">{displayPhoneNumber ?? phoneNumberId}</span>
        {sender.default && <Badge>{t('Default')}</Badge>}
        {sender.problem && <Badge tone="danger">{t('Access token rejected')}</Badge>}
      </span>
    ),
  },
  {
    key: 'pace',
    head: t('Pace'),
    wideOnly: true,
    cell: ({ messagesPerSecond }) => t('up to {pace}', { pace: pace(messagesPerSecond) }),
  },
  { key: 'tier', head: t('Messaging tier'), wideOnly: true, cell: ({ messagingTier }) => tierLabel(messagingTier) },
  {
    key: 'business',
    head: t('Business account ID'),
    wideOnly: true,
    cell: ({ businessAccountId }) => <code>{businessAccountId}</code>,
  },
  { key: 'id', head: t('Sender ID'), wideOnly: true, cell: ({ id }) => <code>{id}</code> },
];

/** The phone numbers of an account that has several. */
export function AccountSenders({ accountId }: { accountId: string }) {
  const senders = useQuery({
    queryKey: [...queryKeys.accounts.one(accountId), 'senders'],
    queryFn: ({ signal }) => call(listAccountSenders, { path: { accountId } }, { signal }),
  });
  return (
    <Loaded query={senders}>
      {({ items }) =>
        items.length > 1 && (
          <Panel title={t('Phone numbers')} flush>
            <Table
              label={t('Phone numbers of the account')}
              columns={COLUMNS}
              rows={items}
              rowKey={({ phoneNumberId }) => phoneNumberId}
            />
          </Panel>
        )
      }
    </Loaded>
  );
}
