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
import { useSendOnce } from '../../app/send-once';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { FormDialog } from '../../ui/form-dialog';
import { Menu } from '../../ui/menu';
import { SecretOnce } from '../../ui/secret-once';
import { Select } from '../../ui/select';
import { ErrorLine, Note } from '../../ui/states';
import { sayDone } from '../../ui/toast';

const OVERLAPS = [
  { value: '0', label: 'Not at all: it ends now' },
  { value: '3600', label: 'For an hour' },
  { value: '86400', label: 'For a day' },
];
const REPLAYS = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last 24 hours' },
  { value: '168', label: 'The last 7 days: all that is kept' },
];
const HOUR_MS = 3_600_000;

/** What can be done with an endpoint. */
export function EndpointActions({ endpoint }: { endpoint: WebhookEndpointDto }) {
  const { id, status } = endpoint;
  const path = { endpointId: id };
  const refresh = useRefresh();
  const [asked, setAsked] = useState<'rotate' | 'replay' | 'delete' | 'test' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => setAsked(null);
  const test = useMutation({
    mutationFn: () => call(testWebhookEndpoint, { path }),
    onSuccess: async ({ status: outcome, httpStatus }) => {
      if (outcome === 'Delivered') sayDone('The test event arrived', `Your server answered ${httpStatus}.`);
      else setAsked('test');
      await refresh();
    },
    onError: () => setAsked('test'),
  });
  const turn = useMutation({
    mutationFn: (next: WebhookEndpointDto['status']) => call(updateWebhookEndpoint, { path, body: { status: next } }),
    onSuccess: async (changed) => {
      sayDone(changed.status === 'Enabled' ? 'The endpoint is enabled' : 'The endpoint is disabled');
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
          { label: 'Deliver again since …', icon: 'retry', onSelect: () => setAsked('replay') },
          { label: 'New secret', icon: 'lock', onSelect: () => setAsked('rotate') },
          status === 'Enabled'
            ? { label: 'Disable', icon: 'pause', onSelect: () => turn.mutate('Disabled') }
            : { label: 'Enable', icon: 'play', onSelect: () => turn.mutate('Enabled') },
          { label: 'Delete', icon: 'close', danger: true, onSelect: () => setAsked('delete') },
        ]}
      />
      {turn.isError && <ErrorLine error={turn.error} />}
      <Dialog open={asked === 'test'} onClose={close} title="The test event did not arrive">
        {test.isError && <ErrorLine error={test.error} />}
        {test.data && (
          <Note tone="danger">
            {test.data.error ?? 'It failed.'} {test.data.httpStatus && `Your server answered ${test.data.httpStatus}.`}
          </Note>
        )}
        <p className="hint">A test is not retried. Correct the cause, then send another one.</p>
      </Dialog>
      {asked === 'rotate' && <Rotate endpoint={endpoint} onClose={close} onMade={setSecret} />}
      {asked === 'replay' && <Replay endpointId={id} onClose={close} />}
      {asked === 'delete' && <Delete endpoint={endpoint} onClose={close} />}
      <SecretOnce secret={secret} title="The new secret" label="Secret" onClose={() => setSecret(null)} />
    </>
  );
}

function Rotate({
  endpoint,
  onClose,
  onMade,
}: {
  endpoint: WebhookEndpointDto;
  onClose: () => void;
  onMade: (secret: string) => void;
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
      onMade(secret);
      await refresh();
    },
  });
  return (
    <FormDialog
      title="Make a new secret?"
      lead="Your server checks with it that requests come from this service."
      action="Make a new secret"
      work={rotate}
      onSubmit={() => rotate.mutate(Number(overlap))}
      onClose={onClose}
    >
      <Select
        label="The old secret signs, too"
        value={overlap}
        onChange={setOverlap}
        choices={OVERLAPS}
        hint="Until your server knows the new one."
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
      sayDone('Delivering again');
      await refresh();
    },
  });
  return (
    <FormDialog
      title="Deliver again"
      lead="Your server gets everything of that time once more, with the ids that it had: it can tell what it knows already."
      action="Deliver again"
      work={replay}
      onSubmit={() => replay.mutate(Number(hours))}
      onClose={onClose}
    >
      <Select label="What" value={hours} onChange={setHours} choices={REPLAYS} />
    </FormDialog>
  );
}

function Delete({ endpoint, onClose }: { endpoint: WebhookEndpointDto; onClose: () => void }) {
  const queries = useQueryClient();
  const [, go] = useLocation();
  const remove = useMutation({
    mutationFn: () => call(deleteWebhookEndpoint, { path: { endpointId: endpoint.id } }),
    onSuccess: async () => {
      sayDone('The endpoint is deleted');
      go('/webhooks');
      await queries.invalidateQueries({ queryKey: ['webhooks', 'list'] });
    },
  });
  return (
    <FormDialog
      title="Delete this endpoint?"
      lead={
        <>
          <bdi>{endpoint.url}</bdi> is told nothing more. What waits for it and its deliveries are deleted, too.
        </>
      }
      danger
      cancel="Keep it"
      action="Delete"
      work={remove}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    />
  );
}

function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['webhooks'] });
}
