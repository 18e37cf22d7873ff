/** Positions per transaction. */
export const POSITIONS_AT_ONCE = 5000;

/** The progress of an erasure through the jobs of an account: after this position of this job. */
export interface JobPosition {
  /** In the database's exact text form. */
  createdAt: string;
  jobId: string;
  position: number;
}

/** A job to erase from. */
export interface WalkedJob extends Omit<JobPosition, 'position'> {
  /** The job is still being stored, so its recipients are not known yet. */
  isImporting: boolean;
  totalRecipients: number;
}

/** Erases people from the recipients of jobs. */
export abstract class JobErasureStore {
  /** The account's jobs in a stable order, from the job of `from` on, that were published, or begun if they are importing, before `until`. */
  abstract jobs(accountId: string, until: Date, from: JobPosition | null, limit: number): Promise<WalkedJob[]>;
  /**
   * Erases the person with this phone from a range of a job's positions, in one short transaction. Recipients that were
   * not attempted yet or wait for a retry become skipped. Returns false if one is left whose message is in flight.
   */
  abstract erase(jobId: string, first: number, last: number, phone: string): Promise<boolean>;
}
