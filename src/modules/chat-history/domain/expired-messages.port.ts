import type { Expiry, ExpiredMessage } from './retention';

/** Messages and conversations whose time is over. Every method joins the surrounding unit of work. */
export abstract class ExpiredMessages {
  /**
   * At most `limit` messages of the account from `cursor` on, oldest first, read without locking; `next` is where the
   * next reading goes on, null where this one was the last.
   */
  abstract read(
    expiry: Expiry,
    cursor: string | null,
    limit: number,
  ): Promise<{ messages: ExpiredMessage[]; next: string | null }>;
  /** Deletes those of the messages that nobody else has locked; gives their ids. */
  abstract remove(messageIds: readonly string[]): Promise<string[]>;
  /**
   * Looks at no more than `limit` conversations of the account whose last message is too old, and deletes those of which
   * no message is left and that nobody else has locked.
   */
  abstract removeEmptyConversations(
    expiry: Expiry,
    cursor: string | null,
    limit: number,
  ): Promise<{ deleted: number; next: string | null }>;
}
