import type { JobStop } from './job-stop';
import type { NamedJob } from './lane-telemetry';

/** A recipient by its place in a job, as a status names it. */
export interface NamedRecipient {
  jobId: string;
  position: number;
  messageId: string;
  senderId: string;
}

/** What statuses add to the counters of one job; each may be negative. */
export interface StatusDelta {
  jobId: string;
  delivered: number;
  read: number;
  undelivered: number;
}

/** Jobs and recipients as the platform's statuses meet them. */
export abstract class JobStatusStore {
  /** Which of these are recipients of that sender's jobs and have no outcome, or an unknown one (`wasUnknown`). */
  abstract unsettled(
    recipients: readonly NamedRecipient[],
  ): Promise<{ jobId: string; position: number; wasUnknown: boolean }[]>;
  /** Pauses or fails a job that runs: its ids; null when it does not run. */
  abstract stop(jobId: string, stop: JobStop): Promise<NamedJob | null>;
  /** Cancels at most `limit` jobs that have been paused for so many days, the oldest pauses first, with this reason. */
  abstract expirePauses(days: number, why: JobStop, limit: number): Promise<(NamedJob & { senderId: string })[]>;
  /** Keeps what is to be added to counters, in the surrounding unit of work. */
  abstract addDeltas(deltas: readonly StatusDelta[]): Promise<void>;
  /** Adds at most `limit` kept deltas to the counters of jobs that nobody has locked; how many. */
  abstract foldDeltas(limit: number): Promise<number>;
}
