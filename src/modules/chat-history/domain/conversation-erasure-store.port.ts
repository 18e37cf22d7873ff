import type { Conversation } from './conversation';

/** Finds and removes the conversations of people who are erased. Every method joins the surrounding unit of work. */
export abstract class ConversationErasureStore {
  /** The account's conversations with these ids, now or before they were joined, and those in which a person had this user id. */
  abstract conversations(accountId: string, ids: readonly string[], userId: string | null): Promise<Conversation[]>;
  /** Removes the conversation unless it has messages; whether it was removed. No message can be added meanwhile. */
  abstract removeEmpty(accountId: string, conversationId: string): Promise<boolean>;
}
