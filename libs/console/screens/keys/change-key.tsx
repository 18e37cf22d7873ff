import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { revokeAccountApiKey, revokeApiKey, rotateApiKey } from '../../../client/generated/sdk.gen';
import type { ApiKeyDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSendOnce } from '../../app/send-once';
import { useSession } from '../../app/session';
import { t } from '../../language/translate';
import { FormDialog } from '../../ui/form-dialog';
import { SecretOnce } from '../../ui/secret-once';
import { Select } from '../../ui/select';
import { Note } from '../../ui/states';
import { showToast } from '../../ui/toast';

const OVERLAPS = [
  { value: '0', label: t('Expires now') },
  { value: '3600', label: t('Valid for 1 hour') },
  { value: '86400', label: t('Valid for 1 day') },
  { value: '604800', label: t('Valid for 7 days') },
];

/** Rotates the secret of a key and shows the new one once; closed if `apiKey` is null. */
export function RotateKey({ apiKey, onClose }: { apiKey: ApiKeyDto | null; onClose: () => void }) {
  const [newSecret, setNewSecret] = useState<string | null>(null);
  return (
    <>
      {apiKey && <RotateForm apiKey={apiKey} onClose={onClose} onSecret={setNewSecret} />}
      <SecretOnce secret={newSecret} title={t('New secret')} label={t('API key')} onClose={() => setNewSecret(null)} />
    </>
  );
}

function RotateForm({
  apiKey,
  onClose,
  onSecret,
}: {
  apiKey: ApiKeyDto;
  onClose: () => void;
  onSecret: (secret: string) => void;
}) {
  const session = useSession();
  const queries = useQueryClient();
  const isOwn = session.key.id === apiKey.id;
  const [overlap, setOverlap] = useState('86400');
  const send = useSendOnce((overlapSeconds: number) =>
    call(rotateApiKey, { path: { keyId: apiKey.id }, body: { overlapSeconds } }),
  );
  const rotate = useMutation({
    mutationFn: send,
    onSuccess: async ({ key }) => {
      onClose();
      onSecret(key);
      // Rotating the session's own key may end the session; a refetch would then hide the new secret.
      if (!isOwn) await queries.invalidateQueries({ queryKey: queryKeys.apiKeys.all });
    },
  });
  return (
    <FormDialog
      title={t('Rotate secret of “{name}”?', { name: apiKey.name })}
      lead={t('The key keeps its name and scopes. Everything that uses it needs the new secret.')}
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
        hint={t('Keep the old secret valid until the new one is deployed everywhere.')}
      />
      {isOwn && (
        <Note tone="warning">
          {t('You are signed in with this key. Once its old secret expires, you need to sign in with the new one.')}
        </Note>
      )}
    </FormDialog>
  );
}

/** Confirms and revokes a key. `accountId`: the key belongs to another account. */
export function RevokeKey({
  apiKey,
  accountId,
  onClose,
}: {
  apiKey: ApiKeyDto;
  accountId?: string;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () =>
      accountId === undefined
        ? call(revokeApiKey, { path: { keyId: apiKey.id } })
        : call(revokeAccountApiKey, { path: { accountId, keyId: apiKey.id } }),
    onSuccess: async () => {
      onClose();
      showToast(t('Key revoked'), t('Requests with it are now rejected.'));
      await queries.invalidateQueries({ queryKey: queryKeys.apiKeys.all });
    },
  });
  return (
    <FormDialog
      title={t('Revoke “{name}”?', { name: apiKey.name })}
      lead={t(
        'The key stops working immediately, and everyone signed in with it is signed out. This cannot be undone.',
      )}
      danger
      cancel={t('Cancel')}
      action={t('Revoke')}
      mutation={revoke}
      onSubmit={() => revoke.mutate()}
      onClose={onClose}
    />
  );
}
