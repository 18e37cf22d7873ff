/** Limits of one kind of concurrent work. */
export interface SlotLimits {
  /** Slots of all accounts. */
  slots: number;
  /** Slots of one account, so that it cannot block the others. */
  perAccount: number;
  /** How long a caller waits for a slot. */
  waitMs: number;
}

interface Waiting {
  accountId: string;
  enter: () => void;
}

/** Limits concurrent work; among waiting callers, the account with the fewest slots is next. */
export class FairSlots {
  private readonly taken = new Map<string, number>();
  private readonly waiting = new Set<Waiting>();
  private free: number;

  /** `busy` creates the error for a caller that gets no slot in time. */
  constructor(
    private readonly limits: SlotLimits,
    private readonly busy: () => Error,
  ) {
    this.free = limits.slots;
  }

  /**
   * Resolves when the account has a slot, which must be released. Throws the error of `busy` if none becomes free within `waitMs`
   * (null: no limit), and the reason of `signal` once it is aborted.
   */
  async take(accountId: string, signal: AbortSignal, waitMs: number | null = this.limits.waitMs): Promise<void> {
    signal.throwIfAborted();
    if (this.mayEnter(accountId)) this.enter(accountId);
    else await this.wait(accountId, signal, waitMs);
  }

  /** Releases a slot of the account. */
  release(accountId: string): void {
    const left = this.takenBy(accountId) - 1;
    if (left > 0) this.taken.set(accountId, left);
    else this.taken.delete(accountId);
    this.free++;
    const next = this.nextWaiting();
    if (!next) return;
    this.enter(next.accountId);
    next.enter();
  }

  /** Releases a slot of the account if an account with fewer slots waits; returns whether it did. */
  yieldSlot(accountId: string): boolean {
    const own = this.takenBy(accountId);
    for (const waiting of this.waiting) {
      if (this.takenBy(waiting.accountId) >= own) continue;
      this.release(accountId);
      return true;
    }
    return false;
  }

  private wait(accountId: string, signal: AbortSignal, waitMs: number | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void) => () => {
        if (timer) clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.waiting.delete(waiting);
        outcome();
      };
      const waiting: Waiting = { accountId, enter: settle(resolve) };
      const onAbort = settle(() => reject(signal.reason as Error));
      const onTimeout = settle(() => reject(this.busy()));
      const timer = waitMs === null ? null : setTimeout(onTimeout, waitMs);
      signal.addEventListener('abort', onAbort);
      this.waiting.add(waiting);
    });
  }

  /** The next caller; among equal accounts, the one that has waited longest. */
  private nextWaiting(): Waiting | undefined {
    let best: Waiting | undefined;
    for (const waiting of this.waiting) {
      if (!this.mayEnter(waiting.accountId)) continue;
      if (!best || this.takenBy(waiting.accountId) < this.takenBy(best.accountId)) best = waiting;
    }
    return best;
  }

  private mayEnter(accountId: string): boolean {
    return this.free > 0 && this.takenBy(accountId) < this.limits.perAccount;
  }

  private enter(accountId: string): void {
    this.free--;
    this.taken.set(accountId, this.takenBy(accountId) + 1);
  }

  private takenBy(accountId: string): number {
    return this.taken.get(accountId) ?? 0;
  }
}
