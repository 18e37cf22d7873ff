import { useQuery } from '@tanstack/react-query';
import { getWebhookEndpoint } from '../../../client/generated/sdk.gen';
import type { WebhookEndpointDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import type { ScreenProps } from '../../app/screen-props';
import { rich, t } from '../../language/translate';
import { ButtonLink } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Fact, Facts, Panel } from '../../ui/panel';
import { Loaded, Note } from '../../ui/states';
import { AsOf, Time } from '../../ui/time';
import { Deliveries } from './deliveries';
import { EndpointActions } from './endpoint-actions';
import { DISABLED_REASONS, EVENT_LABELS } from './event-labels';
import { State } from './webhooks-screen';

/** Polling interval while the screen is open. */
const POLL_MS = 5_000;

/** One endpoint: status, settings and deliveries. */
export default function EndpointScreen({ params }: ScreenProps) {
  const endpointId = params.endpointId ?? '';
  const endpoint = useQuery({
    queryKey: queryKeys.webhooks.one(endpointId),
    queryFn: ({ signal }) => call(getWebhookEndpoint, { path: { endpointId } }, { signal }),
    refetchInterval: POLL_MS,
  });
  return (
    <>
      <PageHeader
        title={endpoint.data ? hostOf(endpoint.data.url) : t('Webhook endpoint')}
        lead={endpoint.data && <bdi>{endpoint.data.url}</bdi>}
        asOf={<AsOf at={endpoint.dataUpdatedAt} />}
        actions={
          <>
            <ButtonLink to="/webhooks" variant="quiet" icon="left">
              {t('All endpoints')}
            </ButtonLink>
            {endpoint.data && <EndpointActions endpoint={endpoint.data} />}
          </>
        }
      />
      <Loaded query={endpoint}>
        {(found) => (
          <>
            <StatusPanel endpoint={found} />
            <Deliveries endpointId={endpointId} />
          </>
        )}
      </Loaded>
    </>
  );
}

function StatusPanel({ endpoint }: { endpoint: WebhookEndpointDto }) {
  const { disabledReason, failingSince, previousSecretValidUntil, events, maxEvents } = endpoint;
  return (
    <Panel title={t('Details')}>
      {disabledReason && (
        <Note tone="danger">
          {t('Not receiving events. {reason} Pending events are kept for 3 days.', {
            reason: DISABLED_REASONS[disabledReason],
          })}
        </Note>
      )}
      {!disabledReason && failingSince && (
        <Note tone="warning">
          {rich(
            'All deliveries have failed since {time}. Each is retried for 3 days; after 5 days of failures the endpoint is disabled.',
            { time: <Time at={failingSince} as="clock" /> },
          )}
        </Note>
      )}
      <Facts>
        <Fact label={t('Status')}>
          <State endpoint={endpoint} />
        </Fact>
        <Fact label={t('Events')}>
          <ul className="webhooks-events">
            {events.map((event) => (
              <li key={event}>
                <code>{event}</code> <span className="hint">{EVENT_LABELS[event]}</span>
              </li>
            ))}
          </ul>
        </Fact>
        <Fact label={t('Batch size')}>
          {t('{count, plural, =1 {One event} other {Up to # events}}', { count: maxEvents })}
        </Fact>
        {previousSecretValidUntil && (
          <Fact label={t('Old secret')}>
            {rich('also valid until {time}', { time: <Time at={previousSecretValidUntil} as="clock" /> })}
          </Fact>
        )}
        <Fact label={t('Added')}>
          <Time at={endpoint.createdAt} as="exact" />
        </Fact>
      </Facts>
    </Panel>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
