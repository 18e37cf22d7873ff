import type { MessageOutcome, OutboundMessage } from './message';

/** Where messages are kept. Every method joins the surrounding unit of work. */
export abstract class MessageStore {
  /** Writes messages; of one that is there already only the outcome is taken, and never over Delivered or Read. */
  abstract save(messages: readonly OutboundMessage[], at: Date): Promise<void>;
  /** Takes the outcomes of messages that are there, never over Delivered or Read. */
  abstract setOutcomes(outcomes: readonly MessageOutcome[], at: Date): Promise<void>;
  /** The messages of accounts with these ids that exist, in any order; those that came in are not among them. */
  abstract find(ids: readonly string[]): Promise<OutboundMessage[]>;
}
