import { useQuery } from '@tanstack/react-query';
import { getAccount } from '../../../client/generated/sdk.gen';
import type { AccountDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import type { ScreenProps } from '../../app/screen-props';
import { rich, t } from '../../language/translate';
import { pace } from '../../ui/format';
import { ButtonLink, Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Fact, Facts, Panel } from '../../ui/panel';
import { Loaded, Note } from '../../ui/states';
import { AsOf, Time } from '../../ui/time';
import { AccountActions } from './account-actions';
import { AccountKeys } from './account-keys';
import { AccountSenders } from './account-senders';
import { AccountState } from './accounts-screen';
import { tierLabel } from './tier-label';

/** One account, for the operator: status, phone numbers and keys. */
export default function AccountScreen({ params }: ScreenProps) {
  const accountId = params.accountId ?? '';
  const account = useQuery({
    queryKey: queryKeys.accounts.one(accountId),
    queryFn: ({ signal }) => call(getAccount, { path: { accountId } }, { signal }),
  });
  return (
    <>
      <PageHeader
        title={account.data?.name ?? t('Account')}
        asOf={<AsOf at={account.dataUpdatedAt} />}
        actions={
          <>
            <ButtonLink to="/accounts" variant="quiet" icon="left">
              {t('All accounts')}
            </ButtonLink>
            {account.data && <AccountActions account={account.data} />}
          </>
        }
      />
      <Loaded query={account}>
        {(found) => (
          <>
            {found.sendingPaused && (
              <Note tone="warning">{t('Sending is stopped: no messages are sent until you resume sending.')}</Note>
            )}
            {found.status === 'Suspended' && (
              <Note tone="danger">
                {t('The account is suspended: its requests are rejected, and nothing is sent.')}
              </Note>
            )}
            <div className="columns">
              <StatusPanel account={found} />
              <Sender account={found} />
            </div>
            <AccountSenders accountId={accountId} />
            <AccountKeys accountId={accountId} />
          </>
        )}
      </Loaded>
    </>
  );
}

function StatusPanel({ account }: { account: AccountDto }) {
  return (
    <Panel title={t('Details')}>
      <Facts>
        <Fact label={t('Status')}>
          <AccountState account={account} />
        </Fact>
        <Fact label={t('Plan')}>{account.plan}</Fact>
        <Fact label={t('Created')}>
          <Time at={account.createdAt} as="exact" />
        </Fact>
        <Fact label={t('Last changed')}>
          <Time at={account.updatedAt} />
        </Fact>
        <Fact label={t('ID')}>
          <code>{account.id}</code>
        </Fact>
        <Fact label={t('Activity')}>
          <Link to={`/audit?account=${account.id}`}>{t('Audit log of this account')}</Link>
        </Fact>
      </Facts>
    </Panel>
  );
}

function Sender({ account: { sender, defaultCountry } }: { account: AccountDto }) {
  return (
    <Panel title={t('Phone number')}>
      {sender ? (
        <Facts>
          <Fact label={t('Number')}>{sender.displayPhoneNumber ?? t('Not synced yet')}</Fact>
          <Fact label={t('Pace')}>{t('up to {pace}', { pace: pace(sender.messagesPerSecond) })}</Fact>
          <Fact label={t('Messaging tier')}>{tierLabel(sender.messagingTier)}</Fact>
          <Fact label={t('Number ID')}>
            <code>{sender.phoneNumberId}</code>
          </Fact>
          <Fact label={t('Business account ID')}>
            <code>{sender.businessAccountId}</code>
          </Fact>
          <Fact label={t('Default country')}>{defaultCountry ?? t('None: numbers need a country code')}</Fact>
        </Facts>
      ) : (
        <Note tone="warning">
          {rich('This account has no phone number and cannot send. Add one with <code>PATCH /accounts/…</code>.', {
            code: (text) => <code>{text}</code>,
          })}
        </Note>
      )}
    </Panel>
  );
}
