import type { Clock } from './clock';
import { BackgroundWork } from './background-work';
import { SeparateCommits, type Separation, type Waiting } from './separate-commits';
import { RowsLockedError } from './unit-of-work';

/**
 * Writes a batch in one transaction; the results are in the order of the items. Where `lockWaitMs` is given, it waits for a locked row
 * at most that long and rejects with RowsLockedError, as `UnitOfWork.run` does.
 */
export type BatchWrite<Item, Result> = (items: Item[], lockWaitMs?: number) => Promise<Result[]>;

/** How a group commit gathers items and handles a failed write. */
export interface GroupCommitOptions<Item> {
  maxItems: number;
  /** How long the first item of a batch waits for others; 0: only while the previous write lasts. */
  gatherMs: number;
  /**
   * Names the writes in /health/ready and /metrics, and repeats a failed one until it commits, for items that are facts stored nowhere
   * else. A write must be safe to repeat: it may have committed and its answer been lost. Without a name all items of a failed write
   * are rejected.
   */
  retryAs?: string;
  /** Separates items when a row is locked, so that no item waits for a row that only another one needs; without it the batch waits. */
  separate?: Separation<Item>;
  onError?: (error: unknown) => void;
  clock: Pick<Clock, 'monotonic' | 'sleep' | 'turn'>;
}

const RETRY_MS = [50, 100, 250, 500, 1000];
/** What a batch waits for a locked row before its items are separated. */
const BATCH_LOCK_WAIT_MS = 50;

/** Gathers items that arrive while the database is busy and writes them in one transaction, or reads what belongs to them in one statement. */
export class GroupCommit<Item, Result = void> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private uncommitted = 0;
  /** When items were last committed or rejected, or the first one since then was submitted. */
  private progressedAt = 0;
  private draining = false;
  /** Called when nothing is left to write. */
  private readonly whenSettled: (() => void)[] = [];
  private readonly retried: BackgroundWork | null;
  private readonly separate: SeparateCommits<Item, Result> | null;

  constructor(
    private readonly write: BatchWrite<Item, Result>,
    private readonly options: GroupCommitOptions<Item>,
  ) {
    this.retried = options.retryAs === undefined ? null : new BackgroundWork(options.retryAs);
    const { separate, clock } = options;
    this.separate = separate ? new SeparateCommits(separate, this, clock) : null;
  }

  /** Items that are not committed yet. */
  get pending(): number {
    return this.uncommitted;
  }

  /** Milliseconds since items that wait were last committed or rejected; 0: none waits. */
  get stalledMs(): number {
    return this.uncommitted === 0 ? 0 : this.options.clock.monotonic() - this.progressedAt;
  }

  /** Whether the last write failed; new items should be delayed then. */
  get failing(): boolean {
    return this.retried !== null && this.retried.failuresInRow > 0;
  }

  /** Resolves when the item is committed. */
  submit(item: Item): Promise<Result> {
    if (this.uncommitted++ === 0) {
      this.progressedAt = this.options.clock.monotonic();
      this.retried?.begin();
    }
    return new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject };
      if (this.separate?.includesOwnerOf(item)) return this.separate.add([waiting]);
      this.waiting.push(waiting);
      if (!this.draining) void this.drain();
    });
  }

  /** Resolves when nothing is left to write. */
  async settled(): Promise<void> {
    if (this.uncommitted > 0) await new Promise<void>((resolve) => this.whenSettled.push(resolve));
  }

  /**
   * Writes a batch until it is committed or rejected, as `retryAs` says; never rejects. Where a row is locked for longer than
   * `lockWaitMs`, the items keep waiting, and it resolves with the error; otherwise with null.
   */
  async commit(batch: readonly Waiting<Item, Result>[], lockWaitMs?: number): Promise<RowsLockedError | null> {
    const items = batch.map(({ item }) => item);
    for (;;) {
      try {
        const results = await this.write(items, lockWaitMs);
        this.retried?.succeeded();
        this.ended(batch);
        batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
        return null;
      } catch (error) {
        if (lockWaitMs !== undefined && error instanceof RowsLockedError) return error;
        if (await this.rejects(batch, error)) return null;
      }
    }
  }

  /** Rejects the items of a failed write, or waits before its repetition and resolves with false. */
  async rejects(batch: readonly Waiting<Item, Result>[], error: unknown): Promise<boolean> {
    this.options.onError?.(error);
    if (this.retried === null) {
      this.ended(batch);
      batch.forEach(({ reject }) => reject(error));
      return true;
    }
    this.retried.failed(error as Error, this.options.clock.monotonic());
    await this.options.clock.sleep(RETRY_MS[Math.min(this.retried.failuresInRow, RETRY_MS.length) - 1]!);
    return false;
  }

  private async drain(): Promise<void> {
    this.draining = true;
    while (this.waiting.length > 0) {
      if (this.options.gatherMs > 0 && this.waiting.length < this.options.maxItems) {
        await this.options.clock.sleep(this.options.gatherMs);
      } else {
        // One turn of the event loop, so that requests submitted together share a transaction.
        await this.options.clock.turn();
      }
      const batch = this.waiting.splice(0, this.options.maxItems);
      const locked = await this.commit(batch, this.separate ? BATCH_LOCK_WAIT_MS : undefined);
      if (locked) this.separate?.add(batch);
    }
    // In the same tick as the last check of `waiting`, so that a later item starts a new drain.
    this.draining = false;
  }

  private ended({ length }: { length: number }): void {
    this.uncommitted -= length;
    this.progressedAt = this.options.clock.monotonic();
    if (this.uncommitted > 0) return;
    this.retried?.end();
    for (const resolve of this.whenSettled.splice(0)) resolve();
  }
}
