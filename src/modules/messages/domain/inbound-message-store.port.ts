import type { InboundRecord } from './inbound-message';
import type { MessageContent, MessageType } from './message-content';

/** An inbound message that a person may edit or revoke. */
export interface StoredOriginal {
  id: string;
  accountId: string;
  platformMessageId: string;
  type: MessageType;
  content: MessageContent;
}

/** Where inbound messages are stored. Every method joins the surrounding unit of work. */
export abstract class InboundMessageStore {
  /** Writes the messages that do not exist yet, and returns their ids. */
  abstract add(messages: readonly InboundRecord[]): Promise<Set<string>>;
  /**
   * Replaces type and content of stored messages of type Unsupported by those given. Returns the ids of the replaced ones, with
   * their conversation and their position in it.
   */
  abstract complete(
    messages: readonly InboundRecord[],
  ): Promise<Map<string, Pick<InboundRecord, 'conversationId' | 'orderedAt'>>>;
  /** Those of the messages whose platform id an edited or revoked message with another id has, by id; since that time. */
  abstract superseded(messages: readonly InboundRecord[], since: Date): Promise<Set<string>>;
  /** The messages that were received under these platform ids since that time, locked until the unit of work ends. */
  abstract originals(
    accountIds: readonly string[],
    platformIds: readonly string[],
    since: Date,
  ): Promise<StoredOriginal[]>;
  /** The template revisions of the account's own messages with these platform ids since that time, by platform id. */
  abstract sentRevisions(accountId: string, platformIds: readonly string[], since: Date): Promise<Map<string, string>>;
  /** Writes type and content. */
  abstract rewrite(messages: readonly StoredOriginal[]): Promise<void>;
}
