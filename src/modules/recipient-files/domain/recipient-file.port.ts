import type { FileSummary, ReadBatch, ReadingRules, UploadedList } from './file-rows';

/** A file being read; it is read only as fast as its batches are consumed. */
export interface FileReading {
  batches: AsyncIterable<ReadBatch>;
  /** Resolves after the last batch. */
  summary: Promise<FileSummary>;
  /** Stops reading; does nothing when it has ended. */
  close(): void;
}

/**
 * Reads spreadsheets as lists of recipients. If the file cannot be read, `batches` rejects with an error of a file, and with
 * ReadingsBusyError if too many others are being read.
 */
export abstract class RecipientFile {
  abstract read(list: UploadedList, rules: ReadingRules): FileReading;
}
