import { FileRefused } from './file-refused';
import type { RowBatch } from './recipient-file';
import { readRows } from './read-rows';
import { BATCHES_UNDER_WAY, type ReaderMessage, type ReadOrder } from './reader-messages';

/** Reads one file for a caller in another thread or process, at most a few batches ahead of it. */
export class Reader {
  private underWay = 0;
  private resume: (() => void) | undefined;

  constructor(
    private readonly order: ReadOrder,
    private readonly say: (message: ReaderMessage) => void,
  ) {}

  /** Reads the file to its end; errors are sent as messages, never thrown. */
  async run(): Promise<void> {
    this.say(await this.outcome());
  }

  /** Must be called whenever the caller has consumed a batch. */
  batchTaken(): void {
    this.underWay--;
    this.resume?.();
  }

  private async outcome(): Promise<ReaderMessage> {
    try {
      const { path, options } = this.order;
      return { kind: 'end', summary: await readRows(path, options, (batch) => this.deliver(batch)) };
    } catch (error) {
      if (error instanceof FileRefused) {
        const { code, message, reason, limit } = error;
        return { kind: 'refused', refusal: { code, message, reason, limit } };
      }
      const failure = error as NodeJS.ErrnoException;
      return { kind: 'failed', message: failure.message, code: failure.code };
    }
  }

  private async deliver(batch: RowBatch): Promise<void> {
    this.say({ kind: 'batch', batch });
    this.underWay++;
    if (this.underWay < BATCHES_UNDER_WAY) return;
    await new Promise<void>((resolve) => (this.resume = resolve));
  }
}
