import { Injectable } from '@nestjs/common';
import { AccountNotFoundError } from './accounts.errors';
import { type HistoryTerm, HistoryTermStore } from './history-term-store.port';

/** Bounds of an account's retention, in days. */
export const RETENTION_DAYS = { least: 1, most: 730 } as const;

/** How long each account keeps its messages and the recipients of its finished jobs. */
@Injectable()
export class HistoryTerms {
  constructor(private readonly store: HistoryTermStore) {}

  /** The retention of one account in days; throws AccountNotFoundError. */
  async of(accountId: string): Promise<number> {
    const days = await this.store.find(accountId);
    if (days === null) throw new AccountNotFoundError();
    return days;
  }

  /** Sets the retention of one account, within RETENTION_DAYS; throws AccountNotFoundError. */
  async set(accountId: string, retentionDays: number): Promise<void> {
    if (!(await this.store.set(accountId, retentionDays))) throw new AccountNotFoundError();
  }

  /** The retention of every account, oldest account first. */
  all(): Promise<HistoryTerm[]> {
    return this.store.all();
  }
}
