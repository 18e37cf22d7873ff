import type { EventType } from './event';

/** An endpoint that takes events of its account. */
export interface Subscription {
  endpointId: string;
  accountId: string;
  events: readonly EventType[];
  maxEvents: number;
}

/** Bodies for one endpoint. No body contains a line break. */
export interface OutgoingBodies {
  endpointId: string;
  bodies: readonly string[];
}

/** What is to be delivered to endpoints. Every method joins the surrounding unit of work. */
export abstract class EventOutboxStore {
  /** The enabled endpoints of these accounts. */
  abstract subscriptions(accountIds: readonly string[]): Promise<Subscription[]>;
  /** Adds one row for each endpoint. */
  abstract add(outgoing: readonly OutgoingBodies[]): Promise<void>;
}
