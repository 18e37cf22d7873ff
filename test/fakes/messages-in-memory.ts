import type { MessageOutcome, OutboundMessage } from '../../src/modules/messages/domain/message';
import { MessageStore } from '../../src/modules/messages/domain/message-store.port';
import type { MemoryDatabase } from './memory-database';

/** Messages in memory. */
export class MessagesInMemory extends MessageStore {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  save(messages: readonly OutboundMessage[]): Promise<void> {
    return this.database.call('saveMessages', (tables) => {
      for (const message of messages) {
        const known = tables.messages.find(({ id }) => id === message.id);
        if (known) takeOutcome(known, message);
        else tables.messages.push({ ...message });
      }
    });
  }

  setOutcomes(outcomes: readonly MessageOutcome[]): Promise<void> {
    return this.database.call('setOutcomes', (tables) => {
      for (const outcome of outcomes) {
        const known = tables.messages.find(({ id }) => id === outcome.id);
        if (known) takeOutcome(known, outcome);
      }
    });
  }

  find(ids: readonly string[]): Promise<OutboundMessage[]> {
    return this.database.call('findMessages', (tables) =>
      structuredClone(tables.messages.filter(({ id }) => ids.includes(id))),
    );
  }
}

function takeOutcome(known: OutboundMessage, { status, problem, platformMessageId }: MessageOutcome): void {
  if (known.status === 'Delivered' || known.status === 'Read') return;
  Object.assign(known, { status, problem, platformMessageId: platformMessageId ?? known.platformMessageId });
}
