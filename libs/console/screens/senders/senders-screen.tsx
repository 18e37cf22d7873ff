import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { listSenders, syncSenders } from '../../../client/generated/sdk.gen';
import type { SenderStateDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
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
import { sayDone } from '../../ui/toast';

/** How often the figures are read while somebody looks. */
const READ_EVERY_MS = 5_000;
const QUALITY = {
  Green: 'People take the messages well.',
  Yellow: 'Some people block or report the messages.',
  Red: 'Many people block or report the messages: the platform may lower the limits.',
} as const;

/** The numbers that messages come from: what each may send, and whether the platform reports back. */
export default function SendersScreen() {
  const session = useSession();
  const queries = useQueryClient();
  const senders = useQuery({
    queryKey: ['senders'],
    queryFn: ({ signal }) => call(listSenders, {}, { signal }),
    refetchInterval: READ_EVERY_MS,
  });
  const sync = useMutation({
    mutationFn: () => call(syncSenders, {}),
    onSuccess: () => sayDone('The limits are those of WhatsApp'),
    // A failure may be news of the number, too: its access token is refused.
    onSettled: () => void queries.invalidateQueries({ queryKey: ['senders'] }),
  });
  const hasNumber = senders.data !== undefined && senders.data.items.length > 0;
  return (
    <>
      <PageHeader
        title="Senders"
        lead="The phone numbers that your messages come from, and what the platform lets them send."
        asOf={<AsOf at={senders.dataUpdatedAt} />}
        actions={
          hasNumber &&
          session.can('messaging:send') && (
            <Button icon="retry" busy={sync.isPending} onClick={() => sync.mutate()}>
              Read limits now
            </Button>
          )
        }
      />
      {sync.isError && <ErrorLine error={sync.error} />}
      <Loaded query={senders}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              title="This account has no number yet"
              icon="send"
              hint="Without one it cannot send. The operator of the service adds a number of the platform to the account."
            >
              {session.can('accounts:manage') && (
                <ButtonLink to={`/accounts/${session.account.id}`}>To the account</ButtonLink>
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
            <strong>The platform refuses the access token of this number: nothing can be sent.</strong>
          </p>
          <p>{problem.message}</p>
        </Note>
      )}
      {missingSubscriptions.length > 0 && <MissingReports fields={missingSubscriptions} />}
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
          <Fact label="Platform’s last report">
            {sender.lastWebhookAt ? <Time at={sender.lastWebhookAt} /> : <span className="hint">Never</span>}
          </Fact>
          <Fact label="Number id">
            <code>{phoneNumberId}</code>
          </Fact>
        </Facts>
      </div>
    </Panel>
  );
}

function MissingReports({ fields }: { fields: readonly string[] }) {
  return (
    <Note tone="warning">
      <p>
        The platform does not report everything here: {fields.join(', ')}.{' '}
        {fields.includes('messages') && 'Without “messages” neither states of messages nor answers of people arrive. '}
        Whoever runs the service subscribes these webhook fields on the platform.
      </p>
    </Note>
  );
}

function Pace({ sender: { rateNow, messagesPerSecond } }: { sender: SenderStateDto }) {
  const isStopped = rateNow === 0;
  const isSlowed = !isStopped && rateNow < messagesPerSecond;
  return (
    <Gauge
      label="Pace now"
      value={rateNow}
      max={messagesPerSecond}
      shown={pace(rateNow)}
      rows={[
        ['Now', pace(rateNow)],
        ['Limit of the number', pace(messagesPerSecond)],
      ]}
      tone={isStopped ? 'danger' : isSlowed ? 'warning' : 'good'}
    >
      {isStopped
        ? 'Sending is stopped'
        : isSlowed
          ? `of ${pace(messagesPerSecond)}: the platform asked to slow down`
          : `of ${pace(messagesPerSecond)} at most`}
    </Gauge>
  );
}

function Tier({ sender: { messagingTier, tierUsed, roomAt } }: { sender: SenderStateDto }) {
  if (messagingTier === 'Unlimited' || tierUsed === null) {
    return (
      <Gauge label="People in 24 hours" value={0} max={1} shown="No limit" rows={[['Limit', 'none']]} tone="good">
        The platform lets you write to any number of people
      </Gauge>
    );
  }
  const max = Number(messagingTier);
  const isFull = tierUsed >= max;
  return (
    <Gauge
      label="People in 24 hours"
      value={tierUsed}
      max={max}
      shown={count(tierUsed)}
      rows={[
        ['Written to', count(tierUsed)],
        ['Limit (messaging tier)', count(max)],
        ['Left', count(Math.max(0, max - tierUsed))],
      ]}
      tone={isFull ? 'danger' : tierUsed >= max * 0.8 ? 'warning' : 'good'}
    >
      {isFull && roomAt ? (
        <>
          of {count(max)}: room again <Time at={roomAt} />
        </>
      ) : (
        `of ${count(max)} whom you may write to first`
      )}
    </Gauge>
  );
}
