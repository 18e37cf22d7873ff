import type { FileSummary, ReadBatch, ReadingRules } from './file-rows';

/** A file that is being read; the batches wait for whoever takes them. */
export interface FileReading {
  batches: AsyncIterable<ReadBatch>;
  /** Known once the batches are at their end. */
  summary: Promise<FileSummary>;
  /** Ends the reading; harmless when it is over. */
  close(): void;
}

/** Spreadsheets as lists of recipients. A file that cannot be read makes `batches` reject with FileRefusedError. */
export abstract class RecipientFile {
  abstract read(path: string, rules: ReadingRules): FileReading;
}
