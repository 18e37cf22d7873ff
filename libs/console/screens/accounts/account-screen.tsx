import { useQuery } from '@tanstack/react-query';
import { getAccount } from '../../../client/generated/sdk.gen';
import type { AccountDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import type { ScreenProps } from '../../app/screen-props';
import { count, pace } from '../../ui/format';
import { ButtonLink, Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Fact, Facts, Panel } from '../../ui/panel';
import { Loaded, Note } from '../../ui/states';
import { AsOf, Time } from '../../ui/time';
import { AccountActions } from './account-actions';
import { AccountKeys } from './account-keys';
import { AccountState } from './accounts-screen';

/** One account, for the operator: status, phone number and keys. */
export default function AccountScreen({ params }: ScreenProps) {
  const accountId = params.accountId ?? '';
  const account = useQuery({
    queryKey: queryKeys.accounts.one(accountId),
    queryFn: ({ signal }) => call(getAccount, { path: { accountId } }, { signal }),
  });
  return (
    <>
      <PageHeader
        title={account.data?.name ?? 'Account'}
        asOf={<AsOf at={account.dataUpdatedAt} />}
        actions={
          <>
            <ButtonLink to="/accounts" variant="quiet" icon="left">
              All accounts
            </ButtonLink>
            {account.data && <AccountActions account={account.data} />}
          </>
        }
      />
      <Loaded query={account}>
        {(found) => (
          <>
            {found.sendingPaused && (
              <Note tone="warning">Sending is stopped: no messages are sent until you resume sending.</Note>
            )}
            {found.status === 'Suspended' && (
              <Note tone="danger">The account is suspended: its requests are rejected, and nothing is sent.</Note>
            )}
            <div className="columns">
              <StatusPanel account={found} />
              <Sender account={found} />
            </div>
            <AccountKeys accountId={accountId} />
          </>
        )}
      </Loaded>
    </>
  );
}

function StatusPanel({ account }: { account: AccountDto }) {
  return (
    <Panel title="Details">
      <Facts>
        <Fact label="Status">
          <AccountState account={account} />
        </Fact>
        <Fact label="Plan">{account.plan}</Fact>
        <Fact label="Created">
          <Time at={account.createdAt} as="exact" />
        </Fact>
        <Fact label="Last changed">
          <Time at={account.updatedAt} />
        </Fact>
        <Fact label="ID">
          <code>{account.id}</code>
        </Fact>
        <Fact label="Activity">
          <Link to={`/audit?account=${account.id}`}>Audit log of this account</Link>
        </Fact>
      </Facts>
    </Panel>
  );
}

function Sender({ account: { sender, defaultCountry } }: { account: AccountDto }) {
  return (
    <Panel title="Phone number">
      {sender ? (
        <Facts>
          <Fact label="Number">{sender.displayPhoneNumber ?? 'Not synced yet'}</Fact>
          <Fact label="Pace">up to {pace(sender.messagesPerSecond)}</Fact>
          <Fact label="Messaging tier">
            {sender.messagingTier === 'Unlimited'
              ? 'Unlimited'
              : `${count(Number(sender.messagingTier))} new conversations per 24 hours`}
          </Fact>
          <Fact label="Number ID">
            <code>{sender.phoneNumberId}</code>
          </Fact>
          <Fact label="Business account ID">
            <code>{sender.businessAccountId}</code>
          </Fact>
          <Fact label="Default country">{defaultCountry ?? 'None: numbers need a country code'}</Fact>
        </Facts>
      ) : (
        <Note tone="warning">
          This account has no phone number and cannot send. Add one with <code>PATCH /accounts/…</code>.
        </Note>
      )}
    </Panel>
  );
}
