import { DEFAULT_LIMITS } from './file-limits';
import { FileRefused, tooLarge } from './file-refused';
import type { ReadOptions, ReadSummary, RecipientFileReading, RowBatch } from './recipient-file';
import { startReader, type ReaderHost, type ReaderOwner } from './reader-host';
import type { ReaderMessage, ReadOrder } from './reader-messages';

/**
 * Reads an uploaded .xlsx, .xls or .csv file in a separate thread (xls: a process), which starts with the first batch
 * requested, waits while the caller is busy and does not keep this process alive. Invalid rows are `invalidRows` in the
 * batches; for an unusable file `batches` and `summary` reject with FileRefused, or with the system's error if it cannot be opened.
 */
export function readRecipientFile(path: string, options: ReadOptions): RecipientFileReading {
  return new HostedReading({ path, options });
}

class HostedReading implements RecipientFileReading, AsyncIterator<RowBatch>, ReaderOwner {
  readonly batches: AsyncIterable<RowBatch> = { [Symbol.asyncIterator]: () => this };
  readonly summary: Promise<ReadSummary>;

  private host: ReaderHost | undefined;
  private readonly ready: RowBatch[] = [];
  private outcome: { summary: ReadSummary } | { error: Error } | undefined;
  private settleSummary!: { resolve: (summary: ReadSummary) => void; reject: (error: Error) => void };
  private wake: (() => void) | undefined;
  private readonly limits: { seconds: number; heapMegabytes: number };
  private millisecondsLeft: number;

  constructor(private readonly order: ReadOrder) {
    this.limits = { ...DEFAULT_LIMITS, ...order.options.limits };
    this.millisecondsLeft = this.limits.seconds * 1_000;
    this.summary = new Promise((resolve, reject) => (this.settleSummary = { resolve, reject }));
    // The caller gets the same error from the batches and need not handle it here.
    this.summary.catch(() => {});
  }

  async next(): Promise<IteratorResult<RowBatch>> {
    if (this.ready.length === 0 && this.outcome === undefined) await this.waitForReader();
    const batch = this.ready.shift();
    if (batch !== undefined) {
      this.host?.batchTaken();
      return { done: false, value: batch };
    }
    if (this.outcome === undefined) throw new Error('The reader notified its caller without a batch.');
    if ('error' in this.outcome) {
      this.settleSummary.reject(this.outcome.error);
      throw this.outcome.error;
    }
    this.settleSummary.resolve(this.outcome.summary);
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<RowBatch>> {
    await this.close();
    return { done: true, value: undefined };
  }

  async close(): Promise<void> {
    this.ready.length = 0;
    this.ended(new Error('Reading the file was cancelled.'));
    if (this.outcome && 'error' in this.outcome) this.settleSummary.reject(this.outcome.error);
    await this.host?.end();
  }

  hear(message: ReaderMessage): void {
    switch (message.kind) {
      case 'batch':
        // A batch may still arrive after reading was cancelled.
        if (this.outcome === undefined) this.ready.push(message.batch);
        this.wake?.();
        return;
      case 'end':
        this.settle({ summary: message.summary });
        return;
      case 'refused':
        this.ended(new FileRefused(message.refusal));
        return;
      case 'failed':
        this.ended(Object.assign(new Error(message.message), { code: message.code }));
    }
  }

  ended(error: Error): void {
    this.settle({ error });
  }

  private async waitForReader(): Promise<void> {
    try {
      this.host ??= await startReader(this.order, this.limits.heapMegabytes, this);
    } catch (error) {
      this.ended(error as Error);
      return;
    }
    const { host } = this;
    if (this.outcome !== undefined) {
      await host.end();
      return;
    }
    host.keepAlive(true);
    const since = performance.now();
    const timer = setTimeout(() => {
      const { seconds } = this.limits;
      this.ended(tooLarge(`Reading it takes more than ${seconds} seconds.`, seconds));
      void host.end();
    }, this.millisecondsLeft);
    await new Promise<void>((resolve) => (this.wake = resolve));
    clearTimeout(timer);
    this.millisecondsLeft -= performance.now() - since;
    host.keepAlive(false);
  }

  /** Only the first outcome counts: every end of the reader is followed by its exit. */
  private settle(outcome: { summary: ReadSummary } | { error: Error }): void {
    this.outcome ??= outcome;
    this.wake?.();
  }
}
