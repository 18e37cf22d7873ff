import type { JobStop } from './job-stop';
import type { NamedJob } from './lane-telemetry';

/** A recipient by its position in a job, as named by a status. */
export interface NamedRecipient {
  jobId: string;
  position: number;
  messageId: string;
  senderId: string;
}

/** Changes of the counters of one job by statuses; may be negative. */
export interface StatusDelta {
  jobId: string;
  delivered: number;
  read: number;
  undelivered: number;
}

/** Applies the platform's statuses to jobs and recipients. */
export abstract class JobStatusStore {
  /** Those that belong to jobs of the given sender and have no outcome, or an unknown one (`wasUnknown`). */
  abstract unsettled(
    recipients: readonly NamedRecipient[],
  ): Promise<{ jobId: string; position: number; wasUnknown: boolean }[]>;
  /** Pauses or fails a running job and returns its ids; null if it is not running. */
  abstract stop(jobId: string, stop: JobStop): Promise<NamedJob | null>;
  /** Cancels at most `limit` jobs that have been paused for `days`, the oldest pauses first, with this reason. */
  abstract expirePauses(days: number, why: JobStop, limit: number): Promise<(NamedJob & { senderId: string })[]>;
  /** Stores deltas of counters, in the surrounding unit of work. */
  abstract addDeltas(deltas: readonly StatusDelta[]): Promise<void>;
  /** Adds at most `limit` stored deltas to the counters of unlocked jobs; returns their number. */
  abstract foldDeltas(limit: number): Promise<number>;
}
