import { Injectable } from '@nestjs/common';
import { FileRefused } from '../../../../libs/recipient-files/file-refused';
import { readRecipientFile } from '../../../../libs/recipient-files/read-recipient-file';
import type { DomainError } from '../../../kernel/domain-error';
import { FileEmptyError, FileTooLargeError, UnsupportedFileTypeError } from '../../../kernel/file.errors';
import { KEY_SPELLINGS } from '../../../kernel/phone-number';
import type { ReadBatch, ReadingRules } from '../domain/file-rows';
import { type FileReading, RecipientFile } from '../domain/recipient-file.port';
import { FileUnreadableError, TooManyRowsError } from '../domain/recipient-files.errors';
import { ReadingSlots } from './reading-slots';

/** Each file is read in a thread with its own heap, so this limits the memory for uploads. */
const MAX_READINGS = 4;

/** Reads xlsx, xls and csv files, each in its own thread; beyond MAX_READINGS they wait. */
@Injectable()
export class SpreadsheetRecipientFile extends RecipientFile {
  private readonly slots = new ReadingSlots(MAX_READINGS);

  read(path: string, { defaultCountry, ...rules }: ReadingRules): FileReading {
    const reading = readRecipientFile(path, {
      ...rules,
      spellings: KEY_SPELLINGS,
      ...(defaultCountry !== null && { defaultCountry }),
    });
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
      throw error instanceof FileRefused ? refusalOf(error) : error;
    } finally {
      this.slots.giveBack();
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
