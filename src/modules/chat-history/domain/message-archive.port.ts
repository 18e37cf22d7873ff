import type { Direction, KeptMessage, MessageGist } from './kept-message';
import type { MessageStatus } from './message';
import type { Place } from './place';

/** Which messages are wanted; what is absent does not matter. */
export interface MessageFilter {
  conversationId?: string;
  reference?: string;
  jobId?: string;
  status?: MessageStatus;
  direction?: Direction;
  /** Only messages after this place, and before that one. */
  later?: Place;
  earlier?: Place;
}

/** Some of the messages that match; `next` is where to go on, null at the end. It may lie behind fewer than were asked for. */
export interface MessageStretch {
  messages: KeptMessage[];
  next: Place | null;
}

/** A message and where it stands among those of its conversation. */
export interface PlacedMessage {
  message: KeptMessage;
  place: Place;
}

/** Reads the message history. What was erased is not there; every call looks through a limited number of rows. */
export abstract class MessageArchive {
  /** Newest first. */
  abstract newest(accountId: string, filter: MessageFilter, limit: number): Promise<MessageStretch>;
  /** Oldest first. */
  abstract oldest(accountId: string, filter: MessageFilter, limit: number): Promise<MessageStretch>;
  /** The message of the account with this id, or null. */
  abstract find(accountId: string, messageId: string): Promise<PlacedMessage | null>;
  /** What the messages with these ids say, of those that are there, in any order. */
  abstract gists(accountId: string, messageIds: readonly string[]): Promise<MessageGist[]>;
  /** Notes when the platform was told that an inbound message was read. */
  abstract noteReadReceipt(messageId: string, at: Date): Promise<void>;
}
