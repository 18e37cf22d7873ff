import { Injectable } from '@nestjs/common';
import type { MessageOutcome, OutboundMessage } from './message';
import { MessageStore } from './message-store.port';

/** The record of what was sent to whom and what became of it. */
@Injectable()
export class MessageHistory {
  constructor(private readonly store: MessageStore) {}

  /** Records messages in the surrounding unit of work; of one that is recorded already only the outcome is taken. */
  record(messages: readonly OutboundMessage[], at: Date): Promise<void> {
    return messages.length === 0 ? Promise.resolve() : this.store.save(messages, at);
  }

  /** Records what became of messages, in the surrounding unit of work. */
  recordOutcomes(outcomes: readonly MessageOutcome[], at: Date): Promise<void> {
    return outcomes.length === 0 ? Promise.resolve() : this.store.setOutcomes(outcomes, at);
  }

  /** The messages of accounts with these ids that exist, in any order; those that came in are not among them. */
  find(ids: readonly string[]): Promise<OutboundMessage[]> {
    return ids.length === 0 ? Promise.resolve([]) : this.store.find(ids);
  }
}
