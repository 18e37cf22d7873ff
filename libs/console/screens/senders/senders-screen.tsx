import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { listSenders, syncSenders } from '../../../client/generated/sdk.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { ButtonLink } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Empty, ErrorLine, Loaded } from '../../ui/states';
import { AsOf } from '../../ui/time';
import { showToast } from '../../ui/toast';
import { SenderPanel } from './sender-panel';
import { useSendingRates } from './use-sending-rates';

/** Polling interval while the screen is open. */
const POLL_MS = 5_000;

/** The phone numbers of the account: what they send now, messaging limit, quality and webhook subscriptions. */
export default function SendersScreen() {
  const session = useSession();
  const queries = useQueryClient();
  const senders = useQuery({
    queryKey: queryKeys.senders,
    queryFn: ({ signal }) => call(listSenders, {}, { signal }),
    refetchInterval: POLL_MS,
  });
  const rateOf = useSendingRates(POLL_MS);
  const sync = useMutation({
    mutationFn: () => call(syncSenders, {}),
    onSuccess: () => showToast(t('Limits updated')),
    // A failed sync may also change the sender: its access token may have been rejected.
    onSettled: () => void queries.invalidateQueries({ queryKey: queryKeys.senders }),
  });
  const hasNumber = senders.data !== undefined && senders.data.items.length > 0;
  return (
    <>
      <PageHeader
        title={t('Senders')}
        lead={t('Your phone numbers and their WhatsApp limits.')}
        asOf={<AsOf at={senders.dataUpdatedAt} />}
        actions={
          hasNumber &&
          session.can('messaging:send') && (
            <Button icon="retry" busy={sync.isPending} onClick={() => sync.mutate()}>
              {t('Refresh limits')}
            </Button>
          )
        }
      />
      {sync.isError && <ErrorLine error={sync.error} />}
      <Loaded query={senders}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              title={t('No phone number yet')}
              icon="send"
              hint={t('The account cannot send until the operator of the service adds a phone number.')}
            >
              {session.can('accounts:manage') && (
                <ButtonLink to={`/accounts/${session.account.id}`}>{t('Open account')}</ButtonLink>
              )}
            </Empty>
          ) : (
            items.map((sender) => <SenderPanel key={sender.phoneNumberId} sender={sender} rate={rateOf(sender)} />)
          )
        }
      </Loaded>
    </>
  );
}
