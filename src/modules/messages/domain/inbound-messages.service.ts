import { Injectable } from '@nestjs/common';
import type { InboundRecord } from './inbound-message';
import { InboundMessageStore } from './inbound-message-store.port';

/** The record of what people wrote to accounts. */
@Injectable()
export class InboundMessages {
  constructor(private readonly store: InboundMessageStore) {}

  /** Records messages in the surrounding unit of work; returns those that were not recorded before. */
  async record(messages: readonly InboundRecord[]): Promise<InboundRecord[]> {
    const added = await this.store.add(messages);
    return messages.filter(({ id }) => added.has(id));
  }
}
