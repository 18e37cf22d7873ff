import type { FileRefusal } from './file-refused';
import type { ReadOptions, ReadSummary, RowBatch } from './recipient-file';

/** The start parameters of a reader. */
export interface ReadOrder {
  path: string;
  options: ReadOptions;
}

/** Messages of a reader to its caller. */
export type ReaderMessage =
  | { kind: 'batch'; batch: RowBatch }
  | { kind: 'end'; summary: ReadSummary }
  | { kind: 'refused'; refusal: FileRefusal }
  | { kind: 'failed'; message: string; code?: string | undefined };

/** Message to a reader: the caller has consumed one batch. */
export const BATCH_TAKEN = 'taken';

/** Maximum number of unconsumed batches; the reader waits for the caller beyond that. */
export const BATCHES_UNDER_WAY = 4;
