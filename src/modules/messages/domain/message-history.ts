import { Injectable } from '@nestjs/common';
import type { MessageOutcome, OutboundMessage } from './message';
import { MessageStore } from './message-store.port';

/** The record of outbound messages and their outcomes. */
@Injectable()
export class MessageHistory {
  constructor(private readonly store: MessageStore) {}

  /** Records messages in the surrounding unit of work; for a message that exists, updates only the outcome. */
  record(messages: readonly OutboundMessage[], at: Date): Promise<void> {
    return messages.length === 0 ? Promise.resolve() : this.store.save(messages, at);
  }

  /** Records the outcomes of messages, in the surrounding unit of work. */
  recordOutcomes(outcomes: readonly MessageOutcome[], at: Date): Promise<void> {
    return outcomes.length === 0 ? Promise.resolve() : this.store.setOutcomes(outcomes, at);
  }

  /** The outbound messages with these ids that exist, in any order. */
  find(ids: readonly string[]): Promise<OutboundMessage[]> {
    return ids.length === 0 ? Promise.resolve([]) : this.store.find(ids);
  }
}
