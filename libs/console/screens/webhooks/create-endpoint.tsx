import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createWebhookEndpoint } from '../../../client/generated/sdk.gen';
import type { CreateWebhookEndpointDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { useSendOnce } from '../../app/send-once';
import { Checks } from '../../ui/checks';
import { Input } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { SecretOnce } from '../../ui/secret-once';
import { EVENT_WORDS, EVENTS, type WebhookEvent } from './event-words';

/** Makes an endpoint and shows its secret once. */
export function CreateEndpoint({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [made, setMade] = useState<string | null>(null);
  return (
    <>
      {open && <Form onClose={onClose} onMade={setMade} />}
      <SecretOnce secret={made} title="The endpoint is there" label="Secret" onClose={() => setMade(null)}>
        <p className="hint">Your server checks with it that a request comes from this service.</p>
      </SecretOnce>
    </>
  );
}

function Form({ onClose, onMade }: { onClose: () => void; onMade: (secret: string) => void }) {
  const queries = useQueryClient();
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<WebhookEvent[]>([]);
  const [isTried, setTried] = useState(false);
  const send = useSendOnce((body: CreateWebhookEndpointDto) => call(createWebhookEndpoint, { body }));
  const create = useMutation({
    mutationFn: send,
    onSuccess: async ({ secret }) => {
      onClose();
      onMade(secret);
      await queries.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  const submit = () => {
    setTried(true);
    if (url.trim() !== '' && events.length > 0) create.mutate({ url: url.trim(), events });
  };
  return (
    <FormDialog
      wide
      title="Add an endpoint"
      lead="An address of your server that is told what happens, a moment after it happens."
      action="Add endpoint"
      work={create}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input
        label="Address"
        type="url"
        inputMode="url"
        placeholder="https://shop.example/webhooks/messages"
        hint="It begins with https:// and can be reached from the internet."
        value={url}
        onChange={setUrl}
        error={isTried && url.trim() === '' ? 'Say where the events go.' : undefined}
      />
      <Checks
        legend="It is told when"
        choices={EVENTS.map((event) => ({ value: event, label: <code>{event}</code>, hint: EVENT_WORDS[event] }))}
        values={events}
        onChange={setEvents}
        error={isTried && events.length === 0 ? 'Check at least one.' : undefined}
      />
    </FormDialog>
  );
}
