import { createAccount, createAccountApiKey, syncTemplates } from '../../../libs/client/generated/sdk.gen';
import type { CreateApiKeyDto } from '../../../libs/client/generated/types.gen';
import type { Client } from './client';

/** A second account, with a key that has every scope except the operator's. */
export interface OtherAccount {
  id: string;
  key: string;
  phoneNumberId: string;
}

const SCOPES: CreateApiKeyDto['scopes'] = [
  'messaging:send',
  'messaging:manage',
  'templates:manage',
  'jobs:manage',
  'groups:manage',
  'keys:manage',
  'webhooks:manage',
];
let made = 0;

/** Creates an account with its own sender and templates; the sandbox must have `autoCreateSenders`. */
export async function anotherAccount(
  client: Client,
  sender: { messagesPerSecond?: number } = {},
): Promise<OtherAccount> {
  const operator = client.messaging();
  const phoneNumberId = String(700_000_000_000_000 + ++made);
  const businessAccountId = String(800_000_000_000_000 + made);
  const account = {
    name: `Account ${made}`,
    plan: 'Enterprise',
    sender: { phoneNumberId, businessAccountId, ...sender },
  };
  const { id } = await operator.call(createAccount, { body: account });
  const body = { name: 'tests', scopes: SCOPES };
  const { key } = await operator.call(createAccountApiKey, { path: { accountId: id }, body });
  await client.messaging(key).call(syncTemplates, {});
  return { id, key, phoneNumberId };
}
