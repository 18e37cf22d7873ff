/** Deleted rows of a round, by kind. */
export type DeletedCounts = ReadonlyMap<string, number>;

/** Log lines and metrics of retention. */
export abstract class RetentionTelemetry {
  /** Rows of one kind were deleted. */
  abstract deleted(kind: string, count: number): void;
  /** A round has finished; `failures` of its parts failed and are retried in the next one. */
  abstract finished(counts: DeletedCounts, seconds: number, failures: number): void;
  /** A part of a round failed; a null kind means the whole round. */
  abstract failed(kind: string | null, accountId: string | null, error: unknown): void;
}
