import { ReadingsBusyError } from '../domain/recipient-files.errors';

/** How many files are read at once. */
export interface ReadingLimits {
  /** Of all accounts. */
  slots: number;
  /** Of one account, so that it cannot keep the others waiting. */
  perAccount: number;
  /** How long a file waits for its turn. */
  waitMs: number;
}

interface Waiting {
  accountId: string;
  enter: () => void;
}

/** Limits how many files are read at once; the others wait, and the account with the fewest files being read is next. */
export class ReadingSlots {
  private readonly reading = new Map<string, number>();
  private readonly waiting = new Set<Waiting>();
  private free: number;

  constructor(private readonly limits: ReadingLimits) {
    this.free = limits.slots;
  }

  /**
   * Resolves when the account has a slot, which must be released. Throws ReadingsBusyError if none becomes free in time, and the
   * reason of `signal` once that is aborted.
   */
  async take(accountId: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.mayEnter(accountId)) this.enter(accountId);
    else await this.turn(accountId, signal);
  }

  /** Releases a slot of the account. */
  giveBack(accountId: string): void {
    const left = this.readingOf(accountId) - 1;
    if (left > 0) this.reading.set(accountId, left);
    else this.reading.delete(accountId);
    this.free++;
    const next = this.nextWaiting();
    if (!next) return;
    this.enter(next.accountId);
    next.enter();
  }

  private turn(accountId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void) => () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.waiting.delete(waiting);
        outcome();
      };
      const waiting: Waiting = { accountId, enter: settle(resolve) };
      const onAbort = settle(() => reject(signal.reason as Error));
      const timer = setTimeout(
        settle(() => reject(new ReadingsBusyError())),
        this.limits.waitMs,
      );
      signal.addEventListener('abort', onAbort);
      this.waiting.add(waiting);
    });
  }

  /** Among equal accounts, who has waited longest. */
  private nextWaiting(): Waiting | undefined {
    let best: Waiting | undefined;
    for (const waiting of this.waiting) {
      if (!this.mayEnter(waiting.accountId)) continue;
      if (!best || this.readingOf(waiting.accountId) < this.readingOf(best.accountId)) best = waiting;
    }
    return best;
  }

  private mayEnter(accountId: string): boolean {
    return this.free > 0 && this.readingOf(accountId) < this.limits.perAccount;
  }

  private enter(accountId: string): void {
    this.free--;
    this.reading.set(accountId, this.readingOf(accountId) + 1);
  }

  private readingOf(accountId: string): number {
    return this.reading.get(accountId) ?? 0;
  }
}
