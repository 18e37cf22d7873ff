import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { listSenders, syncSenders } from '../../../client/generated/sdk.gen';
import type { SenderStateDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Gauge } from '../../ui/charts/gauge';
import { count, pace } from '../../ui/format';
import { ButtonLink } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Fact, Facts, Panel } from '../../ui/panel';
import { Empty, ErrorLine, Loaded, Note } from '../../ui/states';
import { AsOf, Time } from '../../ui/time';
import { showToast } from '../../ui/toast';

/** Polling interval while the screen is open. */
const POLL_MS = 5_000;
const QUALITY = {
  Green: 'Recipients respond well to your messages.',
  Yellow: 'Some recipients block or report your messages.',
  Red: 'Many recipients block or report your messages; WhatsApp may lower your limits.',
} as const;

/** The phone numbers of the account: pace, messaging limit, quality and webhook subscriptions. */
export default function SendersScreen() {
  const session = useSession();
  const queries = useQueryClient();
  const senders = useQuery({
    queryKey: queryKeys.senders,
    queryFn: ({ signal }) => call(listSenders, {}, { signal }),
    refetchInterval: POLL_MS,
  });
  const sync = useMutation({
    mutationFn: () => call(syncSenders, {}),
    onSuccess: () => showToast('Limits updated'),
    // A failed sync may also change the sender: its access token may have been rejected.
    onSettled: () => void queries.invalidateQueries({ queryKey: queryKeys.senders }),
  });
  const hasNumber = senders.data !== undefined && senders.data.items.length > 0;
  return (
    <>
      <PageHeader
        title="Senders"
        lead="Your phone numbers and their WhatsApp limits."
        asOf={<AsOf at={senders.dataUpdatedAt} />}
        actions={
          hasNumber &&
          session.can('messaging:send') && (
            <Button icon="retry" busy={sync.isPending} onClick={() => sync.mutate()}>
              Refresh limits
            </Button>
          )
        }
      />
      {sync.isError && <ErrorLine error={sync.error} />}
      <Loaded query={senders}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              title="No phone number yet"
              icon="send"
              hint="The account cannot send until the operator of the service adds a phone number."
            >
              {session.can('accounts:manage') && (
                <ButtonLink to={`/accounts/${session.account.id}`}>Open account</ButtonLink>
              )}
            </Empty>
          ) : (
            items.map((sender) => <Sender key={sender.phoneNumberId} sender={sender} />)
          )
        }
      </Loaded>
    </>
  );
}

function Sender({ sender }: { sender: SenderStateDto }) {
  const { displayPhoneNumber, phoneNumberId, problem, missingSubscriptions, qualityRating } = sender;
  return (
    <Panel title={displayPhoneNumber ?? `Number ${phoneNumberId}`}>
      {problem && (
        <Note tone="danger">
          <p>
            <strong>WhatsApp rejects the access token of this number: nothing can be sent.</strong>
          </p>
          <p>{problem.message}</p>
        </Note>
      )}
      {missingSubscriptions.length > 0 && <MissingSubscriptions fields={missingSubscriptions} />}
      <div className="senders-gauges">
        <Pace sender={sender} />
        <Tier sender={sender} />
        <Facts>
          <Fact label="Quality">
            {qualityRating ? (
              <>
                <Badge>{qualityRating}</Badge>
                <p className="hint">{QUALITY[qualityRating]}</p>
              </>
            ) : (
              <span className="hint">Not rated by the platform yet</span>
            )}
          </Fact>
          <Fact label="Last webhook">
            {sender.lastWebhookAt ? <Time at={sender.lastWebhookAt} /> : <span className="hint">Never</span>}
          </Fact>
          <Fact label="Number ID">
            <code>{phoneNumberId}</code>
          </Fact>
        </Facts>
      </div>
    </Panel>
  );
}

function MissingSubscriptions({ fields }: { fields: readonly string[] }) {
  return (
    <Note tone="warning">
      <p>
        Missing webhook subscriptions: {fields.join(', ')}.{' '}
        {fields.includes('messages') && 'Without “messages”, no message statuses or replies arrive. '}
        The operator of the service can subscribe to these fields on the platform.
      </p>
    </Note>
  );
}

function Pace({ sender: { rateNow, messagesPerSecond } }: { sender: SenderStateDto }) {
  const isStopped = rateNow === 0;
  const isSlowed = !isStopped && rateNow < messagesPerSecond;
  return (
    <Gauge
      label="Current pace"
      value={rateNow}
      max={messagesPerSecond}
      shown={pace(rateNow)}
      rows={[
        ['Now', pace(rateNow)],
        ['Limit', pace(messagesPerSecond)],
      ]}
      tone={isStopped ? 'danger' : isSlowed ? 'warning' : 'good'}
    >
      {isStopped
        ? 'Sending stopped'
        : isSlowed
          ? `of ${pace(messagesPerSecond)}, limited by WhatsApp`
          : `of ${pace(messagesPerSecond)}`}
    </Gauge>
  );
}

function Tier({ sender: { messagingTier, tierUsed, roomAt } }: { sender: SenderStateDto }) {
  if (messagingTier === 'Unlimited' || tierUsed === null) {
    return (
      <Gauge
        label="New conversations in 24 hours"
        value={0}
        max={1}
        shown="No limit"
        rows={[['Limit', 'none']]}
        tone="good"
      >
        WhatsApp does not limit new conversations
      </Gauge>
    );
  }
  const max = Number(messagingTier);
  const isFull = tierUsed >= max;
  return (
    <Gauge
      label="New conversations in 24 hours"
      value={tierUsed}
      max={max}
      shown={count(tierUsed)}
      rows={[
        ['Used', count(tierUsed)],
        ['Limit (messaging tier)', count(max)],
        ['Remaining', count(Math.max(0, max - tierUsed))],
      ]}
      tone={isFull ? 'danger' : tierUsed >= max * 0.8 ? 'warning' : 'good'}
    >
      {isFull && roomAt ? (
        <>
          of {count(max)}, next available <Time at={roomAt} />
        </>
      ) : (
        `of ${count(max)} allowed`
      )}
    </Gauge>
  );
}
