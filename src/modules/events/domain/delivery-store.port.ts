import type { DeliveryAttempt } from './webhook-delivery';

/** An endpoint that this process delivers to, as of the last renewal of the lease. */
export interface LeasedEndpoint {
  id: string;
  accountId: string;
  url: string;
  /** The valid secrets, newest first; empty if they cannot be decrypted. */
  secrets: readonly string[];
  failuresInRow: number;
  failingSince: Date | null;
  /** The running replay: whether its walk through the log has begun; null: none. */
  replay: 'Requested' | 'Walking' | null;
}

/** An endpoint for which many bodies may wait. */
export interface EndpointWithBacklog {
  id: string;
  accountId: string;
  /** The plan of its account. */
  plan: string;
}

/** Limits on the endpoints that a process takes. */
export interface LeaseLimits {
  /** Maximum number of endpoints to take. */
  room: number;
  /** Maximum number of endpoints per account, including `held`, the number already taken by account. */
  perAccount: number;
  held: ReadonlyMap<string, number>;
}

/** Due rows, and the order key after which the next poll continues; null: all keys were read. */
export interface DueRows {
  rows: DueRow[];
  lastKey: string | null;
}

/** The trace of a body: that of the request which caused its events. */
export interface EventTrace {
  traceparent: string;
  /** Whether they are of messages of a job. */
  isFrequent: boolean;
}

/** What the delivery of a body needs of its events. */
export interface BodyFacts {
  /** The distinct types of its events. */
  types: readonly string[];
  /** Null: they have none. */
  trace: EventTrace | null;
}

/** Bodies of one commit for one endpoint. */
export interface DueRow {
  id: string;
  key: string;
  /** Number of the first body in `payload`; see webhookId. */
  firstBody: number;
  /** All bodies, one per line. */
  payload: string;
  /** Lines that are still to be delivered; null: all. */
  remaining: readonly number[] | null;
  /** Attempts so far. */
  attempt: number;
  /** Rows with the same key are delivered one at a time, in order of `place`; null: unordered. */
  orderKey: string | null;
  place: string;
  isReplay: boolean;
  /** When the events happened. */
  createdAt: Date;
  /** Of each body. */
  facts: readonly BodyFacts[];
}

/** The result of a row: it is deleted, or the `remaining` lines are retried. */
export interface RowResult {
  id: string;
  endpointId: string;
  /** Null: nothing is left to deliver. */
  again: { remaining: readonly number[]; attempt: number; afterMs: number } | null;
  attempts: readonly (DeliveryAttempt & { payload: string })[];
  /** The attempted row; null: a test. */
  row: Pick<DueRow, 'orderKey' | 'place' | 'isReplay'> | null;
}

/** The outbox for delivering processes. Each endpoint has a lease, so that only one process delivers to it. */
export abstract class DeliveryStore {
  /** Takes the leases of free endpoints with something due, within `limits`; accounts take turns. */
  abstract lease(owner: string, leaseMs: number, limits: LeaseLimits): Promise<LeasedEndpoint[]>;
  /** Renews leases and returns their endpoints; missing ones have lost their lease, or are disabled or deleted. */
  abstract renew(owner: string, endpointIds: readonly string[], leaseMs: number): Promise<LeasedEndpoint[]>;
  /** Releases a lease; it cannot be taken for `restMs`. */
  abstract release(owner: string, endpointId: string, restMs: number): Promise<void>;
  /**
   * At most `limit` due rows, oldest first, without the rows `taken`; ordered rows from at most `limit` order keys after `afterKey`. A row
   * waits for earlier ones with the same order key.
   */
  abstract due(endpointId: string, taken: readonly string[], afterKey: string | null, limit: number): Promise<DueRows>;
  /** Takes the next step of an endpoint's replay if it is due; returns whether it did. */
  abstract stepReplay(endpointId: string): Promise<boolean>;
  /** Writes results and their log in one statement. */
  abstract finish(results: readonly RowResult[]): Promise<void>;
  /** Resets the consecutive failures after a successful delivery. */
  abstract succeeded(endpointId: string): Promise<void>;
  /** Stores the consecutive failures and blocks deliveries for `blockedMs`; returns since when the endpoint has failed. */
  abstract failed(endpointId: string, failuresInRow: number, blockedMs: number): Promise<Date>;
  /** Disables an enabled endpoint; returns whether it did. */
  abstract disable(endpointId: string, reason: string): Promise<boolean>;
  /** Takes the upkeep, which is `backlogs` and `deleteLeftovers`, for `forMs`; returns whether it was due. */
  abstract takeUpkeep(forMs: number): Promise<boolean>;
  /** Counts the rows written since the last call; returns the enabled endpoints for which at least `least` bodies may wait. */
  abstract backlogs(least: number): Promise<EndpointWithBacklog[]>;
  /** Whether at least `max` bodies wait for an endpoint, not counting those that waited when it was enabled after a full backlog. */
  abstract isBacklogFull(endpointId: string, max: number): Promise<boolean>;
  /** Deletes at most `limit` undeliverable rows, whose endpoint is deleted or has been disabled for 3 days; returns their number. */
  abstract deleteLeftovers(limit: number): Promise<number>;
}
