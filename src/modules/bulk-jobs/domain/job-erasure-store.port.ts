/** The progress of an erasure through the jobs of an account: the last job that was examined. */
export interface JobPosition {
  /** In the database's exact text form. */
  createdAt: string;
  jobId: string;
}

/** A job to erase from. */
export interface ExaminedJob extends JobPosition {
  /** The job is still being stored, so its recipients are not known yet. */
  isImporting: boolean;
  /** The person is among its recipients. */
  hasPerson: boolean;
}

/** What an erasure has left in a job: nothing, further rows for the next call, or a message in flight. */
export type LeftInJob = 'Nothing' | 'Rows' | 'InFlight';

/** Erases people from the recipients of jobs. People are given by numbers and user ids. */
export abstract class JobErasureStore {
  /** At most `limit` jobs of the account created before `until` (importing ones: begun), in a stable order, starting with the job of `from`. */
  abstract jobs(
    accountId: string,
    until: Date,
    people: readonly string[],
    from: JobPosition | null,
    limit: number,
  ): Promise<ExaminedJob[]>;
  /**
   * Erases the person from a limited number of recipients of the job, in one short transaction. Recipients that were not attempted yet or
   * wait for a retry become skipped.
   */
  abstract erase(jobId: string, people: readonly string[]): Promise<LeftInJob>;
}
