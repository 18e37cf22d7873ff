/** The retention of an account's history. */
export interface HistoryTerm {
  accountId: string;
  retentionDays: number;
}

/** Stores the retention of each account. */
export abstract class HistoryTermStore {
  /** The retention of an account in days; null if the account does not exist. */
  abstract find(accountId: string): Promise<number | null>;
  /** Sets the retention of an account; returns whether the account exists. */
  abstract set(accountId: string, retentionDays: number): Promise<boolean>;
  /** The retention of every account, oldest account first. */
  abstract all(): Promise<HistoryTerm[]>;
}
