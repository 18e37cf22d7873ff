import { Injectable } from '@nestjs/common';
import { type AccountEvent, bodiesOf, eventText } from './event';
import { EventOutboxStore } from './event-outbox.port';

/** Takes what happened, for the endpoints of the account that chose it. */
@Injectable()
export class EventOutbox {
  constructor(private readonly store: EventOutboxStore) {}

  /**
   * Writes events in the surrounding unit of work, so that they are delivered if and only if it commits: one row for each endpoint.
   * Which events share a body is fixed here, so every attempt sends the same bodies under the same ids.
   */
  async write(events: readonly AccountEvent[]): Promise<void> {
    if (events.length === 0) return;
    const subscriptions = await this.store.subscriptions([...new Set(events.map(({ accountId }) => accountId))]);
    const outgoing = subscriptions.flatMap(({ endpointId, accountId, events: chosen, maxEvents }) => {
      const texts = events
        .filter((event) => event.accountId === accountId && chosen.includes(event.type))
        .map(({ type, at, data }) => eventText(type, at, data));
      return texts.length === 0 ? [] : [{ endpointId, bodies: bodiesOf(texts, maxEvents) }];
    });
    if (outgoing.length > 0) await this.store.add(outgoing);
  }
}
