import { Injectable } from '@nestjs/common';
import { RequestAbandonedError } from '../../../kernel/request-abandoned.error';
import type { FileSummary, ReadBatch, ReadingRules } from './file-rows';
import { RecipientFile } from './recipient-file.port';

/** Reads uploaded files for whoever takes in their rows. */
@Injectable()
export class RecipientFiles {
  constructor(private readonly files: RecipientFile) {}

  /**
   * Hands the rows of a file to `take`, batch by batch in their order, and waits for it. Rejects with FileRefusedError,
   * which may be after many batches, with what `take` rejects with, and with RequestAbandonedError once `signal` is aborted.
   */
  async read(
    path: string,
    rules: ReadingRules,
    signal: AbortSignal,
    take: (batch: ReadBatch) => Promise<void>,
  ): Promise<FileSummary> {
    const reading = this.files.read(path, rules);
    const stopReading = () => reading.close();
    signal.addEventListener('abort', stopReading);
    try {
      for await (const batch of reading.batches) {
        if (signal.aborted) break;
        await take(batch);
      }
      if (signal.aborted) throw new RequestAbandonedError();
      return await reading.summary;
    } catch (error) {
      throw signal.aborted ? new RequestAbandonedError() : error;
    } finally {
      signal.removeEventListener('abort', stopReading);
      reading.close();
    }
  }
}
