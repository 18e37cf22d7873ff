import type { FileRefusal } from './file-refused';
import type { ReadOptions, ReadSummary, RowBatch } from './recipient-file';

/** The start parameters of a reader. */
export interface ReadRequest {
  path: string;
  options: ReadOptions;
  /** Whether the caller looks up the numbers of user ids. */
  looksUpNumbers: boolean;
}

/** Messages from a reader to its caller. */
export type ReaderMessage =
  | { kind: 'batch'; batch: RowBatch }
  | { kind: 'userIds'; userIds: string[] }
  | { kind: 'end'; summary: ReadSummary }
  | { kind: 'refused'; refusal: FileRefusal }
  | { kind: 'failed'; message: string; code?: string | undefined };

/** Messages to a reader: one batch was consumed, or the known numbers of the user ids that it sent, by user id. */
export type CallerMessage = { kind: 'taken' } | { kind: 'numbers'; numbers: Readonly<Record<string, string>> };

/** Number of unconsumed batches at which the reader pauses. */
export const MAX_UNCONSUMED_BATCHES = 4;
