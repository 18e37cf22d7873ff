import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createAccountApiKey, createApiKey } from '../../../client/generated/sdk.gen';
import { asMessagingError, call } from '../../api/call';
import type { Scope } from '../../api/scopes';
import { useSendOnce } from '../../app/send-once';
import { useSession } from '../../app/session';
import { Checks } from '../../ui/checks';
import { Input, TextArea } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { SecretOnce } from '../../ui/secret-once';
import { Select } from '../../ui/select';
import { SCOPE_WORDS, SCOPES } from './scope-words';

const DAY_MS = 86_400_000;
const PERIODS = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];
const NEVER = { value: 'never', label: 'Never' };
/** A key that expires makes keys that expire with it at the latest. */
const AS_OWN = { value: 'own', label: 'Together with your key' };

/** Makes a key and shows its secret once. `accountId`: of another account, which the operator does. */
export function CreateKey({ open, onClose, accountId }: { open: boolean; onClose: () => void; accountId?: string }) {
  const [made, setMade] = useState<string | null>(null);
  return (
    <>
      {open && <Form accountId={accountId} onClose={onClose} onMade={setMade} />}
      <SecretOnce secret={made} title="The new key" label="API key" onClose={() => setMade(null)}>
        <p className="hint">
          Programs send it in the header <code>X-API-Key</code>; people sign in to this console with it.
        </p>
      </SecretOnce>
    </>
  );
}

function Form({
  accountId,
  onClose,
  onMade,
}: {
  accountId: string | undefined;
  onClose: () => void;
  onMade: (secret: string) => void;
}) {
  const session = useSession();
  const queries = useQueryClient();
  const isOthers = accountId !== undefined && accountId !== session.account.id;
  const ownEnd = isOthers ? null : session.key.expiresAt;
  const choices = [
    ...(ownEnd ? [AS_OWN] : [NEVER]),
    ...PERIODS.filter(({ value }) => !ownEnd || endOf(value) < ownEnd),
  ];
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>([]);
  const [expires, setExpires] = useState(choices[0]!.value);
  const [addresses, setAddresses] = useState('');
  const [isTried, setTried] = useState(false);
  const mayGive = SCOPES.filter((scope) => (isOthers ? scope !== 'accounts:manage' : session.can(scope)));
  const send = useSendOnce((what: { name: string; scopes: Scope[]; expires: string; allowedIps: string[] }) => {
    const { expires: end, ...rest } = what;
    const body = { ...rest, expiresAt: end === 'never' ? null : end === 'own' ? ownEnd : endOf(end) };
    return accountId === undefined
      ? call(createApiKey, { body })
      : call(createAccountApiKey, { path: { accountId }, body });
  });
  const create = useMutation({
    mutationFn: send,
    onSuccess: async ({ key }) => {
      onClose();
      onMade(key);
      await queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const refused = create.error ? asMessagingError(create.error).errors : [];
  const isAddress = refused.length > 0 && refused.every(({ field }) => field.startsWith('allowedIps'));
  const submit = () => {
    setTried(true);
    if (name.trim() === '' || scopes.length === 0) return;
    const allowedIps = addresses.split(/[\s,;]+/).filter((one) => one !== '');
    create.mutate({ name: name.trim(), scopes, expires, allowedIps });
  };
  return (
    <FormDialog
      wide
      title="Create an API key"
      lead="Give each person and each program a key of their own, with only what it needs: it can then be taken away alone."
      action="Create key"
      work={create}
      error={isAddress ? null : create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input
        label="Name"
        hint="Who or what uses it, such as “Anna” or “Shop system”."
        value={name}
        onChange={setName}
        maxLength={100}
        dir="auto"
        error={isTried && name.trim() === '' ? 'Give it a name.' : undefined}
      />
      <Checks
        legend="What it may do"
        choices={mayGive.map((scope) => ({ value: scope, label: <code>{scope}</code>, hint: SCOPE_WORDS[scope] }))}
        values={scopes}
        onChange={setScopes}
        error={isTried && scopes.length === 0 ? 'Check at least one.' : undefined}
      />
      <Select
        label="Expires"
        value={expires}
        onChange={setExpires}
        choices={choices}
        hint={ownEnd ? 'Your own key expires: keys that it makes expire with it at the latest.' : undefined}
      />
      <TextArea
        label="Allowed addresses (optional)"
        hint="IP addresses or ranges such as 203.0.113.0/24, one a line. Empty: from anywhere."
        rows={2}
        error={
          isAddress ? 'Each line is an address, such as 203.0.113.7, or a range, such as 203.0.113.0/24.' : undefined
        }
        value={addresses}
        onChange={setAddresses}
      />
    </FormDialog>
  );
}

function endOf(days: string): string {
  return new Date(Date.now() + Number(days) * DAY_MS).toISOString();
}
