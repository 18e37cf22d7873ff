import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listWebhookDeliveries, replayWebhookDelivery } from '../../../client/generated/sdk.gen';
import type { WebhookDeliveryDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useCursorList } from '../../app/cursor-list';
import { useUrlFilters } from '../../app/url-filters';
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
const FILTERS = [
  { value: 'all', label: 'All attempts' },
  { value: 'failed', label: 'Failed attempts' },
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
    { key: 'at', head: 'When', cell: ({ at }) => <Time at={at} /> },
    {
      key: 'events',
      head: 'Event',
      cell: (delivery) => (
        <button type="button" className="row-link webhooks-open" onClick={() => setSelected(delivery)}>
          {[...new Set(delivery.events)].join(', ')}
          {delivery.events.length > 1 && ` (${delivery.events.length})`}
        </button>
      ),
    },
    { key: 'status', head: 'Outcome', cell: ({ status }) => <Badge tone={TONES[status]}>{status}</Badge> },
    {
      key: 'answer',
      head: 'Response',
      wideOnly: true,
      cell: ({ httpStatus, error }) => httpStatus ?? (error ? 'none' : ''),
    },
    {
      key: 'attempt',
      head: 'Attempt',
      align: 'end',
      wideOnly: true,
      cell: ({ attempt }) => (attempt === 0 ? 'test' : attempt),
    },
    { key: 'ms', head: 'Duration', align: 'end', wideOnly: true, cell: ({ durationMs }) => `${durationMs} ms` },
  ];
  return (
    <Panel
      title="Deliveries"
      flush
      actions={
        <Select
          label="Filter deliveries"
          hiddenLabel
          value={filters.show}
          choices={FILTERS}
          onChange={(show) => setFilters({ show })}
        />
      }
    >
      <CursorTable
        list={list}
        label="Deliveries"
        columns={columns}
        rowKey={({ id }) => id}
        what={['attempt']}
        keep={({ status }) => filters.show === 'all' || status !== 'Delivered'}
        empty={
          list.items?.length === 0
            ? {
                title: 'No deliveries yet',
                icon: 'clock',
                hint: 'Send a test event to check that your server responds.',
              }
            : { title: 'No failed attempts', icon: 'check' }
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
      showToast('Redelivery scheduled');
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
          <Button onClick={close}>Close</Button>
          {!isTest && delivery.body !== null && (
            <Button icon="retry" busy={replay.isPending} onClick={() => replay.mutate(delivery.id)}>
              Redeliver
            </Button>
          )}
        </>
      }
    >
      <Facts>
        <Fact label="Outcome">
          <Badge tone={TONES[delivery.status]}>{delivery.status}</Badge>{' '}
          {delivery.nextAttemptAt && (
            <>
              next attempt <Time at={delivery.nextAttemptAt} />
            </>
          )}
        </Fact>
        <Fact label="Response">{delivery.httpStatus ?? 'none'}</Fact>
        {delivery.error && <Fact label="Error">{delivery.error}</Fact>}
        <Fact label="Started">
          <Time at={delivery.at} as="exact" />
        </Fact>
        <Fact label="ID">
          <code>{delivery.webhookId}</code> <span className="hint">webhook-id header</span>
        </Fact>
      </Facts>
      {delivery.body === null ? (
        <p className="hint">The body is no longer available; bodies are stored for 7 days.</p>
      ) : (
        <pre className="webhooks-body" tabIndex={0} aria-label="Body">
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
