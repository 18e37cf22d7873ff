/** The pieces that the history of messages lies in, one for each month. */
export abstract class HistoryPartitions {
  /** Removes those of months that ended before `before` and hold nothing any more; gives how many. */
  abstract dropOlderThan(before: Date): Promise<number>;
}
