import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listWebhookEndpoints } from '../../../client/generated/sdk.gen';
import type { WebhookEndpointDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useUrlFilters } from '../../app/url-filters';
import { t } from '../../language/translate';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Pager } from '../../ui/pager';
import { Panel } from '../../ui/panel';
import { Empty, Loaded } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { AsOf, Time } from '../../ui/time';
import { CreateEndpoint } from './create-endpoint';
import { DISABLED_REASONS } from './event-labels';

const COLUMNS: Column<WebhookEndpointDto>[] = [
  {
    key: 'url',
    head: t('URL'),
    cell: ({ id, url }) => (
      <Link to={`/webhooks/${id}`} className="row-link webhooks-url">
        {url}
      </Link>
    ),
  },
  { key: 'status', head: t('Status'), cell: (endpoint) => <State endpoint={endpoint} /> },
  {
    key: 'events',
    head: t('Events'),
    wideOnly: true,
    cell: ({ events }) => (
      <span title={events.join(', ')}>
        {t('{count, plural, one {# event} other {# events}}', { count: events.length })}
      </span>
    ),
  },
  { key: 'created', head: t('Added'), wideOnly: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** The webhook endpoints of the account. */
export default function WebhooksScreen() {
  const [filters, setFilters] = useUrlFilters({ page: '1' });
  const [isCreating, setCreating] = useState(false);
  const endpoints = useQuery({
    queryKey: queryKeys.webhooks.list(filters),
    queryFn: ({ signal }) => call(listWebhookEndpoints, { query: { page: Number(filters.page) } }, { signal }),
  });
  const add = (
    <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
      {t('Add endpoint')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('Webhooks')}
        lead={t('Notify your servers of message statuses, replies and job progress.')}
        asOf={<AsOf at={endpoints.dataUpdatedAt} />}
        actions={add}
      />
      <Loaded query={endpoints}>
        {({ items, page, totalPages, totalCount }) =>
          totalCount === 0 ? (
            <Empty
              title={t('No endpoints yet')}
              icon="code"
              hint={t('Add a URL on your server to receive events instead of polling for them.')}
            />
          ) : (
            <Panel title={t('Endpoints')} flush>
              <Table label={t('Webhook endpoints')} columns={COLUMNS} rows={items} rowKey={({ id }) => id} />
              <Pager {...{ page, totalPages, totalCount }} onPage={(next) => setFilters({ page: String(next) })} />
            </Panel>
          )
        }
      </Loaded>
      <CreateEndpoint open={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}

/** The status of an endpoint. */
export function State({ endpoint }: { endpoint: WebhookEndpointDto }) {
  if (endpoint.status === 'Disabled') {
    return (
      <>
        <Badge tone="danger">{t('Disabled')}</Badge>
        {endpoint.disabledReason && <p className="hint">{DISABLED_REASONS[endpoint.disabledReason]}</p>}
      </>
    );
  }
  if (!endpoint.failingSince) return <Badge tone="good">{t('Enabled')}</Badge>;
  return (
    <>
      <Badge tone="warning">{t('Failing')}</Badge> <Time at={endpoint.failingSince} />
    </>
  );
}
