import type { Client } from './client';

/** An account beside the first one, with a key that has every scope but the operator's. */
export interface OtherAccount {
  id: string;
  key: string;
  phoneNumberId: string;
}

const SCOPES = [
  'messaging:send',
  'messaging:manage',
  'templates:manage',
  'jobs:manage',
  'groups:manage',
  'keys:manage',
];
let made = 0;

/** Makes an account with a sender of its own and its templates; the sandbox must have `autoCreateSenders`. */
export async function anotherAccount(
  client: Client,
  sender: { messagesPerSecond?: number } = {},
): Promise<OtherAccount> {
  const phoneNumberId = String(700_000_000_000_000 + ++made);
  const account = await client.post('/accounts', {
    name: `Account ${made}`,
    plan: 'Enterprise',
    sender: { phoneNumberId, businessAccountId: String(800_000_000_000_000 + made), ...sender },
  });
  const id = account.body.id as string;
  const { body } = await client.post(`/accounts/${id}/api-keys`, { name: 'tests', scopes: SCOPES });
  const key = body.key as string;
  const synced = await client.post('/templates/sync', undefined, { key });
  if (synced.status !== 200) throw new Error(`The sync was answered ${synced.status}: ${JSON.stringify(synced.body)}`);
  return { id, key, phoneNumberId };
}
