import type { EventType } from './event';

/** An event as it is sent; its text contains no line break. */
export interface EventText {
  type: EventType;
  text: string;
}

/** What is to be delivered to endpoints. */
export abstract class EventOutboxStore {
  /**
   * Hands events of an account to its enabled endpoints that chose them, in the surrounding unit of work: one row for each endpoint.
   * Which events share a body is fixed here, so every attempt sends the same bodies under the same ids.
   */
  abstract add(accountId: string, events: readonly EventText[]): Promise<void>;
}
