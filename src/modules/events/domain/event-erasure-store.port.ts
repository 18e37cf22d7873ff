/** A body in the log, or the bodies of a waiting row, one per line. */
export interface StoredBody {
  id: string;
  text: string;
}

/** A page of stored bodies. */
export interface BodyPage {
  /** Bodies that contain one of the texts. */
  found: StoredBody[];
  /** The last id read; null: there are no more. */
  last: string | null;
}

/** Bodies of events in the outbox and in the log. */
export abstract class EventErasureStore {
  /**
   * At most `limit` endpoints of the account, and deleted endpoints of any account, in order of id after `after`.
   */
  abstract endpoints(accountId: string, after: string | null, limit: number): Promise<string[]>;
  /** Searches at most `limit` waiting rows of an endpoint, after `after`. */
  abstract waiting(
    endpointId: string,
    texts: readonly string[],
    after: string | null,
    limit: number,
  ): Promise<BodyPage>;
  abstract replaceWaiting(rows: readonly StoredBody[]): Promise<void>;
  /** Searches the bodies of at most `limit` logged attempts of an endpoint, after `after`. */
  abstract logged(endpointId: string, texts: readonly string[], after: string | null, limit: number): Promise<BodyPage>;
  abstract replaceLogged(bodies: readonly StoredBody[]): Promise<void>;
}
