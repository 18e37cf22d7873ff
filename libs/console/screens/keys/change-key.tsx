import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { revokeAccountApiKey, revokeApiKey, rotateApiKey } from '../../../client/generated/sdk.gen';
import type { ApiKeyDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { useSendOnce } from '../../app/send-once';
import { useSession } from '../../app/session';
import { FormDialog } from '../../ui/form-dialog';
import { SecretOnce } from '../../ui/secret-once';
import { Select } from '../../ui/select';
import { Note } from '../../ui/states';
import { sayDone } from '../../ui/toast';

const OVERLAPS = [
  { value: '0', label: 'Not at all: it ends now' },
  { value: '3600', label: 'For an hour' },
  { value: '86400', label: 'For a day' },
  { value: '604800', label: 'For a week' },
];

/** Gives a key a new secret, which is shown once; `apiKey` null: closed. */
export function RotateKey({ apiKey, onClose }: { apiKey: ApiKeyDto | null; onClose: () => void }) {
  const [made, setMade] = useState<string | null>(null);
  return (
    <>
      {apiKey && <RotateForm apiKey={apiKey} onClose={onClose} onMade={setMade} />}
      <SecretOnce secret={made} title="The new secret" label="API key" onClose={() => setMade(null)} />
    </>
  );
}

function RotateForm({
  apiKey,
  onClose,
  onMade,
}: {
  apiKey: ApiKeyDto;
  onClose: () => void;
  onMade: (secret: string) => void;
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
      onMade(key);
      // With the old secret of the own key this session may be over: the new one must be seen first.
      if (!isOwn) await queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  return (
    <FormDialog
      title={`New secret for “${apiKey.name}”?`}
      lead="The key keeps its name and what it may do. Whoever uses it needs the new secret."
      action="Make a new secret"
      work={rotate}
      onSubmit={() => rotate.mutate(Number(overlap))}
      onClose={onClose}
    >
      <Select
        label="The old secret still works"
        value={overlap}
        onChange={setOverlap}
        choices={OVERLAPS}
        hint="Long enough to put the new one in place everywhere."
      />
      {isOwn && (
        <Note tone="warning">
          You are signed in with this key. When its old secret ends, you sign in with the new one.
        </Note>
      )}
    </FormDialog>
  );
}

/** Asks before a key is revoked. `accountId`: of another account. */
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
      sayDone('The key is revoked', 'Requests with it are refused.');
      await queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  return (
    <FormDialog
      title={`Revoke “${apiKey.name}”?`}
      lead="It stops working at once, everywhere, and whoever is signed in with it is signed out. A revoked key does not come back."
      danger
      cancel="Keep it"
      action="Revoke"
      work={revoke}
      onSubmit={() => revoke.mutate()}
      onClose={onClose}
    />
  );
}
