/** What is older than `before` of one account has had its time. */
export interface Expiry {
  accountId: string;
  before: Date;
}

/** What one step of a part has done. */
export interface RetentionStep {
  deleted: number;
  /** Where the next step goes on; null: nothing more is to be done in this round. */
  next: string | null;
}

/** One kind of thing that a round clears away. */
export interface RetentionPart {
  /** What is deleted, as the metric names it. */
  readonly kind: string;
  /**
   * Looks at no more than `limit` things of one account from `cursor` on, the start being null, and deletes those whose
   * time is over, in a transaction of its own that waits for nobody.
   */
  step(expiry: Expiry, cursor: string | null, limit: number): Promise<RetentionStep>;
}

/** One kind of thing that belongs to no account and has a time of its own. */
export interface UpkeepPart {
  /** What is deleted, as the metric names it. */
  readonly kind: string;
  /** See RetentionPart.step. */
  step(cursor: string | null, limit: number): Promise<RetentionStep>;
}

/** A message whose time is over. */
export interface ExpiredMessage {
  id: string;
  jobId: string | null;
  isInbound: boolean;
}

/** A part of the service that writes messages and knows which of them are not settled yet. */
export interface MessageKeeper {
  /** Of these messages the ids of those that have to stay; joins the surrounding unit of work and waits for nobody. */
  unsettled(messages: readonly ExpiredMessage[]): Promise<readonly string[]>;
  /** Deletes its own rows of messages that it let go and that are deleted in the surrounding unit of work. */
  release(messageIds: readonly string[]): Promise<void>;
}
