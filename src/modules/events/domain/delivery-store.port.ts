import type { DeliveryAttempt } from './webhook-delivery';

/** An endpoint that this process delivers to, as it was at the last renewal of the lease. */
export interface LeasedEndpoint {
  id: string;
  accountId: string;
  url: string;
  /** The valid ones, the newest first; empty if they cannot be decrypted. */
  secrets: readonly string[];
  failuresInRow: number;
  failingSince: Date | null;
  /** The replay that is under way: whether its walk through the log has begun; null: none is. */
  replay: 'Requested' | 'Walking' | null;
}

/** Endpoints that a process delivers to, by account. */
export interface Places {
  /** Endpoints to take, at most. */
  room: number;
  /** Endpoints of one account at once, at most; `held` of each account are taken already. */
  ofAccount: number;
  held: ReadonlyMap<string, number>;
}

/** What is due, and the order key at which the next look goes on; null: all were looked at. */
export interface DueRows {
  rows: DueRow[];
  lastKey: string | null;
}

/** Bodies of one commit that are to be delivered to one endpoint. */
export interface DueRow {
  id: string;
  key: string;
  /** Number of the first body in `payload`; see webhookId. */
  firstBody: number;
  /** All bodies, one in each line. */
  payload: string;
  /** Lines that are still to be delivered; null: all. */
  remaining: readonly number[] | null;
  /** Attempts so far. */
  attempt: number;
  /** Rows with the same key are delivered one after the other, in order of `place`; null: it has no order. */
  orderKey: string | null;
  place: string;
  isReplay: boolean;
  /** When it happened. */
  createdAt: Date;
}

/** What became of a row: it is gone, or `remaining` lines of it are tried again. */
export interface RowResult {
  id: string;
  endpointId: string;
  /** Null: nothing of it is left. */
  again: { remaining: readonly number[]; attempt: number; afterMs: number } | null;
  attempts: readonly (DeliveryAttempt & { payload: string })[];
  /** Of the row that was attempted; null: a test. */
  row: Pick<DueRow, 'orderKey' | 'place' | 'isReplay'> | null;
}

/** What a process does that delivers: under a lease for each endpoint, so that no two deliver to one. */
export abstract class DeliveryStore {
  /** Takes the leases of free endpoints for which something is due, as many as `places` allows; accounts take turns. */
  abstract lease(owner: string, leaseMs: number, places: Places): Promise<LeasedEndpoint[]>;
  /** Renews leases; those that are missing in the answer are over, or their endpoint is disabled or deleted. */
  abstract renew(owner: string, endpointIds: readonly string[], leaseMs: number): Promise<LeasedEndpoint[]>;
  /** Gives a lease back; nobody takes it for `restMs`. */
  abstract release(owner: string, endpointId: string, restMs: number): Promise<void>;
  /**
   * At most `limit` rows that are due, oldest first, without the rows `taken`; those with an order from as many order keys after
   * `afterKey`. A row waits for those before it with the same order key.
   */
  abstract due(endpointId: string, taken: readonly string[], afterKey: string | null, limit: number): Promise<DueRows>;
  /** Takes the next step of the replay of an endpoint, if it is time: whether it did. */
  abstract stepReplay(endpointId: string): Promise<boolean>;
  /** Writes results and their log in one statement. */
  abstract finish(results: readonly RowResult[]): Promise<void>;
  /** Something has arrived: ends the failures in a row. */
  abstract succeeded(endpointId: string): Promise<void>;
  /** Stores failures in a row; for `blockedMs` nobody delivers to it. The moment since when it has failed. */
  abstract failed(endpointId: string, failuresInRow: number, blockedMs: number): Promise<Date>;
  /** Disables an endpoint that is enabled: whether it did. */
  abstract disable(endpointId: string, reason: string): Promise<boolean>;
  /** Deletes at most `limit` rows that nobody will take: their endpoint is gone, or disabled for 3 days. How many. */
  abstract deleteLeftovers(limit: number): Promise<number>;
}
