import { useQuery } from '@tanstack/react-query';
import { getAccount } from '../../../client/generated/sdk.gen';
import type { AccountDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
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

/** One account, for the operator: how it stands, its number and its keys. */
export default function AccountScreen({ params }: ScreenProps) {
  const accountId = params.accountId ?? '';
  const account = useQuery({
    queryKey: ['accounts', 'one', accountId],
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
              <Note tone="warning">Sending is stopped: nothing leaves until somebody lets the account send again.</Note>
            )}
            {found.status === 'Suspended' && (
              <Note tone="danger">The account is suspended: its requests are refused, and it sends nothing.</Note>
            )}
            <div className="columns">
              <Standing account={found} />
              <Sender account={found} />
            </div>
            <AccountKeys accountId={accountId} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Standing({ account }: { account: AccountDto }) {
  return (
    <Panel title="How it stands">
      <Facts>
        <Fact label="State">
          <AccountState account={account} />
        </Fact>
        <Fact label="Plan">{account.plan}</Fact>
        <Fact label="Since">
          <Time at={account.createdAt} as="exact" />
        </Fact>
        <Fact label="Changed">
          <Time at={account.updatedAt} />
        </Fact>
        <Fact label="Id">
          <code>{account.id}</code>
        </Fact>
        <Fact label="Who did what">
          <Link to={`/audit?account=${account.id}`}>Audit log of this account</Link>
        </Fact>
      </Facts>
    </Panel>
  );
}

function Sender({ account: { sender, defaultCountry } }: { account: AccountDto }) {
  return (
    <Panel title="Number">
      {sender ? (
        <Facts>
          <Fact label="Number">{sender.displayPhoneNumber ?? 'Not read from the platform yet'}</Fact>
          <Fact label="Pace">at most {pace(sender.messagesPerSecond)}</Fact>
          <Fact label="Messaging tier">
            {sender.messagingTier === 'Unlimited'
              ? 'No limit of people'
              : `${count(Number(sender.messagingTier))} people in 24 hours, whom it may write to first`}
          </Fact>
          <Fact label="Number id">
            <code>{sender.phoneNumberId}</code>
          </Fact>
          <Fact label="Business account">
            <code>{sender.businessAccountId}</code>
          </Fact>
          <Fact label="Country of files">{defaultCountry ?? 'Numbers need their country code'}</Fact>
        </Facts>
      ) : (
        <Note tone="warning">
          It has no number of the platform and cannot send. Add one with <code>PATCH /accounts/…</code>.
        </Note>
      )}
    </Panel>
  );
}
