import { useQuery } from '@tanstack/react-query';
import { getWebhookEndpoint } from '../../../client/generated/sdk.gen';
import type { WebhookEndpointDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import type { ScreenProps } from '../../app/screen-props';
import { ButtonLink } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Fact, Facts, Panel } from '../../ui/panel';
import { Loaded, Note } from '../../ui/states';
import { AsOf, Time } from '../../ui/time';
import { Deliveries } from './deliveries';
import { EndpointActions } from './endpoint-actions';
import { DISABLED_WORDS, EVENT_WORDS } from './event-words';
import { State } from './webhooks-screen';

/** How often it is read while somebody looks. */
const READ_EVERY_MS = 5_000;

/** One endpoint: how it stands, what was delivered there, and what failed. */
export default function EndpointScreen({ params }: ScreenProps) {
  const endpointId = params.endpointId ?? '';
  const endpoint = useQuery({
    queryKey: ['webhooks', 'one', endpointId],
    queryFn: ({ signal }) => call(getWebhookEndpoint, { path: { endpointId } }, { signal }),
    refetchInterval: READ_EVERY_MS,
  });
  return (
    <>
      <PageHeader
        title={endpoint.data ? hostOf(endpoint.data.url) : 'Webhook endpoint'}
        lead={endpoint.data && <bdi>{endpoint.data.url}</bdi>}
        asOf={<AsOf at={endpoint.dataUpdatedAt} />}
        actions={
          <>
            <ButtonLink to="/webhooks" variant="quiet" icon="left">
              All endpoints
            </ButtonLink>
            {endpoint.data && <EndpointActions endpoint={endpoint.data} />}
          </>
        }
      />
      <Loaded query={endpoint}>
        {(found) => (
          <>
            <Standing endpoint={found} />
            <Deliveries endpointId={endpointId} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Standing({ endpoint }: { endpoint: WebhookEndpointDto }) {
  const { disabledReason, failingSince, previousSecretValidUntil, events, maxEvents } = endpoint;
  return (
    <Panel title="How it stands">
      {disabledReason && (
        <Note tone="danger">
          It gets nothing. {DISABLED_WORDS[disabledReason]} What waits for it is kept for 3 days.
        </Note>
      )}
      {!disabledReason && failingSince && (
        <Note tone="warning">
          Every delivery has failed since <Time at={failingSince} as="clock" />. Each is retried for 3 days; after 5
          days of failures the endpoint is disabled.
        </Note>
      )}
      <Facts>
        <Fact label="State">
          <State endpoint={endpoint} />
        </Fact>
        <Fact label="Told of">
          <ul className="webhooks-events">
            {events.map((event) => (
              <li key={event}>
                <code>{event}</code> <span className="hint">{EVENT_WORDS[event]}</span>
              </li>
            ))}
          </ul>
        </Fact>
        <Fact label="In one request">{maxEvents === 1 ? 'One event' : `Up to ${maxEvents} events`}</Fact>
        {previousSecretValidUntil && (
          <Fact label="Old secret">
            still signs, too, until <Time at={previousSecretValidUntil} as="clock" />
          </Fact>
        )}
        <Fact label="Added">
          <Time at={endpoint.createdAt} as="exact" />
        </Fact>
      </Facts>
    </Panel>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
