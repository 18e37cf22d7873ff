/** Positions per transaction. */
export const POSITIONS_AT_ONCE = 5000;

/** The progress of an erasure through the jobs of an account: the last position erased. */
export interface JobPosition {
  /** In the database's exact text form. */
  createdAt: string;
  jobId: string;
  position: number;
}

/** A job to erase from. */
export interface ScannedJob extends Omit<JobPosition, 'position'> {
  /** The job is still being stored, so its recipients are not known yet. */
  isImporting: boolean;
  totalRecipients: number;
}

/** Erases people from the recipients of jobs. */
export abstract class JobErasureStore {
  /** The account's jobs created before `until` (importing ones: begun), in a stable order, starting with the job of `from`. */
  abstract jobs(accountId: string, until: Date, from: JobPosition | null, limit: number): Promise<ScannedJob[]>;
  /**
   * Erases the person with this number or user id from a range of a job's positions, in one short transaction. Recipients
   * that were not attempted yet or wait for a retry become skipped. Returns false if a message in flight is left.
   */
  abstract erase(jobId: string, first: number, last: number, people: readonly string[]): Promise<boolean>;
}
