import type { ColumnsWanted, FileSummary, ReadBatch, ReadingRules, SuggestedColumns, UploadedList } from './file-rows';

/** A file being read, as fast as its batches are consumed. */
export interface FileReading {
  batches: AsyncIterable<ReadBatch>;
  /** Resolves after the last batch. */
  summary: Promise<FileSummary>;
  /** Stops reading; does nothing if reading has ended. */
  close(): void;
}

/**
 * Reads spreadsheets as lists of recipients. `batches` rejects with a file error if the file cannot be read, and with
 * ReadingsBusyError if too many others are being read.
 */
export abstract class RecipientFile {
  abstract read(list: UploadedList, rules: ReadingRules): FileReading;

  /** Why a text cannot be this field of RowExtras or `reference`, to follow "The value …"; null: it can. */
  abstract problemOfExtra(field: string, text: string): string | null;

  /** Guesses the columns from the cells of the first rows. */
  abstract suggestColumns(
    rows: string[][],
    rules: Pick<ReadingRules, 'header' | 'defaultCountry'>,
    wanted: ColumnsWanted,
  ): SuggestedColumns;
}
