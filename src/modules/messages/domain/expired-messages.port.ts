import type { Expiry, ExpiredMessage } from './retention';

/** Messages older than their account keeps them. Every method joins the surrounding unit of work. */
export abstract class ExpiredMessages {
  /**
   * At most `limit` messages of the account from `cursor` on, oldest first, read without locking; `next` is where the
   * next call continues, null after the last one.
   */
  abstract read(
    expiry: Expiry,
    cursor: string | null,
    limit: number,
  ): Promise<{ messages: ExpiredMessage[]; next: string | null }>;
  /** Deletes those of the messages that nobody else has locked; returns their ids. */
  abstract remove(messageIds: readonly string[]): Promise<string[]>;
}
