import { Injectable } from '@nestjs/common';
import { requestContext } from '../../../kernel/request-context';
import type { AccountEvent, EventType, TEST_EVENT } from './event';
import { EventOutboxStore, type EventText } from './event-outbox.port';

/** Writes events for the webhook endpoints of accounts. */
@Injectable()
export class EventOutbox {
  constructor(private readonly store: EventOutboxStore) {}

  /** Writes events in the surrounding unit of work, so that they are delivered if and only if it commits. */
  async write(events: readonly AccountEvent[]): Promise<void> {
    const { traceparent: current = null } = requestContext();
    const groups = new Map<string, { traceparent?: string; texts: EventText[] }>();
    for (const { accountId, traceparent, type, at, data } of events) {
      const group = groups.get(accountId) ?? { texts: [] };
      groups.set(accountId, group);
      // Events of one account are delivered together, so they have one trace.
      group.traceparent ??= traceparent;
      group.texts.push({ type, text: eventText(type, at, data) });
    }
    for (const [accountId, { traceparent = current, texts }] of groups)
      await this.store.add(accountId, texts, traceparent);
  }
}

/** The JSON of one event: `{type, timestamp, data}`. */
export function eventText(type: EventType | typeof TEST_EVENT, at: Date, data: object): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}
