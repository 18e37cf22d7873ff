/** The monthly partitions of the message history. */
export abstract class HistoryPartitions {
  /** Removes empty partitions of months that ended before `before`; returns their names. */
  abstract dropEmpty(before: Date): Promise<string[]>;
}
