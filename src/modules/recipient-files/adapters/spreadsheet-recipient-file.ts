import { Injectable } from '@nestjs/common';
import { FileRefused } from '../../../../libs/recipient-files/file-refused';
import { readRecipientFile } from '../../../../libs/recipient-files/read-recipient-file';
import { FairSlots, type SlotLimits } from '../../../infra/http/limits/fair-slots';
import type { DomainError } from '../../../kernel/domain-error';
import { FileEmptyError, FileTooLargeError, UnsupportedFileTypeError } from '../../../kernel/file.errors';
import type { ReadBatch, ReadingRules, UploadedList } from '../domain/file-rows';
import { type FileReading, RecipientFile } from '../domain/recipient-file.port';
import { FileUnreadableError, ReadingsBusyError, TooManyRowsError } from '../domain/recipient-files.errors';

/** Each file is read in a thread with its own heap, so this limits the memory for uploads. */
const LIMITS: SlotLimits = { slots: 4, perAccount: 2, waitMs: 30_000 };

/** Reads xlsx, xls and csv files, each in its own thread; beyond LIMITS they wait. */
@Injectable()
export class SpreadsheetRecipientFile extends RecipientFile {
  private readonly slots = new FairSlots(LIMITS, () => new ReadingsBusyError());

  read({ accountId, path }: UploadedList, { defaultCountry, ...rules }: ReadingRules): FileReading {
    const reading = readRecipientFile(path, {
      ...rules,
      ...(defaultCountry !== null && { defaultCountry }),
    });
    const waiting = new AbortController();
    return {
      batches: this.inTurn(accountId, reading.batches, waiting.signal),
      summary: reading.summary,
      close: () => {
        waiting.abort();
        void reading.close();
      },
    };
  }

  private async *inTurn(
    accountId: string,
    batches: AsyncIterable<ReadBatch>,
    signal: AbortSignal,
  ): AsyncGenerator<ReadBatch> {
    await this.slots.take(accountId, signal);
    try {
      yield* batches;
    } catch (error) {
      throw error instanceof FileRefused ? refusalOf(error) : error;
    } finally {
      this.slots.giveBack(accountId);
    }
  }
}

function refusalOf({ code, message, limit = 0, reason = 'corrupt' }: FileRefused): DomainError {
  switch (code) {
    case 'file_empty':
      return new FileEmptyError(message);
    case 'file_too_large':
      return new FileTooLargeError(message, limit);
    case 'too_many_rows':
      return new TooManyRowsError(message, limit);
    case 'unsupported_file_type':
      return new UnsupportedFileTypeError(message);
    case 'file_unreadable':
      return new FileUnreadableError(message, reason);
  }
}
