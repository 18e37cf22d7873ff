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
  /** False: the person is not among its recipients. */
  mayHavePerson: boolean;
}

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
   * Erases the person from the recipients of the job, in short transactions. Recipients that were not attempted yet or wait for a retry become
   * skipped. Returns false if a message in flight is left.
   */
  abstract erase(jobId: string, people: readonly string[]): Promise<boolean>;
}
