import type { MessageOutcome, OutboundMessage } from './message';

/**
 * Stores outbound messages. Every method joins the surrounding unit of work. Writing the status Sent, Failed or
 * Cancelled creates an event for the endpoints of the account.
 */
export abstract class MessageStore {
  /** Inserts messages; for existing ones updates only the outcome, never over Delivered, Read or Undelivered. */
  abstract save(messages: readonly OutboundMessage[], at: Date): Promise<void>;
  /** Writes the outcomes of messages that exist, never over Delivered, Read or Undelivered. */
  abstract setOutcomes(outcomes: readonly MessageOutcome[], at: Date): Promise<void>;
  /** The outbound messages with these ids that exist, in any order. */
  abstract find(ids: readonly string[]): Promise<OutboundMessage[]>;
}
