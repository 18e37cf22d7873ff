import { Injectable } from '@nestjs/common';
import { AccountStore } from './account-store.port';

/** Data of accounts that a module deletes with them. */
export interface AccountPart {
  /** Deletes about `limit` rows of the account in a transaction of its own; returns their number, 0 if none is left. */
  deleteSome(accountId: string, limit: number): Promise<number>;
}

/** Responses of the platform to the account's last messages are recorded by then. */
const QUIET_SECONDS = 120;

/** Deletes the data of deleted accounts in small steps, and the accounts at the end. Any process can continue after any step. */
@Injectable()
export class AccountDeletion {
  private readonly parts: AccountPart[] = [];

  constructor(private readonly store: AccountStore) {}

  /** Adds data to delete, in the order of adding. */
  add(part: AccountPart): void {
    this.parts.push(part);
  }

  /** Whether the data of an account is to be deleted now. */
  async isDue(): Promise<boolean> {
    return (await this.store.deletedAccount(QUIET_SECONDS, null)) !== null;
  }

  /**
   * Deletes about `limit` rows of the account `from`, or of the next one if it is null. Returns the number of rows and the account to
   * continue with; null: there is none.
   */
  async step(from: string | null, limit: number): Promise<{ deleted: number; next: string | null }> {
    const accountId = await this.store.deletedAccount(QUIET_SECONDS, from);
    if (accountId === null) return { deleted: 0, next: null };
    for (const part of this.parts) {
      const deleted = await part.deleteSome(accountId, limit);
      if (deleted > 0) return { deleted, next: accountId };
    }
    await this.store.remove(accountId);
    return { deleted: 1, next: accountId };
  }
}
