import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listWebhookDeliveries, replayWebhookDelivery } from '../../../client/generated/sdk.gen';
import type { WebhookDeliveryDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useCursorList } from '../../app/cursor-list';
import { useUrlFilters } from '../../app/url-filters';
import { rich, t } from '../../language/translate';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { CursorTable } from '../../ui/cursor-rows';
import { Dialog } from '../../ui/dialog';
import { Fact, Facts, Panel } from '../../ui/panel';
import { Select } from '../../ui/select';
import { ErrorLine } from '../../ui/states';
import type { Column } from '../../ui/table';
import { Time } from '../../ui/time';
import { showToast } from '../../ui/toast';

const TONES = { Delivered: 'good', Retrying: 'warning', Failed: 'danger' } as const;
const OUTCOMES: Readonly<Record<WebhookDeliveryDto['status'], string>> = {
  Delivered: t('Delivered'),
  Retrying: t('Retrying', {}, 'delivery attempt'),
  Failed: t('Failed'),
};
const FILTERS = [
  { value: 'all', label: t('All attempts') },
  { value: 'failed', label: t('Failed attempts') },
];
const POLL_MS = 5_000;

/** The delivery attempts of an endpoint, newest first. */
export function Deliveries({ endpointId }: { endpointId: string }) {
  const [filters, setFilters] = useUrlFilters({ show: 'all' });
  const [selected, setSelected] = useState<WebhookDeliveryDto | null>(null);
  const list = useCursorList<WebhookDeliveryDto>({
    key: queryKeys.webhooks.deliveries(endpointId),
    load: (cursor, signal) =>
      call(listWebhookDeliveries, { path: { endpointId }, query: { cursor, limit: 50 } }, { signal }),
    idOf: ({ id }) => id,
    orderOf: ({ id }) => id,
    refetchInterval: POLL_MS,
  });
  const columns: Column<WebhookDeliveryDto>[] = [
    { key: 'at', head: t('When'), cell: ({ at }) => <Time at={at} /> },
    {
      key: 'events',
      head: t('Event'),
      cell: (delivery) => (
        <button type="button" className="row-link webhooks-open" onClick={() => setSelected(delivery)}>
          {[...new Set(delivery.events)].join(', ')}
          {delivery.events.length > 1 && ` (${delivery.events.length})`}
        </button>
      ),
    },
    { key: 'status', head: t('Outcome'), cell: ({ status }) => <Badge tone={TONES[status]}>{OUTCOMES[status]}</Badge> },
    {
      key: 'answer',
      head: t('Response'),
      wideOnly: true,
      cell: ({ httpStatus, error }) => httpStatus ?? (error ? t('none', {}, 'response of a server') : ''),
    },
    {
      key: 'attempt',
      head: t('Attempt'),
      align: 'end',
      wideOnly: true,
      cell: ({ attempt }) => (attempt === 0 ? t('test', {}, 'delivery attempt') : attempt),
    },
    {
      key: 'ms',
      head: t('Duration'),
      align: 'end',
      wideOnly: true,
      cell: ({ durationMs }) => t('{count} ms', { count: String(durationMs) }),
    },
  ];
  return (
    <Panel
      title={t('Deliveries')}
      flush
      actions={
        <Select
          label={t('Filter deliveries')}
          hiddenLabel
          value={filters.show}
          choices={FILTERS}
          onChange={(show) => setFilters({ show })}
        />
      }
    >
      <CursorTable
        list={list}
        label={t('Deliveries')}
        columns={columns}
        rowKey={({ id }) => id}
        shown={(count) => t('{count, plural, one {# attempt} other {# attempts}}', { count })}
        keep={({ status }) => filters.show === 'all' || status !== 'Delivered'}
        empty={
          list.items?.length === 0
            ? {
                title: t('No deliveries yet'),
                icon: 'clock',
                hint: t('Send a test event to check that your server responds.'),
              }
            : { title: t('No failed attempts'), icon: 'check' }
        }
      />
      <DeliveryDialog delivery={selected} onClose={() => setSelected(null)} />
    </Panel>
  );
}

function DeliveryDialog({ delivery, onClose }: { delivery: WebhookDeliveryDto | null; onClose: () => void }) {
  const queries = useQueryClient();
  const replay = useMutation({
    mutationFn: (deliveryId: string) => call(replayWebhookDelivery, { path: { deliveryId } }),
    onSuccess: async () => {
      close();
      showToast(t('Redelivery scheduled'));
      await queries.invalidateQueries({ queryKey: queryKeys.webhooks.all });
    },
  });
  const close = () => {
    replay.reset();
    onClose();
  };
  if (!delivery) return null;
  const isTest = delivery.attempt === 0;
  return (
    <Dialog
      open
      wide
      onClose={close}
      title={[...new Set(delivery.events)].join(', ')}
      footer={
        <>
          <Button onClick={close}>{t('Close')}</Button>
          {!isTest && delivery.body !== null && (
            <Button icon="retry" busy={replay.isPending} onClick={() => replay.mutate(delivery.id)}>
              {t('Redeliver')}
            </Button>
          )}
        </>
      }
    >
      <Facts>
        <Fact label={t('Outcome')}>
          <Badge tone={TONES[delivery.status]}>{OUTCOMES[delivery.status]}</Badge>{' '}
          {delivery.nextAttemptAt && rich('next attempt {time}', { time: <Time at={delivery.nextAttemptAt} /> })}
        </Fact>
        <Fact label={t('Response')}>{delivery.httpStatus ?? t('none', {}, 'response of a server')}</Fact>
        {delivery.error && <Fact label={t('Error')}>{delivery.error}</Fact>}
        <Fact label={t('Started')}>
          <Time at={delivery.at} as="exact" />
        </Fact>
        <Fact label={t('ID')}>
          <code>{delivery.webhookId}</code> <span className="hint">{t('webhook-id header')}</span>
        </Fact>
      </Facts>
      {delivery.body === null ? (
        <p className="hint">{t('The body is no longer available; bodies are stored for 7 days.')}</p>
      ) : (
        <pre className="webhooks-body" tabIndex={0} aria-label={t('Body', {}, 'request')}>
          {readable(delivery.body)}
        </pre>
      )}
      {replay.isError && <ErrorLine error={replay.error} />}
    </Dialog>
  );
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
