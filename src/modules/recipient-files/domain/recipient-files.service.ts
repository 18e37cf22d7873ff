import { Injectable } from '@nestjs/common';
import { RequestAbandonedError } from '../../../kernel/request-abandoned.error';
import type { FileSummary, ReadBatch, ReadingRules, UploadedList } from './file-rows';
import { RecipientFile } from './recipient-file.port';

/** Reads uploaded files. */
@Injectable()
export class RecipientFiles {
  constructor(private readonly files: RecipientFile) {}

  /**
   * Passes the rows of a file to `take` in batches, in file order, and awaits each call. Rejects with the errors of a file,
   * possibly after many batches, with ReadingsBusyError, with the error of `take`, and with RequestAbandonedError once `signal` is aborted.
   */
  async read(
    list: UploadedList,
    rules: ReadingRules,
    signal: AbortSignal,
    take: (batch: ReadBatch) => Promise<void>,
  ): Promise<FileSummary> {
    const reading = this.files.read(list, rules);
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
