import type { Caller } from '../../src/kernel/caller';

const KEY = '01900000-0000-7000-8000-000000000000';

/** A caller with some key of the account. */
export function callerIn(accountId: string): Caller {
  return { accountId, keyId: KEY, keyPrefix: '', plan: 'Pro', scopes: [] };
}
