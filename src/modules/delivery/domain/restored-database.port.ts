import type { JobStop } from './job-stop';
import type { NamedJob } from './lane-telemetry';

/** What a restore asks of the database. Every method but `look` joins the surrounding unit of work. */
export abstract class RestoredDatabase {
  /** Whether the database is the one that is recorded, and that this process looked at last: it has lost no transaction. */
  abstract look(): Promise<boolean>;
  /**
   * Locks the database's identity to the end of the unit of work and says whether the database is a restored copy, or lost its last
   * transactions, since that was last confirmed; null while another process holds the lock.
   */
  abstract lock(): Promise<'known' | 'restored' | 'went_back' | null>;
  /** From now on the database counts as the known one; `isCopy`: as one that was restored at this moment. */
  abstract confirm(isCopy: boolean): Promise<void>;
  /** When the last outcome, or anything else of a job or message, was recorded; null where there is nothing. */
  abstract lastRecordedAt(): Promise<Date | null>;
  /** Pauses at most `limit` unfinished jobs that are not paused for this problem already; those. */
  abstract pauseJobs(stop: JobStop, limit: number): Promise<NamedJob[]>;
}
