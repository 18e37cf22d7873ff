/** Maximum number of quick replies of an account. */
export const MAX_QUICK_REPLIES = 200;
/** Maximum length of the name, in characters. */
export const QUICK_REPLY_NAME_LENGTH = 60;

/** A text that people of an account insert into replies. */
export interface QuickReply {
  id: string;
  accountId: string;
  /** Unique within the account, ignoring case. */
  name: string;
  text: string;
  createdAt: Date;
  updatedAt: Date;
}

/** What a client sets. */
export type QuickReplyFields = Pick<QuickReply, 'name' | 'text'>;
