import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createAccountApiKey, createApiKey } from '../../../client/generated/sdk.gen';
import { asMessagingError, call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import type { Scope } from '../../api/scopes';
import { useSendOnce } from '../../app/send-once';
import { useSession } from '../../app/session';
import { rich, t } from '../../language/translate';
import { Checks } from '../../ui/checks';
import { Input, TextArea } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { SecretOnce } from '../../ui/secret-once';
import { Select } from '../../ui/select';
import { PRESETS, SCOPE_LABELS, SCOPES } from './scope-labels';

const DAY_MS = 86_400_000;
const PERIODS = [
  { value: '30', label: t('In 30 days') },
  { value: '90', label: t('In 90 days') },
  { value: '365', label: t('In a year') },
];
const NEVER = { value: 'never', label: t('Never') };
/** An expiring key can only create keys that expire no later than itself. */
const WITH_OWN_KEY = { value: 'own', label: t('With your key') };

/** Instead of the scopes of a preset. */
const CHOSEN = { value: 'chosen', label: t('Choose scopes') };

/** Creates a key and shows its secret once. `accountId`: for another account, by the operator. */
export function CreateKey({ open, onClose, accountId }: { open: boolean; onClose: () => void; accountId?: string }) {
  const [newSecret, setNewSecret] = useState<string | null>(null);
  return (
    <>
      {open && <Form accountId={accountId} onClose={onClose} onSecret={setNewSecret} />}
      <SecretOnce secret={newSecret} title={t('New API key')} label={t('API key')} onClose={() => setNewSecret(null)}>
        <p className="hint">
          {rich('Programs send it in the <code>X-API-Key</code> header; people use it to sign in to this console.', {
            code: (text) => <code>{text}</code>,
          })}
        </p>
      </SecretOnce>
    </>
  );
}

function Form({
  accountId,
  onClose,
  onSecret,
}: {
  accountId: string | undefined;
  onClose: () => void;
  onSecret: (secret: string) => void;
}) {
  const session = useSession();
  const queries = useQueryClient();
  const isOtherAccount = accountId !== undefined && accountId !== session.account.id;
  const ownExpiry = isOtherAccount ? null : session.key.expiresAt;
  const choices = [
    ...(ownExpiry ? [WITH_OWN_KEY] : [NEVER]),
    ...PERIODS.filter(({ value }) => !ownExpiry || expiryAfter(value) < ownExpiry),
  ];
  const [name, setName] = useState('');
  const grantableScopes = SCOPES.filter((scope) => (isOtherAccount ? scope !== 'accounts:manage' : session.can(scope)));
  const presets = PRESETS.filter(({ scopes: needed }) => needed.every((scope) => grantableScopes.includes(scope)));
  const [preset, setPreset] = useState((presets[0] ?? CHOSEN).value);
  const [scopes, setScopes] = useState<Scope[]>(presets[0]?.scopes ?? []);
  const [expires, setExpires] = useState(choices[0]!.value);
  const [addresses, setAddresses] = useState('');
  const [wasSubmitted, setSubmitted] = useState(false);
  const send = useSendOnce((input: { name: string; scopes: Scope[]; expires: string; allowedIps: string[] }) => {
    const { expires: end, ...rest } = input;
    const body = { ...rest, expiresAt: end === 'never' ? null : end === 'own' ? ownExpiry : expiryAfter(end) };
    return accountId === undefined
      ? call(createApiKey, { body })
      : call(createAccountApiKey, { path: { accountId }, body });
  });
  const create = useMutation({
    mutationFn: send,
    onSuccess: async ({ key }) => {
      onClose();
      onSecret(key);
      await queries.invalidateQueries({ queryKey: queryKeys.apiKeys.all });
    },
  });
  const fieldErrors = create.error ? asMessagingError(create.error).errors : [];
  const isAddress = fieldErrors.length > 0 && fieldErrors.every(({ field }) => field.startsWith('allowedIps'));
  const submit = () => {
    setSubmitted(true);
    if (name.trim() === '' || scopes.length === 0) return;
    const allowedIps = addresses.split(/[\s,;]+/).filter((one) => one !== '');
    create.mutate({ name: name.trim(), scopes, expires, allowedIps });
  };
  return (
    <FormDialog
      wide
      title={t('Create API key')}
      lead={t(
        'Give each person and program its own key with only the scopes it needs, so that you can revoke it separately.',
      )}
      action={t('Create key')}
      mutation={create}
      error={isAddress ? null : create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input
        label={t('Name')}
        hint={t('The person or program that uses it, such as “Anna” or “Shop system”.')}
        value={name}
        onChange={setName}
        maxLength={100}
        dir="auto"
        error={wasSubmitted && name.trim() === '' ? t('Enter a name.') : undefined}
      />
      <Select
        label={t('Purpose')}
        value={preset}
        onChange={(next) => {
          setPreset(next);
          // Scopes are chosen on the basis of the preset before.
          setScopes(presets.find(({ value }) => value === next)?.scopes ?? scopes);
        }}
        choices={[...presets, CHOSEN]}
      />
      {preset === CHOSEN.value ? (
        <Checks
          legend={t('Scopes')}
          choices={grantableScopes.map((scope) => ({
            value: scope,
            label: <code>{scope}</code>,
            hint: SCOPE_LABELS[scope],
          }))}
          values={scopes}
          onChange={setScopes}
          error={wasSubmitted && scopes.length === 0 ? t('Select at least one.') : undefined}
        />
      ) : (
        <ul className="hint" aria-label={t('Scopes')}>
          {scopes.map((scope) => (
            <li key={scope}>
              <code>{scope}</code>: {SCOPE_LABELS[scope]}
            </li>
          ))}
        </ul>
      )}
      <Select
        label={t('Expires')}
        value={expires}
        onChange={setExpires}
        choices={choices}
        hint={ownExpiry ? t('Your own key expires; new keys cannot outlive it.') : undefined}
      />
      <TextArea
        label={t('Allowed IP addresses (optional)')}
        hint={t('Addresses or ranges such as 203.0.113.0/24, one per line. Leave empty to allow any.')}
        rows={2}
        error={
          isAddress
            ? t('Enter one address, such as 203.0.113.7, or range, such as 203.0.113.0/24, per line.')
            : undefined
        }
        value={addresses}
        onChange={setAddresses}
      />
    </FormDialog>
  );
}

function expiryAfter(days: string): string {
  return new Date(Date.now() + Number(days) * DAY_MS).toISOString();
}
