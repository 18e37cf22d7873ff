/** A body in the log, or the bodies of a row that waits, one in each line. */
export interface KeptBody {
  id: string;
  text: string;
}

/** A part of what is kept, walked in order. */
export interface WalkedBodies {
  /** Those that contain one of the texts. */
  found: KeptBody[];
  /** The last one that was looked at; null: there is nothing more. */
  last: string | null;
}

/** Bodies of events, waiting and in the log. */
export abstract class EventErasureStore {
  /**
   * The endpoints of the account, and those that are deleted, whoever had them; in the order of their ids, after `after`, at most
   * `limit`.
   */
  abstract endpoints(accountId: string, after: string | null, limit: number): Promise<string[]>;
  /** Looks at no more than `limit` rows that wait for an endpoint, after `after`. */
  abstract waiting(
    endpointId: string,
    texts: readonly string[],
    after: string | null,
    limit: number,
  ): Promise<WalkedBodies>;
  abstract replaceWaiting(rows: readonly KeptBody[]): Promise<void>;
  /** Looks at no more than `limit` attempts at an endpoint whose bodies are kept, after `after`. */
  abstract logged(
    endpointId: string,
    texts: readonly string[],
    after: string | null,
    limit: number,
  ): Promise<WalkedBodies>;
  abstract replaceLogged(bodies: readonly KeptBody[]): Promise<void>;
}
