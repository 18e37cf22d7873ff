/** What one account stored before `before` has expired. */
export interface Expiry {
  accountId: string;
  before: Date;
}

/** What one step of a part has done. */
export interface RetentionStep {
  deleted: number;
  /** Where the next step continues; null when this round has nothing more to delete. */
  next: string | null;
}

/** One kind of data that expires with the history of its account. */
export interface RetentionPart {
  /** What is deleted, as the metric names it. */
  readonly kind: string;
  /**
   * Reads at most `limit` rows of one account from `cursor` on, null at the start, and deletes the expired ones, in a
   * transaction of its own that waits for no lock.
   */
  step(expiry: Expiry, cursor: string | null, limit: number): Promise<RetentionStep>;
}

/** One kind of data that belongs to no account and expires by a rule of its own. */
export interface UpkeepPart {
  /** What is deleted, as the metric names it. */
  readonly kind: string;
  /** See RetentionPart.step. */
  step(cursor: string | null, limit: number): Promise<RetentionStep>;
}

/** A message older than its account keeps messages. */
export interface ExpiredMessage {
  id: string;
  jobId: string | null;
  isInbound: boolean;
}

/** A part of the service that writes messages and knows which of them are unsettled. */
export interface RetentionHold {
  /** The ids of those messages that must stay; joins the surrounding unit of work and waits for no lock. */
  unsettled(messages: readonly ExpiredMessage[]): Promise<readonly string[]>;
  /** Deletes its own rows of messages that are deleted in the surrounding unit of work. */
  release(messageIds: readonly string[]): Promise<void>;
}
