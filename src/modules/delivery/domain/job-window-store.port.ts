/** Which running jobs wait for their send window, and until when. */
export abstract class JobWindowStore {
  /**
   * Marks at most `limit` running jobs that are outside their window, have something to send and are not marked, until it opens; how many.
   * Of several processes one marks a job.
   */
  abstract markClosed(limit: number): Promise<number>;
}
