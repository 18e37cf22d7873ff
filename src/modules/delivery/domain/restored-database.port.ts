import type { JobStop } from './job-stop';
import type { NamedJob } from './lane-telemetry';

/** Detects and confirms a restored database. Every method except `isUnchanged` joins the surrounding unit of work. */
export abstract class RestoredDatabase {
  /** Whether the database is the recorded one and the one of the last check, and has lost no transaction. */
  abstract isUnchanged(): Promise<boolean>;
  /**
   * Locks the database's identity until the unit of work ends, and returns whether the database is a restored copy, or has lost its last
   * transactions, since the last confirmation; null while another process holds the lock.
   */
  abstract lock(): Promise<'known' | 'restored' | 'lost_transactions' | null>;
  /** Records the database as the known one; `isCopy`: as a copy restored now. */
  abstract confirm(isCopy: boolean): Promise<void>;
  /** When a job or message last changed; null: there are none. */
  abstract lastRecordedAt(): Promise<Date | null>;
  /** Pauses at most `limit` unfinished jobs that are not paused for this problem yet, and returns them. */
  abstract pauseJobs(stop: JobStop, limit: number): Promise<NamedJob[]>;
}
