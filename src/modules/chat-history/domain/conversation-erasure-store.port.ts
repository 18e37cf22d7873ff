import type { Conversation } from './conversation';
import type { Direction } from './kept-message';

/** A message that says nothing of anybody any more. */
export interface ErasedMessage {
  id: string;
  direction: Direction;
}

/** Takes people out of the history. Every method joins the surrounding unit of work. */
export abstract class ConversationErasureStore {
  /** The account's conversations with these ids, and those in which a person had this user id. */
  abstract conversations(accountId: string, ids: readonly string[], userId: string | null): Promise<Conversation[]>;
  /**
   * Erases up to so many messages of the conversation, those alone whose ids were made before a moment where one is given:
   * their rows stay, without content and without the person.
   */
  abstract eraseMessages(
    accountId: string,
    conversationId: string,
    madeBefore: Date | null,
    limit: number,
  ): Promise<ErasedMessage[]>;
  /** Removes the conversation unless it has messages: whether it is gone. Nobody can add one meanwhile. */
  abstract removeEmpty(accountId: string, conversationId: string): Promise<boolean>;
}
