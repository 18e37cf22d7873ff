import type { Expiry, ExpiredMessage } from './retention';

/** Expired messages. Every method joins the surrounding unit of work. */
export abstract class ExpiredMessages {
  /**
   * At most `limit` messages of the account from `cursor` on, oldest first, read without locking; `next` is the next
   * cursor, null at the end.
   */
  abstract read(
    expiry: Expiry,
    cursor: string | null,
    limit: number,
  ): Promise<{ messages: ExpiredMessage[]; next: string | null }>;
  /** Deletes the messages that are not locked; returns their ids. */
  abstract remove(messageIds: readonly string[]): Promise<string[]>;
}
