import type { MessagingTier, Sender } from '../../accounts/domain/sender';

/** A message that may start a conversation with a person. */
export interface TierRequest {
  /** The person's phone number, or the user id if the number is unknown. */
  person: string;
  messageId: string;
}

/** Which requests are granted, in their order, and when the next person leaves the window; null if all are granted. */
export interface TierGrant {
  granted: boolean[];
  until: Date | null;
}

/** The number of people in a portfolio's window, and when the next one leaves it; null if it is empty. */
export interface TierUse {
  people: number;
  nextLeavesAt: Date | null;
}

/** Stores with whom a business portfolio has started conversations in the last 24 hours. */
export abstract class TierBudgetStore {
  /** The committed messaging tier of the sender; that of `sender` if it was deleted. */
  abstract tierOf(sender: Sender): Promise<MessagingTier>;
  /**
   * Locks the portfolio until the surrounding unit of work ends and takes room for the requests, at most `limit` people
   * in a moving 24 hours. People already in the window need no room. `inOrder`: grants nothing after the first refusal.
   */
  abstract take(
    portfolioId: string,
    limit: number,
    requests: readonly TierRequest[],
    inOrder: boolean,
  ): Promise<TierGrant>;
  abstract use(portfolioId: string): Promise<TierUse>;
  /** Those of these people who are in the window. */
  abstract known(portfolioId: string, people: readonly string[]): Promise<Set<string>>;
  /** Counts people under their phone numbers instead of their user ids, in one transaction. */
  abstract rename(portfolioId: string, phonesByUserId: ReadonlyMap<string, string>): Promise<void>;
  /** Frees the room of these messages, unless another message to the same person relies on it. */
  abstract giveBack(messageIds: readonly string[]): Promise<void>;
}

/** The granted requests, and the rows to write. */
export interface TierDecision {
  /** In the order of the requests. */
  granted: boolean[];
  /** Messages that start a conversation, by person. */
  taken: Map<string, string>;
  /** Requests that rely on a conversation started by another message. */
  shared: TierRequest[];
}

/**
 * Grants requests in order: people in the window (`known`) need no room, at most `free` others get it. `inOrder`:
 * grants nothing after the first refusal.
 */
export function grantRoom(
  requests: readonly TierRequest[],
  known: ReadonlySet<string>,
  free: number,
  inOrder: boolean,
): TierDecision {
  const taken = new Map<string, string>();
  const shared: TierRequest[] = [];
  let isClosed = false;
  const granted = requests.map((request) => {
    if (isClosed) return false;
    if (known.has(request.person) || taken.has(request.person)) {
      shared.push(request);
      return true;
    }
    if (taken.size < free) {
      taken.set(request.person, request.messageId);
      return true;
    }
    isClosed = inOrder;
    return false;
  });
  return { granted, taken, shared };
}
