import { Injectable } from '@nestjs/common';
import { type AccountEvent, eventText } from './event';
import { EventOutboxStore, type EventText } from './event-outbox.port';

/** Takes what happened, for the endpoints of the account that chose it. */
@Injectable()
export class EventOutbox {
  constructor(private readonly store: EventOutboxStore) {}

  /** Writes events in the surrounding unit of work, so that they are delivered if and only if it commits. */
  async write(events: readonly AccountEvent[]): Promise<void> {
    const byAccount = new Map<string, EventText[]>();
    for (const { accountId, type, at, data } of events) {
      const ofAccount = byAccount.get(accountId) ?? [];
      byAccount.set(accountId, ofAccount);
      ofAccount.push({ type, text: eventText(type, at, data) });
    }
    for (const [accountId, texts] of byAccount) await this.store.add(accountId, texts);
  }
}
