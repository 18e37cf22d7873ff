import { Injectable } from '@nestjs/common';
import { type AccountEvent, eventText } from './event';
import { EventOutboxStore, type EventText } from './event-outbox.port';

/** Writes events for the webhook endpoints of accounts. */
@Injectable()
export class EventOutbox {
  constructor(private readonly store: EventOutboxStore) {}

  /** Writes events in the surrounding unit of work, so that they are delivered if and only if it commits. */
  async write(events: readonly AccountEvent[]): Promise<void> {
    const byAccount = new Map<string, EventText[]>();
    for (const { accountId, type, at, data } of events) {
      const texts = byAccount.get(accountId) ?? [];
      byAccount.set(accountId, texts);
      texts.push({ type, text: eventText(type, at, data) });
    }
    for (const [accountId, texts] of byAccount) await this.store.add(accountId, texts);
  }
}
