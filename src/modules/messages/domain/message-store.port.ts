import type { MessageOutcome, OutboundMessage } from './message';

/**
 * Stores outbound messages. Every method joins the surrounding unit of work. What is written with the status Sent, Failed or Cancelled
 * is an event, which goes to the endpoints of its account.
 */
export abstract class MessageStore {
  /** Writes messages; of one that exists already only the outcome, and never over Delivered, Read or Undelivered. */
  abstract save(messages: readonly OutboundMessage[], at: Date): Promise<void>;
  /** Writes the outcomes of messages that exist, never over Delivered, Read or Undelivered. */
  abstract setOutcomes(outcomes: readonly MessageOutcome[], at: Date): Promise<void>;
  /** The outbound messages with these ids that exist, in any order. */
  abstract find(ids: readonly string[]): Promise<OutboundMessage[]>;
}
