import { Injectable } from '@nestjs/common';
import { RequestAbandonedError } from '../../../kernel/request-abandoned.error';
import type { ColumnsWanted, ReadBatch, ReadingRules, ReadRow, SuggestedColumns, UploadedList } from './file-rows';
import { type FileReading, RecipientFile } from './recipient-file.port';

/** Titles and a header. */
const MOST_OTHER_ROWS = 10;

/** Reads uploaded files. */
@Injectable()
export class RecipientFiles {
  constructor(private readonly files: RecipientFile) {}

  /**
   * Returns the rows of a file in batches, in file order, and its summary, which resolves after the last batch. `batches` rejects with
   * a file error, ReadingsBusyError, or RequestAbandonedError once `signal` is aborted.
   */
  read(list: UploadedList, rules: ReadingRules, signal: AbortSignal): Pick<FileReading, 'batches' | 'summary'> {
    const reading = this.files.read(list, rules);
    return { batches: untilAborted(reading, signal), summary: reading.summary };
  }

  /** Why a text cannot be this field of RowExtras or `reference`, to follow "The value …"; null: it can. */
  problemOfExtra(field: string, text: string): string | null {
    return this.files.problemOfExtra(field, text);
  }

  /** Guesses the columns of a file from its first rows; rejects like the batches of `read`. */
  async suggestColumns(
    list: UploadedList,
    rules: Pick<ReadingRules, 'header' | 'headerRow' | 'sheet' | 'cellLanguage' | 'defaultCountry' | 'maxRows'>,
    wanted: ColumnsWanted,
    signal: AbortSignal,
  ): Promise<SuggestedColumns> {
    // A header and titles are read as rows, so that the guess can decide what they are.
    const anyRow = { valueCount: 'any', header: 'absent', duplicates: 'keep', cells: true, anyColumn: true } as const;
    const { batches } = this.read(list, { ...rules, ...anyRow, maxRows: rules.maxRows + MOST_OTHER_ROWS }, signal);
    const rows: ReadRow[] = [];
    for await (const batch of batches) {
      rows.push(...batch.rows, ...batch.invalidRows);
      break;
    }
    rows.sort((a, b) => a.rowNumber - b.rowNumber);
    return this.files.suggestColumns(
      rows.map(({ cells }) => cells ?? []),
      rules,
      wanted,
    );
  }
}

/** Closes the file after its last batch, and when the client disconnects or the consumer stops. */
async function* untilAborted(reading: FileReading, signal: AbortSignal): AsyncGenerator<ReadBatch> {
  const close = () => reading.close();
  signal.addEventListener('abort', close);
  try {
    for await (const batch of reading.batches) {
      if (signal.aborted) break;
      yield batch;
    }
    if (signal.aborted) throw new RequestAbandonedError();
  } catch (error) {
    throw signal.aborted ? new RequestAbandonedError() : error;
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}
