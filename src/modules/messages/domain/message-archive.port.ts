import type { ActingKey } from '../../../kernel/acting-key';
import type { TimeCursor } from '../../../kernel/time-cursor';
import type {
  Direction,
  ErasedMessages,
  MessagePreview,
  MessageRange,
  PositionedMessage,
  StoredMessage,
} from './stored-message';
import type { MessageStatus } from './message';

/** Which messages are wanted; an absent field matches everything. */
export interface MessageFilter {
  conversationId?: string;
  reference?: string;
  jobId?: string;
  status?: MessageStatus;
  errorCode?: string;
  direction?: Direction;
  /** Only messages after this position, and before that one. */
  after?: TimeCursor;
  before?: TimeCursor;
}

/** Reads the message history without what was erased; every call but `idsOf` reads a limited number of rows. */
export abstract class MessageArchive {
  /** Newest first. */
  abstract newest(accountId: string, filter: MessageFilter, limit: number): Promise<MessageRange>;
  /** Oldest first. */
  abstract oldest(accountId: string, filter: MessageFilter, limit: number): Promise<MessageRange>;
  /** The ids of all messages of a conversation at one moment, oldest first. */
  abstract idsOf(conversationId: string): Promise<string[]>;
  /** Those of these messages of the account that exist, in this order. */
  abstract inOrder(accountId: string, messageIds: readonly string[]): Promise<StoredMessage[]>;
  /** The message of the account with this id, or null. */
  abstract find(accountId: string, messageId: string): Promise<PositionedMessage | null>;
  /** The API key with which a message was sent, or its job created; null for inbound messages and where it was not recorded. */
  abstract sentBy(message: StoredMessage): Promise<ActingKey | null>;
  /** The content of those of these messages that exist, in any order. */
  abstract previews(accountId: string, messageIds: readonly string[]): Promise<MessagePreview[]>;
  /** Records when the platform accepted the read receipt of an inbound message. */
  abstract setReadReceipt(messageId: string, at: Date): Promise<void>;
  /** Locks up to `limit` messages of the conversation by id; their ids. Joins the surrounding unit of work. */
  abstract hold(accountId: string, conversationId: string, limit: number): Promise<string[]>;
  /** Moves messages into another conversation of their account. Joins the surrounding unit of work. */
  abstract move(messageIds: readonly string[], conversationId: string): Promise<void>;
  /**
   * Erases up to `limit` messages of the conversation, only those whose ids were made before `madeBefore` where it is given:
   * their rows stay, without content and without the person; `isAll`: there were no more. Joins the surrounding unit of work.
   */
  abstract erase(
    accountId: string,
    conversationId: string,
    madeBefore: Date | null,
    limit: number,
  ): Promise<ErasedMessages>;
}
