import { open } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { DEFAULT_LIMITS } from './file-limits';
import { FileRefused, tooLarge } from './file-refused';
import { isOleContainer } from './file-type';
import type { NumberLookup, ReadOptions, ReadSummary, RecipientFileReading, RowBatch } from './recipient-file';
import { startProcess, type ReaderHost, type ReaderListener } from './reader-host';
import type { ReaderMessage, ReadRequest } from './reader-messages';

const OLE_HEAD_BYTES = 8;

/**
 * Reads an uploaded .xlsx, .xls or .csv file in a separate thread (xls: process), which starts when the first batch is
 * requested, pauses while the caller is busy and does not keep this process alive. Invalid rows are `invalidRows` in the
 * batches. For an unusable file, `batches` and `summary` reject with FileRefused, or with a system error if it cannot be opened. With
 * `numbersOf` a person is the same by number and by user id; its errors reject both too.
 */
export function readRecipientFile(path: string, options: ReadOptions, numbersOf?: NumberLookup): RecipientFileReading {
  return new HostedReading({ path, options, looksUpNumbers: numbersOf !== undefined }, numbersOf);
}

class HostedReading implements RecipientFileReading, AsyncIterator<RowBatch>, ReaderListener {
  readonly batches: AsyncIterable<RowBatch> = { [Symbol.asyncIterator]: () => this };
  readonly summary: Promise<ReadSummary>;

  private host: ReaderHost | undefined;
  private readonly ready: RowBatch[] = [];
  private outcome: { summary: ReadSummary } | { error: Error } | undefined;
  private settleSummary!: { resolve: (summary: ReadSummary) => void; reject: (error: Error) => void };
  private wake: (() => void) | undefined;
  private readonly limits: { seconds: number; heapMegabytes: number };
  private millisecondsLeft: number;

  constructor(
    private readonly request: ReadRequest,
    private readonly numbersOf: NumberLookup | undefined,
  ) {
    this.limits = { ...DEFAULT_LIMITS, ...request.options.limits };
    this.millisecondsLeft = this.limits.seconds * 1_000;
    this.summary = new Promise((resolve, reject) => (this.settleSummary = { resolve, reject }));
    // The batches reject with the same error, so it need not be handled here.
    this.summary.catch(() => {});
  }

  async next(): Promise<IteratorResult<RowBatch>> {
    if (this.ready.length === 0 && this.outcome === undefined) await this.waitForReader();
    const batch = this.ready.shift();
    if (batch !== undefined) {
      this.host?.send({ kind: 'taken' });
      return { done: false, value: batch };
    }
    if (this.outcome === undefined) throw new Error('The reader sent no batch.');
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
    this.fail(new Error('Reading the file was cancelled.'));
    if (this.outcome && 'error' in this.outcome) this.settleSummary.reject(this.outcome.error);
    await this.host?.end();
  }

  receive(message: ReaderMessage): void {
    switch (message.kind) {
      case 'batch':
        // A batch may still arrive after reading was cancelled.
        if (this.outcome === undefined) this.ready.push(message.batch);
        this.wake?.();
        return;
      case 'userIds':
        void this.answer(message.userIds);
        return;
      case 'end':
        this.settle({ summary: message.summary });
        return;
      case 'refused':
        this.fail(new FileRefused(message.refusal));
        return;
      case 'failed':
        this.fail(Object.assign(new Error(message.message), { code: message.code }));
    }
  }

  fail(error: Error): void {
    this.settle({ error });
  }

  private async answer(userIds: string[]): Promise<void> {
    try {
      const numbers = await this.numbersOf!(userIds);
      this.host?.send({ kind: 'numbers', numbers: Object.fromEntries(numbers) });
    } catch (error) {
      this.fail(error as Error);
      await this.host?.end();
    }
  }

  private async waitForReader(): Promise<void> {
    try {
      this.host ??= (await isOldWorkbook(this.request.path))
        ? startProcess(this.request, this.limits.heapMegabytes, this)
        : this.startThread(this.limits.heapMegabytes);
    } catch (error) {
      this.fail(error as Error);
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
      this.fail(tooLarge(`Reading it takes more than ${seconds} seconds.`, seconds));
      void host.end();
    }, this.millisecondsLeft);
    await new Promise<void>((resolve) => (this.wake = resolve));
    clearTimeout(timer);
    this.millisecondsLeft -= performance.now() - since;
    host.keepAlive(false);
  }

  private startThread(heapMegabytes: number): ReaderHost {
    const worker = new Worker(require.resolve('./reader.worker'), {
      workerData: this.request,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 8 },
    });
    let finished = false;
    worker.on('message', (message: ReaderMessage) => {
      finished ||= message.kind !== 'batch';
      this.receive(message);
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.fail(outOfMemory ? tooLarge('Reading it takes too much memory.', heapMegabytes) : error);
    });
    worker.on('exit', () => {
      this.fail(new Error('The reading thread ended without a result.'));
    });
    return {
      send(message) {
        worker.postMessage(message);
      },
      keepAlive(on) {
        if (on) worker.ref();
        else worker.unref();
      },
      async end() {
        // A finished thread exits on its own; see reader.worker.ts.
        if (!finished) await worker.terminate();
      },
    };
  }

  /** Only the first outcome counts, as the reader's exit follows every end. */
  private settle(outcome: { summary: ReadSummary } | { error: Error }): void {
    this.outcome ??= outcome;
    this.wake?.();
  }
}

async function isOldWorkbook(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(OLE_HEAD_BYTES), 0, OLE_HEAD_BYTES, 0);
    return isOleContainer(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
