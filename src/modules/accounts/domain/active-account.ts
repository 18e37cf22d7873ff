import type { Account } from './account';
import type { AccountStore } from './account-store.port';
import { AccountDeletingError, AccountNotFoundError } from './accounts.errors';

/** An account that is not being deleted. Throws AccountNotFoundError, AccountDeletingError. */
export async function activeAccount(store: AccountStore, id: string): Promise<Account> {
  const account = await store.byId(id);
  if (!account) throw new AccountNotFoundError();
  if (account.status === 'Deleting') throw new AccountDeletingError();
  return account;
}

/**
 * Locks such an account until the surrounding unit of work ends, so that its deletion, its limits and its last key are decided one change
 * at a time. Throws AccountNotFoundError, AccountDeletingError.
 */
export async function lockActiveAccount(store: AccountStore, id: string): Promise<Account> {
  await store.lock(id);
  return activeAccount(store, id);
}
