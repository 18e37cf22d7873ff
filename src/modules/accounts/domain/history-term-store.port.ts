/** How many days an account keeps its history. */
export interface HistoryTerm {
  accountId: string;
  retentionDays: number;
}

/** Stores the retention of each account. */
export abstract class HistoryTermStore {
  /** The days of an account; null if there is no such account. */
  abstract find(accountId: string): Promise<number | null>;
  /** Sets the days of an account; returns whether the account exists. */
  abstract set(accountId: string, retentionDays: number): Promise<boolean>;
  /** The retention of every account, oldest account first. */
  abstract all(): Promise<HistoryTerm[]>;
}
