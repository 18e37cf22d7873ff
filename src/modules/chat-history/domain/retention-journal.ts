/** Things of one kind that a round has deleted. */
export type DeletedCounts = ReadonlyMap<string, number>;

/** What retention tells those who run the service. */
export abstract class RetentionJournal {
  /** Things were deleted for good. */
  abstract deleted(kind: string, count: number): void;
  /** A whole round is over; `failures` of its parts could not be finished and are tried again in the next one. */
  abstract finished(counts: DeletedCounts, seconds: number, failures: number): void;
  /** A part of a round could not go on; null: the round as a whole. */
  abstract failed(kind: string | null, accountId: string | null, error: unknown): void;
}
