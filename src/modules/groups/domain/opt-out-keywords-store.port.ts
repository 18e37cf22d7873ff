import type { OptOutKeywords } from './opt-out-keywords';

/** Stores the keywords of accounts. */
export abstract class OptOutKeywordsStore {
  /** Null if the account uses the defaults. */
  abstract of(accountId: string): Promise<OptOutKeywords | null>;
  abstract set(accountId: string, keywords: OptOutKeywords): Promise<void>;
}
