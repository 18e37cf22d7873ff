import type { Clock } from './clock';
import { RepeatedWork } from './repeated-work';
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
  repeatAs?: string;
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
  private writing: Promise<void> | null = null;
  private readonly repeated: RepeatedWork | null;
  private readonly separate: SeparateCommits<Item, Result> | null;

  constructor(
    private readonly write: BatchWrite<Item, Result>,
    private readonly options: GroupCommitOptions<Item>,
  ) {
    this.repeated = options.repeatAs === undefined ? null : new RepeatedWork(options.repeatAs);
    const { separate } = options;
    const commit = {
      tryCommit: this.tryCommit.bind(this),
      giveUp: this.rejects.bind(this),
    };
    this.separate = separate ? new SeparateCommits(separate, commit, options.clock) : null;
  }

  /** Items that are not committed yet. */
  get pending(): number {
    return this.uncommitted;
  }

  /** Whether the last write failed; new items should be delayed then. */
  get failing(): boolean {
    return this.repeated !== null && this.repeated.failuresInRow > 0;
  }

  /** Resolves when the item is committed. */
  submit(item: Item): Promise<Result> {
    if (this.uncommitted++ === 0) this.repeated?.begin();
    return new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject };
      if (this.separate?.includesOwnerOf(item)) return this.separate.add([waiting]);
      this.waiting.push(waiting);
      this.writing ??= this.drain();
    });
  }

  /** Resolves when nothing is left to write. */
  async settled(): Promise<void> {
    while (this.uncommitted > 0) await Promise.all([this.writing, this.separate?.settled()]);
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      if (this.options.gatherMs > 0 && this.waiting.length < this.options.maxItems) {
        await this.options.clock.sleep(this.options.gatherMs);
      } else {
        // One turn of the event loop, so that requests of the same moment share a transaction.
        await this.options.clock.turn();
      }
      const batch = this.waiting.splice(0, this.options.maxItems);
      if (!this.separate) await this.commit(batch);
      else if (await this.tryCommit(batch, BATCH_LOCK_WAIT_MS)) this.separate.add(batch);
    }
    // In the same tick as the last check of `waiting`, so that a later item starts a new drain.
    this.writing = null;
  }

  /** Resolves with the error if a row is locked for longer, otherwise with null; another error is handled as `commit` does. */
  private async tryCommit(batch: Waiting<Item, Result>[], lockWaitMs: number): Promise<RowsLockedError | null> {
    try {
      await this.writeOnce(batch, lockWaitMs);
    } catch (error) {
      if (error instanceof RowsLockedError) return error;
      if (!(await this.rejects(batch, error))) await this.commit(batch);
    }
    return null;
  }

  private async commit(batch: Waiting<Item, Result>[]): Promise<void> {
    for (;;) {
      try {
        return await this.writeOnce(batch);
      } catch (error) {
        if (await this.rejects(batch, error)) return;
      }
    }
  }

  private async writeOnce(batch: Waiting<Item, Result>[], lockWaitMs?: number): Promise<void> {
    const items = batch.map(({ item }) => item);
    const results = await this.write(items, lockWaitMs);
    this.repeated?.succeeded();
    this.ended(batch);
    batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
  }

  /** Rejects the items of a failed write, or waits before its repetition and resolves with false. */
  private async rejects(batch: Waiting<Item, Result>[], error: unknown): Promise<boolean> {
    this.options.onError?.(error);
    if (this.repeated === null) {
      this.ended(batch);
      batch.forEach(({ reject }) => reject(error));
      return true;
    }
    this.repeated.failed(error as Error, this.options.clock.monotonic());
    await this.options.clock.sleep(RETRY_MS[Math.min(this.repeated.failuresInRow, RETRY_MS.length) - 1]!);
    return false;
  }

  private ended({ length }: { length: number }): void {
    this.uncommitted -= length;
    if (this.uncommitted === 0) this.repeated?.end();
  }
}
