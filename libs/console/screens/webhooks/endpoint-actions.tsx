import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import {
  deleteWebhookEndpoint,
  replayWebhooks,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from '../../../client/generated/sdk.gen';
import type { WebhookEndpointDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSendOnce } from '../../app/send-once';
import { rich, t } from '../../language/translate';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { FormDialog } from '../../ui/form-dialog';
import { Menu } from '../../ui/menu';
import { SecretOnce } from '../../ui/secret-once';
import { Select } from '../../ui/select';
import { ErrorLine, Note } from '../../ui/states';
import { showToast } from '../../ui/toast';

const OVERLAPS = [
  { value: '0', label: t('Expires now') },
  { value: '3600', label: t('Valid for 1 hour') },
  { value: '86400', label: t('Valid for 1 day') },
];
const REPLAYS = [
  { value: '1', label: t('Last hour') },
  { value: '24', label: t('Last 24 hours') },
  { value: '168', label: t('Last 7 days (all that is stored)') },
];
const HOUR_MS = 3_600_000;

/** The actions of an endpoint. */
export function EndpointActions({ endpoint }: { endpoint: WebhookEndpointDto }) {
  const { id, status } = endpoint;
  const path = { endpointId: id };
  const refresh = useRefresh();
  const [openDialog, setOpenDialog] = useState<'rotate' | 'replay' | 'delete' | 'test' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => setOpenDialog(null);
  const test = useMutation({
    mutationFn: () => call(testWebhookEndpoint, { path }),
    onSuccess: async ({ status: outcome, httpStatus }) => {
      if (outcome === 'Delivered') showToast(t('Test event delivered'), respondedWith(httpStatus));
      else setOpenDialog('test');
      await refresh();
    },
    onError: () => setOpenDialog('test'),
  });
  const setStatus = useMutation({
    mutationFn: (next: WebhookEndpointDto['status']) => call(updateWebhookEndpoint, { path, body: { status: next } }),
    onSuccess: async (changed) => {
      showToast(changed.status === 'Enabled' ? t('Endpoint enabled') : t('Endpoint disabled'));
      await refresh();
    },
  });
  return (
    <>
      <Button icon="send" busy={test.isPending} onClick={() => test.mutate()}>
        {t('Send test event')}
      </Button>
      <Menu
        label={t('More')}
        actions={[
          { label: t('Redeliver events…'), icon: 'retry', onSelect: () => setOpenDialog('replay') },
          { label: t('Rotate secret'), icon: 'lock', onSelect: () => setOpenDialog('rotate') },
          status === 'Enabled'
            ? { label: t('Disable'), icon: 'pause', onSelect: () => setStatus.mutate('Disabled') }
            : { label: t('Enable'), icon: 'play', onSelect: () => setStatus.mutate('Enabled') },
          { label: t('Delete'), icon: 'close', danger: true, onSelect: () => setOpenDialog('delete') },
        ]}
      />
      {setStatus.isError && <ErrorLine error={setStatus.error} />}
      <Dialog open={openDialog === 'test'} onClose={close} title={t('Test event failed')}>
        {test.isError && <ErrorLine error={test.error} />}
        {test.data && (
          <Note tone="danger">
            {test.data.error ?? t('Delivery failed.')} {test.data.httpStatus && respondedWith(test.data.httpStatus)}
          </Note>
        )}
        <p className="hint">{t('Test events are not retried. Fix the cause, then send another one.')}</p>
      </Dialog>
      {openDialog === 'rotate' && <Rotate endpoint={endpoint} onClose={close} onSecret={setSecret} />}
      {openDialog === 'replay' && <Replay endpointId={id} onClose={close} />}
      {openDialog === 'delete' && <Delete endpoint={endpoint} onClose={close} />}
      <SecretOnce secret={secret} title={t('New secret')} label={t('Secret')} onClose={() => setSecret(null)} />
    </>
  );
}

function Rotate({
  endpoint,
  onClose,
  onSecret,
}: {
  endpoint: WebhookEndpointDto;
  onClose: () => void;
  onSecret: (secret: string) => void;
}) {
  const refresh = useRefresh();
  const [overlap, setOverlap] = useState('86400');
  const send = useSendOnce((overlapSeconds: number) =>
    call(rotateWebhookSecret, { path: { endpointId: endpoint.id }, body: { overlapSeconds } }),
  );
  const rotate = useMutation({
    mutationFn: send,
    onSuccess: async ({ secret }) => {
      onClose();
      onSecret(secret);
      await refresh();
    },
  });
  return (
    <FormDialog
      title={t('Rotate secret?')}
      lead={t('Your server uses the secret to verify that requests come from this service.')}
      action={t('Rotate secret')}
      mutation={rotate}
      onSubmit={() => rotate.mutate(Number(overlap))}
      onClose={onClose}
    >
      <Select
        label={t('Old secret')}
        value={overlap}
        onChange={setOverlap}
        choices={OVERLAPS}
        hint={t('Requests are signed with both secrets until the old one expires.')}
      />
    </FormDialog>
  );
}

function Replay({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const refresh = useRefresh();
  const [hours, setHours] = useState('24');
  const send = useSendOnce((hoursAgo: number) => {
    const since = new Date(Date.now() - hoursAgo * HOUR_MS).toISOString();
    return call(replayWebhooks, { path: { endpointId }, body: { since } });
  });
  const replay = useMutation({
    mutationFn: send,
    onSuccess: async () => {
      onClose();
      showToast(t('Redelivery started'));
      await refresh();
    },
  });
  return (
    <FormDialog
      title={t('Redeliver events')}
      lead={t(
        'Your server receives all events of this period again with their original ids, so it can detect duplicates.',
      )}
      action={t('Redeliver')}
      mutation={replay}
      onSubmit={() => replay.mutate(Number(hours))}
      onClose={onClose}
    >
      <Select label={t('Period')} value={hours} onChange={setHours} choices={REPLAYS} />
    </FormDialog>
  );
}

function Delete({ endpoint, onClose }: { endpoint: WebhookEndpointDto; onClose: () => void }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const remove = useMutation({
    mutationFn: () => call(deleteWebhookEndpoint, { path: { endpointId: endpoint.id } }),
    onSuccess: async () => {
      showToast(t('Endpoint deleted'));
      navigate('/webhooks');
      await queries.invalidateQueries({ queryKey: queryKeys.webhooks.lists });
    },
  });
  return (
    <FormDialog
      title={t('Delete this endpoint?')}
      lead={rich('{url} receives no more events. Its pending events and delivery log are deleted.', {
        url: <bdi>{endpoint.url}</bdi>,
      })}
      danger
      leaves
      cancel={t('Cancel')}
      action={t('Delete')}
      mutation={remove}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    />
  );
}

function respondedWith(httpStatus: number | null): string {
  return t('Your server responded with {status}.', { status: String(httpStatus) });
}

function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: queryKeys.webhooks.all });
}
