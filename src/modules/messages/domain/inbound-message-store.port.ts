import type { InboundRecord } from './inbound-message';

/** Where inbound messages are stored. Every method joins the surrounding unit of work. */
export abstract class InboundMessageStore {
  /** Writes the messages that do not exist yet, and returns their ids. */
  abstract add(messages: readonly InboundRecord[]): Promise<Set<string>>;
}
