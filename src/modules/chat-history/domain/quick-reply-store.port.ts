import type { QuickReply, QuickReplyFields } from './quick-reply';

/** Stores quick replies. Every method joins the surrounding unit of work. */
export abstract class QuickReplyStore {
  /** All quick replies of the account, by name. */
  abstract list(accountId: string): Promise<QuickReply[]>;
  /** Null if the account has none with this id. */
  abstract find(accountId: string, id: string): Promise<QuickReply | null>;
  /** Adds it if the account has fewer than `limit`; returns whether it did. Throws QuickReplyNameTakenError. */
  abstract add(quickReply: QuickReply, limit: number): Promise<boolean>;
  /** Changes the given fields; returns null if the account has none with this id. Throws QuickReplyNameTakenError. */
  abstract change(accountId: string, id: string, fields: Partial<QuickReplyFields>): Promise<QuickReply | null>;
  /** Returns whether the account had one with this id. */
  abstract remove(accountId: string, id: string): Promise<boolean>;
}
