/** Where a walk through the jobs of an account is: behind this position of this job. */
export interface JobPosition {
  /** As the database writes it, exactly. */
  createdAt: string;
  jobId: string;
  position: number;
}

/** A job on that walk. */
export interface WalkedJob extends Omit<JobPosition, 'position'> {
  /** It is still being stored: nobody knows yet who is in it. */
  isImporting: boolean;
  totalRecipients: number;
}

/** Takes people out of the recipients of jobs. */
export abstract class JobErasureStore {
  /** The account's jobs in a stable order from the one of `from` on, those that were asked for before `until`. */
  abstract jobs(accountId: string, until: Date, from: JobPosition | null, limit: number): Promise<WalkedJob[]>;
  /**
   * Erases the people with these phones from a range of a job's positions, in one short transaction: who was not tried
   * yet, or waits for another attempt, is skipped. False when somebody is left whose message is on its way.
   */
  abstract erase(jobId: string, first: number, last: number, phones: readonly string[]): Promise<boolean>;
}
