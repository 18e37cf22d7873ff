import type { MessagingTier, Sender } from '../../accounts/domain/sender';

/** A message that may start a conversation with a person. */
export interface TierWish {
  /** The person's phone number. */
  person: string;
  messageId: string;
}

/** Which wishes may go now, in their order, and when the next person leaves the window; null when all may go. */
export interface TierGrant {
  granted: boolean[];
  until: Date | null;
}

/** How many people are in the window of a portfolio, and when the next one leaves it; null when nobody is in it. */
export interface TierUse {
  people: number;
  nextLeavesAt: Date | null;
}

/** Whom a business portfolio has started conversations with in the last 24 hours. */
export abstract class TierBudgetStore {
  /** The messaging tier of the sender as committed now; its own where the sender is gone. */
  abstract tierOf(sender: Sender): Promise<MessagingTier>;
  /**
   * Locks the portfolio for the rest of the surrounding unit of work and takes room for the wishes, at most `limit`
   * people in a moving 24 hours. Somebody who is in the window already costs nothing. With `inOrder` nothing behind the
   * first refusal is granted.
   */
  abstract take(portfolioId: string, limit: number, wishes: readonly TierWish[], inOrder: boolean): Promise<TierGrant>;
  abstract use(portfolioId: string): Promise<TierUse>;
  /** Those of these people who are in the window. */
  abstract known(portfolioId: string, people: readonly string[]): Promise<Set<string>>;
  /** Gives back what these messages took, unless another message to the same person relies on it. */
  abstract giveBack(messageIds: readonly string[]): Promise<void>;
}

/** What is granted of some wishes, and what the portfolio has to remember of it. */
export interface TierDecision {
  /** In the order of the wishes. */
  granted: boolean[];
  /** Messages that start a conversation, by person. */
  taken: Map<string, string>;
  /** Wishes that rely on a conversation which another message has started. */
  shared: TierWish[];
}

/**
 * Grants wishes in their order: people who are `known` in the window cost nothing, of the others as many as are `free`. With
 * `inOrder` nothing behind the first refusal is granted.
 */
export function grantRoom(
  wishes: readonly TierWish[],
  known: ReadonlySet<string>,
  free: number,
  inOrder: boolean,
): TierDecision {
  const taken = new Map<string, string>();
  const shared: TierWish[] = [];
  let isClosed = false;
  const granted = wishes.map((wish) => {
    if (isClosed) return false;
    if (known.has(wish.person) || taken.has(wish.person)) {
      shared.push(wish);
      return true;
    }
    if (taken.size < free) {
      taken.set(wish.person, wish.messageId);
      return true;
    }
    isClosed = inOrder;
    return false;
  });
  return { granted, taken, shared };
}
