import type { FileRefusal } from './file-refused';
import type { ReadOptions, ReadSummary, RowBatch } from './recipient-file';

/** The start parameters of a reader. */
export interface ReadRequest {
  path: string;
  options: ReadOptions;
}

/** Messages from a reader to its caller. */
export type ReaderMessage =
  | { kind: 'batch'; batch: RowBatch }
  | { kind: 'end'; summary: ReadSummary }
  | { kind: 'refused'; refusal: FileRefusal }
  | { kind: 'failed'; message: string; code?: string | undefined };

/** Message to a reader that acknowledges one batch. */
export const BATCH_TAKEN = 'taken';

/** Number of unconsumed batches at which the reader pauses. */
export const MAX_UNCONSUMED_BATCHES = 4;
