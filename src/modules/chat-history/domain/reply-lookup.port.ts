import type { Conversation } from './conversation';

/** What of a conversation a reply has to know. */
export type OpenConversation = Pick<Conversation, 'id' | 'contactPhone' | 'userId' | 'windowExpiresAt'>;

/** Reads what a reply depends on. */
export abstract class ReplyLookup {
  /** The account's conversation with this id. */
  abstract conversation(accountId: string, id: string): Promise<OpenConversation | null>;
  /** The platform's ids of those of these messages that belong to the conversation; null for one that has none. */
  abstract platformIds(conversationId: string, messageIds: readonly string[]): Promise<Map<string, string | null>>;
}
