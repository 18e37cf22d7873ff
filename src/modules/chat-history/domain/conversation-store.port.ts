import type { Conversation } from './conversation';
import type { Place } from './place';

/** A conversation and where it stands in the list of its account. */
export interface PlacedConversation {
  conversation: Conversation;
  place: Place;
}

/** Reads conversations, and what a reader changes of them. Every method joins the surrounding unit of work. */
export abstract class ConversationStore {
  /** Latest message first, from `after` on. */
  abstract list(accountId: string, after: Place | undefined, limit: number): Promise<PlacedConversation[]>;
  /** The conversation of the account with this id, or null. */
  abstract find(accountId: string, conversationId: string): Promise<Conversation | null>;
  /** The same, and nobody else changes it before the unit of work ends. */
  abstract lock(accountId: string, conversationId: string): Promise<Conversation | null>;
  /** The names that the account's contacts have for these people, by the id of the conversation. */
  abstract contactNames(accountId: string, conversations: readonly Conversation[]): Promise<Map<string, string>>;
  /** Sets how many inbound messages are unread. */
  abstract setUnread(conversationId: string, count: number): Promise<void>;
}
