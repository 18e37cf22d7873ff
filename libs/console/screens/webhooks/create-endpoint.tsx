import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createWebhookEndpoint } from '../../../client/generated/sdk.gen';
import type { CreateWebhookEndpointDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSendOnce } from '../../app/send-once';
import { t } from '../../language/translate';
import { Checks } from '../../ui/checks';
import { Input } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { SecretOnce } from '../../ui/secret-once';
import { EVENT_LABELS, EVENTS, type WebhookEvent } from './event-labels';

/** Creates an endpoint and shows its secret once. */
export function CreateEndpoint({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [newSecret, setNewSecret] = useState<string | null>(null);
  return (
    <>
      {open && <Form onClose={onClose} onSecret={setNewSecret} />}
      <SecretOnce secret={newSecret} title={t('Endpoint added')} label={t('Secret')} onClose={() => setNewSecret(null)}>
        <p className="hint">{t('Use it to verify that requests come from this service.')}</p>
      </SecretOnce>
    </>
  );
}

function Form({ onClose, onSecret }: { onClose: () => void; onSecret: (secret: string) => void }) {
  const queries = useQueryClient();
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<WebhookEvent[]>([]);
  const [wasSubmitted, setSubmitted] = useState(false);
  const send = useSendOnce((body: CreateWebhookEndpointDto) => call(createWebhookEndpoint, { body }));
  const create = useMutation({
    mutationFn: send,
    onSuccess: async ({ secret }) => {
      onClose();
      onSecret(secret);
      await queries.invalidateQueries({ queryKey: queryKeys.webhooks.all });
    },
  });
  const submit = () => {
    setSubmitted(true);
    if (url.trim() !== '' && events.length > 0) create.mutate({ url: url.trim(), events });
  };
  return (
    <FormDialog
      wide
      title={t('Add endpoint')}
      lead={t('A URL on your server that receives events as they happen.')}
      action={t('Add endpoint')}
      mutation={create}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input
        label={t('URL')}
        type="url"
        inputMode="url"
        placeholder="https://shop.example/webhooks/messages"
        hint={t('Starts with https:// and is reachable from the internet.')}
        value={url}
        onChange={setUrl}
        error={wasSubmitted && url.trim() === '' ? t('Enter a URL.') : undefined}
      />
      <Checks
        legend={t('Events')}
        choices={EVENTS.map((event) => ({ value: event, label: <code>{event}</code>, hint: EVENT_LABELS[event] }))}
        values={events}
        onChange={setEvents}
        error={wasSubmitted && events.length === 0 ? t('Select at least one.') : undefined}
      />
    </FormDialog>
  );
}
