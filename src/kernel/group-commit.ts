import type { Clock } from './clock';
import { RepeatedWork } from './repeated-work';

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Writes a batch in one transaction; the results are in the order of the items. */
export type BatchWrite<Item, Result> = (items: Item[]) => Promise<Result[]>;

/** How a group commit gathers items and handles a failed write. */
export interface GroupCommitOptions {
  maxItems: number;
  /** How long the first item of a batch waits for others; 0: only while the previous write lasts. */
  gatherMs: number;
  /**
   * Names the writes in /health/ready and /metrics, and repeats a failed one until it commits, for items that are facts stored nowhere
   * else. A write must be safe to repeat: it may have committed and its answer been lost. Without a name all items of a failed write
   * are rejected.
   */
  repeatAs?: string;
  onError?: (error: unknown) => void;
  clock: Pick<Clock, 'monotonic' | 'sleep' | 'turn'>;
}

const RETRY_MS = [50, 100, 250, 500, 1000];

/** Gathers items that arrive while the database is busy and writes them in one transaction, or reads what belongs to them in one statement. */
export class GroupCommit<Item, Result = void> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private inWrite = 0;
  private writing: Promise<void> | null = null;
  private readonly repeated: RepeatedWork | null;

  constructor(
    private readonly write: BatchWrite<Item, Result>,
    private readonly options: GroupCommitOptions,
  ) {
    this.repeated = options.repeatAs === undefined ? null : new RepeatedWork(options.repeatAs);
  }

  /** Items that are not committed yet. */
  get pending(): number {
    return this.inWrite + this.waiting.length;
  }

  /** Whether the last write failed; new items should be delayed then. */
  get failing(): boolean {
    return this.repeated !== null && this.repeated.failuresInRow > 0;
  }

  /** Resolves when the item is committed. */
  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.writing ??= this.drain();
    });
  }

  /** Resolves when nothing is left to write. */
  async settled(): Promise<void> {
    while (this.writing) await this.writing;
  }

  private async drain(): Promise<void> {
    this.repeated?.begin();
    while (this.waiting.length > 0) {
      if (this.options.gatherMs > 0 && this.waiting.length < this.options.maxItems) {
        await this.options.clock.sleep(this.options.gatherMs);
      } else {
        // One turn of the event loop, so that requests of the same moment share a transaction.
        await this.options.clock.turn();
      }
      const batch = this.waiting.splice(0, this.options.maxItems);
      this.inWrite = batch.length;
      await this.commit(batch);
      this.inWrite = 0;
    }
    // In the same tick as the last check of `waiting`, so that a later item starts a new drain.
    this.writing = null;
    this.repeated?.end();
  }

  private async commit(batch: Waiting<Item, Result>[]): Promise<void> {
    for (;;) {
      try {
        const results = await this.write(batch.map(({ item }) => item));
        this.repeated?.succeeded();
        batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
        return;
      } catch (error) {
        this.options.onError?.(error);
        if (this.repeated === null) {
          batch.forEach(({ reject }) => reject(error));
          return;
        }
        this.repeated.failed(error as Error, this.options.clock.monotonic());
        await this.options.clock.sleep(RETRY_MS[Math.min(this.repeated.failuresInRow, RETRY_MS.length) - 1]!);
      }
    }
  }
}
