import { Injectable } from '@nestjs/common';
import { suggestColumns } from '../../../../libs/recipient-files/columns/suggest-columns';
import { FileRefused } from '../../../../libs/recipient-files/file-refused';
import { problemOfExtra } from '../../../../libs/recipient-files/rows/extra-text';
import { readRecipientFile } from '../../../../libs/recipient-files/read-recipient-file';
import { isPrivateHost } from '../../../infra/public-addresses';
import { FairSlots, type SlotLimits } from '../../../infra/http/limits/fair-slots';
import type { DomainError } from '../../../kernel/domain-error';
import { FileEmptyError, FileTooLargeError, UnsupportedFileTypeError } from '../../../kernel/file.errors';
import { ValidationFailedError } from '../../../kernel/request.errors';
import type {
  ColumnsWanted,
  InvalidRow,
  ReadBatch,
  ReadingRules,
  ReadRow,
  SuggestedColumns,
  UploadedList,
} from '../domain/file-rows';
import { type FileReading, RecipientFile } from '../domain/recipient-file.port';
import {
  ColumnNotFoundError,
  FileUnreadableError,
  ReadingsBusyError,
  TooManyRowsError,
} from '../domain/recipient-files.errors';

/** Each file is read in a thread with its own heap, so this limits the memory for uploads. */
const LIMITS: SlotLimits = { slots: 4, perAccount: 2, waitMs: 30_000 };

const PRIVATE_URL = 'is not a public address, so the platform cannot download the file. Put it on a public host.';

/** Reads xlsx, xls and csv files, each in its own thread; files beyond LIMITS wait for a slot. */
@Injectable()
export class SpreadsheetRecipientFile extends RecipientFile {
  private readonly slots = new FairSlots(LIMITS, () => new ReadingsBusyError());

  read({ accountId, path }: UploadedList, { defaultCountry, numbersOf, ...rules }: ReadingRules): FileReading {
    const options = { ...rules, ...(defaultCountry !== null && { defaultCountry }) };
    const reading = readRecipientFile(path, options, numbersOf);
    const waiting = new AbortController();
    const batches = this.inSlot(accountId, reading.batches, waiting.signal);
    return {
      batches: rules.columns?.headerMediaUrl === undefined ? batches : withPublicUrls(batches),
      summary: reading.summary,
      close: () => {
        waiting.abort();
        void reading.close();
      },
    };
  }

  suggestColumns(
    rows: string[][],
    { header, defaultCountry }: Pick<ReadingRules, 'header' | 'defaultCountry'>,
    wanted: ColumnsWanted,
  ): SuggestedColumns {
    return suggestColumns(rows, { ...wanted, header, ...(defaultCountry !== null && { defaultCountry }) });
  }

  problemOfExtra(field: string, text: string): string | null {
    const problem = problemOfExtra(field, text);
    if (problem !== undefined) return problem;
    return field === 'headerMediaUrl' && isPrivateHost(new URL(text).hostname) ? PRIVATE_URL : null;
  }

  private async *inSlot(
    accountId: string,
    batches: AsyncIterable<ReadBatch>,
    signal: AbortSignal,
  ): AsyncGenerator<ReadBatch> {
    await this.slots.take(accountId, signal);
    try {
      yield* batches;
    } catch (error) {
      throw error instanceof FileRefused ? domainErrorOf(error) : error;
    } finally {
      this.slots.release(accountId);
    }
  }
}

/** Rows whose media the platform could not download become invalid ones. */
async function* withPublicUrls(batches: AsyncIterable<ReadBatch>): AsyncGenerator<ReadBatch> {
  for await (const batch of batches) {
    const rows: ReadRow[] = [];
    const invalid: InvalidRow[] = [];
    for (const row of batch.rows) {
      const url = row.extras?.headerMediaUrl;
      if (url === undefined || !isPrivateHost(new URL(url).hostname)) rows.push(row);
      else
        invalid.push({
          ...row,
          field: 'headerMediaUrl',
          code: 'parameter_invalid',
          message: `headerMediaUrl ${PRIVATE_URL}`,
        });
    }
    if (invalid.length === 0) yield batch;
    else
      yield {
        ...batch,
        rows,
        invalidRows: [...batch.invalidRows, ...invalid].sort((a, b) => a.rowNumber - b.rowNumber),
      };
  }
}

function domainErrorOf({
  code,
  message,
  limit = 0,
  reason = 'corrupt',
  availableColumns = [],
}: FileRefused): DomainError {
  switch (code) {
    case 'sheet_not_found':
      return new ValidationFailedError([{ field: 'sheet', code: 'invalid', message }]);
    case 'header_row_empty':
      return new ValidationFailedError([{ field: 'headerRow', code: 'invalid', message }]);
    case 'column_not_found':
      return new ColumnNotFoundError(message, availableColumns);
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
