import type { OptOutKeywords } from './opt-out-keywords';

/** Keeps the keywords that accounts have chosen. */
export abstract class OptOutKeywordsStore {
  /** Null for an account that has chosen none. */
  abstract of(accountId: string): Promise<OptOutKeywords | null>;
  abstract set(accountId: string, keywords: OptOutKeywords): Promise<void>;
}
