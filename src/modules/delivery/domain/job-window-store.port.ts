/** Which running jobs wait for their send window, and until when. */
export abstract class JobWindowStore {
  /**
   * Marks at most `limit` running jobs that are outside their window and have something to send, until it opens, and puts those at rest
   * of which nothing is in flight or unknown; how many. Of several processes one marks a job.
   */
  abstract markClosed(limit: number): Promise<number>;
  /** Ends the rest of at most `limit` jobs whose window has opened or whose validity is over; the sender of each. */
  abstract wakeOpen(limit: number): Promise<string[]>;
}
