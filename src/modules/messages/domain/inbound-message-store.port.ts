import type { AnsweredMessage, InboundRecord } from './inbound-message';
import type { MessageContent, MessageType } from './message-content';

/** An inbound message that a person may edit or revoke. */
export interface StoredOriginal {
  id: string;
  accountId: string;
  platformMessageId: string;
  type: MessageType;
  content: MessageContent;
}

/** Stores inbound messages. Every method joins the surrounding unit of work. */
export abstract class InboundMessageStore {
  /** Inserts the messages that do not exist yet; returns their ids. */
  abstract add(messages: readonly InboundRecord[]): Promise<Set<string>>;
  /**
   * Replaces type and content of stored messages of type Unsupported. Returns the replaced ids with conversation and
   * position.
   */
  abstract complete(
    messages: readonly InboundRecord[],
  ): Promise<Map<string, Pick<InboundRecord, 'conversationId' | 'orderedAt'>>>;
  /** Ids of those messages that were already stored, since that time, through their own edit or revocation. */
  abstract superseded(messages: readonly InboundRecord[], since: Date): Promise<Set<string>>;
  /** The messages received with these platform ids since that time, locked until the unit of work ends. */
  abstract originals(
    accountIds: readonly string[],
    platformIds: readonly string[],
    since: Date,
  ): Promise<StoredOriginal[]>;
  /** The messages that the account sent with these platform ids or these ids. */
  abstract sent(accountId: string, platformIds: readonly string[], ids: readonly string[]): Promise<AnsweredMessage[]>;
  /** Writes type and content. */
  abstract rewrite(messages: readonly StoredOriginal[]): Promise<void>;
}
