import { EventOutboxStore, type EventText } from '../../src/modules/events/domain/event-outbox.port';

/** Stores every event, as if each account had an endpoint for all events. */
export class EventsInMemory extends EventOutboxStore {
  readonly events: { accountId: string; type: string; timestamp: string; data: object }[] = [];

  add(accountId: string, events: readonly EventText[]): Promise<void> {
    for (const { text } of events)
      this.events.push({ ...(JSON.parse(text) as EventsInMemory['events'][0]), accountId });
    return Promise.resolve();
  }
}
