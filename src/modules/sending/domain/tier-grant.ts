import type { TierWish } from './tier-budget-store.port';

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
