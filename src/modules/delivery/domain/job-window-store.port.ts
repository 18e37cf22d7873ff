/** The running jobs that wait for their send window. */
export abstract class JobWindowStore {
  /**
   * Marks at most `limit` running jobs that are outside their window and have something to send, with the time it opens, and puts those at
   * rest of which nothing is in flight or unknown; returns their number. Concurrent calls mark different jobs.
   */
  abstract markClosed(limit: number): Promise<number>;
  /** Wakes at most `limit` jobs at rest whose window has opened or whose validity has ended; returns the sender of each. */
  abstract wakeOpen(limit: number): Promise<string[]>;
}
