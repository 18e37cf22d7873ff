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
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { FormDialog } from '../../ui/form-dialog';
import { Menu } from '../../ui/menu';
import { SecretOnce } from '../../ui/secret-once';
import { Select } from '../../ui/select';
import { ErrorLine, Note } from '../../ui/states';
import { showToast } from '../../ui/toast';

const OVERLAPS = [
  { value: '0', label: 'Expires now' },
  { value: '3600', label: 'Valid for 1 hour' },
  { value: '86400', label: 'Valid for 1 day' },
];
const REPLAYS = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days (all that is stored)' },
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
      if (outcome === 'Delivered') showToast('Test event delivered', `Your server responded with ${httpStatus}.`);
      else setOpenDialog('test');
      await refresh();
    },
    onError: () => setOpenDialog('test'),
  });
  const setStatus = useMutation({
    mutationFn: (next: WebhookEndpointDto['status']) => call(updateWebhookEndpoint, { path, body: { status: next } }),
    onSuccess: async (changed) => {
      showToast(changed.status === 'Enabled' ? 'Endpoint enabled' : 'Endpoint disabled');
      await refresh();
    },
  });
  return (
    <>
      <Button icon="send" busy={test.isPending} onClick={() => test.mutate()}>
        Send test event
      </Button>
      <Menu
        label="More"
        actions={[
          { label: 'Redeliver events…', icon: 'retry', onSelect: () => setOpenDialog('replay') },
          { label: 'Rotate secret', icon: 'lock', onSelect: () => setOpenDialog('rotate') },
          status === 'Enabled'
            ? { label: 'Disable', icon: 'pause', onSelect: () => setStatus.mutate('Disabled') }
            : { label: 'Enable', icon: 'play', onSelect: () => setStatus.mutate('Enabled') },
          { label: 'Delete', icon: 'close', danger: true, onSelect: () => setOpenDialog('delete') },
        ]}
      />
      {setStatus.isError && <ErrorLine error={setStatus.error} />}
      <Dialog open={openDialog === 'test'} onClose={close} title="Test event failed">
        {test.isError && <ErrorLine error={test.error} />}
        {test.data && (
          <Note tone="danger">
            {test.data.error ?? 'Delivery failed.'}{' '}
            {test.data.httpStatus && `Your server responded with ${test.data.httpStatus}.`}
          </Note>
        )}
        <p className="hint">Test events are not retried. Fix the cause, then send another one.</p>
      </Dialog>
      {openDialog === 'rotate' && <Rotate endpoint={endpoint} onClose={close} onSecret={setSecret} />}
      {openDialog === 'replay' && <Replay endpointId={id} onClose={close} />}
      {openDialog === 'delete' && <Delete endpoint={endpoint} onClose={close} />}
      <SecretOnce secret={secret} title="New secret" label="Secret" onClose={() => setSecret(null)} />
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
      title="Rotate secret?"
      lead="Your server uses the secret to verify that requests come from this service."
      action="Rotate secret"
      mutation={rotate}
      onSubmit={() => rotate.mutate(Number(overlap))}
      onClose={onClose}
    >
      <Select
        label="Old secret"
        value={overlap}
        onChange={setOverlap}
        choices={OVERLAPS}
        hint="Requests are signed with both secrets until the old one expires."
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
      showToast('Redelivery started');
      await refresh();
    },
  });
  return (
    <FormDialog
      title="Redeliver events"
      lead="Your server receives all events of this period again with their original ids, so it can detect duplicates."
      action="Redeliver"
      mutation={replay}
      onSubmit={() => replay.mutate(Number(hours))}
      onClose={onClose}
    >
      <Select label="Period" value={hours} onChange={setHours} choices={REPLAYS} />
    </FormDialog>
  );
}

function Delete({ endpoint, onClose }: { endpoint: WebhookEndpointDto; onClose: () => void }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const remove = useMutation({
    mutationFn: () => call(deleteWebhookEndpoint, { path: { endpointId: endpoint.id } }),
    onSuccess: async () => {
      showToast('Endpoint deleted');
      navigate('/webhooks');
      await queries.invalidateQueries({ queryKey: queryKeys.webhooks.lists });
    },
  });
  return (
    <FormDialog
      title="Delete this endpoint?"
      lead={
        <>
          <bdi>{endpoint.url}</bdi> receives no more events. Its pending events and delivery log are deleted.
        </>
      }
      danger
      cancel="Cancel"
      action="Delete"
      mutation={remove}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    />
  );
}

function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: queryKeys.webhooks.all });
}
