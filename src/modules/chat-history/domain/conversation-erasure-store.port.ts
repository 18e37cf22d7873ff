import type { Conversation } from './conversation';

/** Finds and removes conversations for erasure. Every method joins the surrounding unit of work. */
export abstract class ConversationErasureStore {
  /** The account's conversations with these current or former ids, and those with this user id. */
  abstract conversations(accountId: string, ids: readonly string[], userId: string | null): Promise<Conversation[]>;
  /** Removes the conversation if it has no messages; returns whether it did. Concurrent recording waits. */
  abstract removeEmpty(accountId: string, conversationId: string): Promise<boolean>;
}
