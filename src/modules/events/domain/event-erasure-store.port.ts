/** A body in the log, or the bodies of a waiting row, one per line. */
export interface StoredBody {
  id: string;
  text: string;
}

/** A place among the waiting rows of an endpoint; the time in the database's exact text form. */
export interface WaitingPlace {
  nextAt: string;
  id: string;
}

/** A page of waiting rows. */
export interface WaitingPage {
  /** Rows that contain one of the texts. */
  found: StoredBody[];
  /** The last row read; null: there were no more. */
  last: WaitingPlace | null;
}

/** Bodies of events in the outbox and in the log. */
export abstract class EventErasureStore {
  /** The first endpoint of the account by id, after `after`. */
  abstract nextEndpoint(accountId: string, after: string | null): Promise<string | null>;
  /** Searches at most `limit` waiting rows of an endpoint, after `after`. */
  abstract waiting(
    endpointId: string,
    texts: readonly string[],
    after: WaitingPlace,
    limit: number,
  ): Promise<WaitingPage>;
  abstract replaceWaiting(rows: readonly StoredBody[]): Promise<void>;
  /**
   * At most `limit` logged bodies with one of these phone numbers or user ids, in order of id after `after`: of endpoints of the account, and of
   * deleted endpoints of any account.
   */
  abstract logged(accountId: string, people: readonly string[], after: string, limit: number): Promise<StoredBody[]>;
  abstract replaceLogged(bodies: readonly StoredBody[]): Promise<void>;
}
