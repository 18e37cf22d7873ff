import { Injectable } from '@nestjs/common';
import { FileRefused } from '../../../../libs/recipient-files/file-refused';
import { readRecipientFile } from '../../../../libs/recipient-files/read-recipient-file';
import type { ReadBatch, ReadingRules } from '../domain/file-rows';
import { type FileReading, RecipientFile } from '../domain/recipient-file.port';
import { FileRefusedError } from '../domain/recipient-files.errors';
import { ReadingSlots } from './reading-slots';

/** Each reading is a thread with a heap of its own: more of them at once would make memory grow with the uploads. */
const READINGS_AT_ONCE = 4;

/** Reads xlsx, xls and csv files in a thread of their own; when many come at once, the later ones wait. */
@Injectable()
export class SpreadsheetRecipientFile extends RecipientFile {
  private readonly slots = new ReadingSlots(READINGS_AT_ONCE);

  read(path: string, { defaultCountry, ...rules }: ReadingRules): FileReading {
    const reading = readRecipientFile(path, { ...rules, ...(defaultCountry !== null && { defaultCountry }) });
    return {
      batches: this.inTurn(reading.batches),
      summary: reading.summary,
      close: () => void reading.close(),
    };
  }

  private async *inTurn(batches: AsyncIterable<ReadBatch>): AsyncGenerator<ReadBatch> {
    await this.slots.take();
    try {
      yield* batches;
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      const { code, message, limit, reason } = error;
      throw new FileRefusedError(code, message, { limit, reason });
    } finally {
      this.slots.giveBack();
    }
  }
}
