/** For how many days an account keeps its history. */
export interface HistoryTerm {
  accountId: string;
  retentionDays: number;
}

/** Where the terms of the accounts are kept. */
export abstract class HistoryTermStore {
  /** The days of an account; null where there is no such account. */
  abstract find(accountId: string): Promise<number | null>;
  /** Whether there was such an account. */
  abstract set(accountId: string, retentionDays: number): Promise<boolean>;
  /** Of every account, oldest account first. */
  abstract all(): Promise<HistoryTerm[]>;
}
