/** Data of an account from before `before` has expired. */
export interface Expiry {
  accountId: string;
  before: Date;
}

/** The result of one step. */
export interface RetentionStep {
  deleted: number;
  /** Where the next step continues; null if this round has nothing more to delete. */
  next: string | null;
}

/** A kind of data that expires with the account's history. */
export interface RetentionPart {
  /** Label in the metric. */
  readonly kind: string;
  /**
   * Reads at most `limit` rows of one account from `cursor` on, null at the start, and deletes the expired ones, in a
   * transaction of its own that waits for no lock.
   */
  step(expiry: Expiry, cursor: string | null, limit: number): Promise<RetentionStep>;
}

/** Upkeep of every round outside accounts: data that expires by its own rule, or that is completed. */
export interface UpkeepPart {
  /** Label in the metric. */
  readonly kind: string;
  /** See RetentionPart.step. */
  step(cursor: string | null, limit: number): Promise<RetentionStep>;
}

/** An expired message. */
export interface ExpiredMessage {
  id: string;
  jobId: string | null;
  isInbound: boolean;
}

/** Keeps unsettled messages from being deleted. */
export interface RetentionHold {
  /** Ids of the messages that must be kept; joins the surrounding unit of work and waits for no lock. */
  unsettled(messages: readonly ExpiredMessage[]): Promise<readonly string[]>;
  /** Deletes the related rows of messages that are deleted in the surrounding unit of work. */
  release(messageIds: readonly string[]): Promise<void>;
}
