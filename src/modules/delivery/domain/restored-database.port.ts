import type { JobStop } from './job-stop';
import type { NamedJob } from './lane-telemetry';

/** What a restore asks of the database. Every method joins the surrounding unit of work. */
export abstract class RestoredDatabase {
  /**
   * Locks the database's identity to the end of the unit of work and says whether the database was restored since the service
   * last started; null while another process holds the lock.
   */
  abstract lock(): Promise<'known' | 'restored' | null>;
  /** From now on the database counts as the known one. */
  abstract confirm(): Promise<void>;
  /** When the last outcome, or anything else of a job or message, was recorded; null where there is nothing. */
  abstract lastRecordedAt(): Promise<Date | null>;
  /** Pauses at most `limit` unfinished jobs that are not paused for this problem already; those. */
  abstract pauseJobs(stop: JobStop, limit: number): Promise<NamedJob[]>;
}
