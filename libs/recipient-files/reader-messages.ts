import type { FileRefusal } from './file-refused';
import type { ReadOptions, ReadSummary, RowBatch } from './recipient-file';

/** What a reader is started with. */
export interface ReadOrder {
  path: string;
  options: ReadOptions;
}

/** What a reader says to its caller. */
export type ReaderMessage =
  | { kind: 'batch'; batch: RowBatch }
  | { kind: 'end'; summary: ReadSummary }
  | { kind: 'refused'; refusal: FileRefusal }
  | { kind: 'failed'; message: string; code?: string | undefined };

/** What a reader is told: the caller has taken one batch. */
export const BATCH_TAKEN = 'taken';

/** Batches that may be under way; the reader waits for the caller beyond that. */
export const BATCHES_UNDER_WAY = 4;
