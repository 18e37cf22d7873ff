import type { ActingKey } from '../../../kernel/acting-key';
import type { RequestOrigin } from '../../../kernel/request-context';
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
  platformMessageId?: string;
  direction?: Direction;
  /** Only messages between these positions. */
  after?: TimeCursor;
  before?: TimeCursor;
}

/** The API key and the request that sent a message or created its job; null if not recorded. */
export interface MessageOrigin extends RequestOrigin {
  sentBy: ActingKey | null;
}

/** Reads the message history without erased messages; every call except `idsOf` reads a limited number of rows. */
export abstract class MessageArchive {
  /** Newest first. */
  abstract newest(accountId: string, filter: MessageFilter, limit: number): Promise<MessageRange>;
  /** Oldest first. */
  abstract oldest(accountId: string, filter: MessageFilter, limit: number): Promise<MessageRange>;
  /** The ids of all messages of a conversation, oldest first. */
  abstract idsOf(conversationId: string): Promise<string[]>;
  /** The messages with these ids that exist in the account, in this order. */
  abstract inOrder(accountId: string, messageIds: readonly string[]): Promise<StoredMessage[]>;
  /** The message of the account with this id, or null. */
  abstract find(accountId: string, messageId: string): Promise<PositionedMessage | null>;
  /** The origins of those of these messages that were sent and whose send or job is still stored, by message id. */
  abstract origins(messages: readonly StoredMessage[]): Promise<Map<string, MessageOrigin>>;
  /** The contents of the messages with these ids that exist, in any order. */
  abstract previews(accountId: string, messageIds: readonly string[]): Promise<MessagePreview[]>;
  /** Records when the platform accepted the read receipt of an inbound message. */
  abstract setReadReceipt(messageId: string, at: Date): Promise<void>;
  /**
   * Locks up to `limit` messages of the conversation in id order; returns their ids. Joins the surrounding unit of
   * work.
   */
  abstract lock(accountId: string, conversationId: string, limit: number): Promise<string[]>;
  /** Moves messages into another conversation of their account. Joins the surrounding unit of work. */
  abstract move(messageIds: readonly string[], conversationId: string): Promise<void>;
  /**
   * Erases content and person of up to `limit` messages of the conversation, optionally only of those with ids created
   * before `createdBefore`; the rows remain. `isAll`: none are left. Joins the surrounding unit of work.
   */
  abstract erase(
    accountId: string,
    conversationId: string,
    createdBefore: Date | null,
    limit: number,
  ): Promise<ErasedMessages>;
}
