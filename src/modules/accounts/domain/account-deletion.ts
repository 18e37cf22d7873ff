import { Injectable } from '@nestjs/common';
import type { DeletedAccount } from './account';
import { AccountStore } from './account-store.port';

/** Data of accounts that a module deletes with them. */
export interface AccountPart {
  /** Deletes about `limit` rows of the account in a transaction of its own; returns their number, 0 if none is left. */
  deleteSome(accountId: string, limit: number): Promise<number>;
  /** Whether the account itself may be deleted once no data is left; default: always. */
  isFinished?(accountId: string): Promise<boolean>;
}

/** Responses of the platform to the account's last messages are recorded by then. */
const QUIET_SECONDS = 120;

/** Deletes the data of deleted accounts in small steps, and the accounts at the end. Any process can continue after any step. */
@Injectable()
export class AccountDeletion {
  private readonly parts: AccountPart[] = [];
  private readonly lastParts: AccountPart[] = [];

  constructor(private readonly store: AccountStore) {}

  /** Adds data to delete, in the order of adding. */
  add(part: AccountPart): void {
    this.parts.push(part);
  }

  /** Adds data that other data refers to: it is deleted after all other. */
  addLast(part: AccountPart): void {
    this.lastParts.push(part);
  }

  /** The accounts whose data is to be deleted now, those deleted first at the beginning. */
  due(): Promise<DeletedAccount[]> {
    return this.store.deletedAccounts(QUIET_SECONDS);
  }

  /** Deletes about `limit` rows of the account; returns their number, and whether there is more to delete now. */
  async step(account: DeletedAccount, limit: number): Promise<{ deleted: number; hasMore: boolean }> {
    const parts = [...this.parts, ...this.lastParts];
    for (const part of parts) {
      const deleted = await part.deleteSome(account.id, limit);
      if (deleted > 0) return { deleted, hasMore: true };
    }
    for (const part of parts) {
      if ((await part.isFinished?.(account.id)) === false) return { deleted: 0, hasMore: false };
    }
    await this.store.remove(account.id);
    return { deleted: 1, hasMore: false };
  }
}
