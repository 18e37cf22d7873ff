import type { JobStop } from './job-stop';
import type { NamedJob } from './lane-telemetry';

/** A job whose schedule has come due. */
export interface DueJob extends NamedJob {
  senderId: string;
  /** Too long ago: it has failed. */
  missed: boolean;
}

/** The schedules of jobs. */
export abstract class JobScheduleStore {
  /**
   * Starts at most `limit` Scheduled jobs whose moment has come, the longest due first, and fails those that missed it by more than
   * so many hours. Every job is in one answer, however many processes ask at the same moment.
   */
  abstract startDue(limit: number, latestHours: number, missed: JobStop): Promise<DueJob[]>;
}
