import type { JobStop } from './job-stop';
import type { NamedJob } from './lane-telemetry';

/** A due scheduled job. */
export interface DueJob extends NamedJob {
  senderId: string;
  /** It was due too long ago and has failed. */
  missed: boolean;
}

/** The schedules of jobs. */
export abstract class JobScheduleStore {
  /**
   * Starts at most `limit` due Scheduled jobs, the longest due first, and fails those due more than `latestHours` ago. Concurrent calls
   * return different jobs.
   */
  abstract startDue(limit: number, latestHours: number, missed: JobStop): Promise<DueJob[]>;
}
