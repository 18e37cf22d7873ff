import type { EventType } from './event';

/** An event as it is sent; its text contains no line break. */
export interface EventText {
  type: EventType;
  text: string;
}

/** Events to deliver to endpoints. */
export abstract class EventOutboxStore {
  /**
   * Adds events of an account for its enabled endpoints that subscribed to them, in the surrounding unit of work: one row per endpoint.
   * This fixes which events share a body, so every attempt sends the same bodies under the same ids. `traceparent`: what caused them.
   */
  abstract add(accountId: string, events: readonly EventText[], traceparent: string | null): Promise<void>;
}
