/** The monthly partitions of the message history. */
export abstract class HistoryPartitions {
  /** Removes empty partitions of months that ended before `before`; returns how many. */
  abstract dropOlderThan(before: Date): Promise<number>;
}
