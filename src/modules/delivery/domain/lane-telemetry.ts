import type { JobStop, StoppedByRestore } from './job-stop';
import type { LaneJob, OutcomeCounts } from './lane-job-store.port';
import type { ThrottleReason } from '../../bulk-jobs/domain/bulk-job';
import type { LaneThrottle } from './lane-leases.port';

/** The ids of a job in log lines. */
export type NamedJob = Pick<LaneJob, 'id' | 'accountId'>;

/** Log lines and metrics of lanes. */
export abstract class LaneTelemetry {
  /** A lane was taken by this process. */
  abstract taken(senderId: string, epoch: string): void;
  /** A lane was released or lost. */
  abstract left(senderId: string, lost: boolean): void;
  /** The lane and these jobs wait; null: it sends again. */
  abstract throttled(senderId: string, throttle: LaneThrottle | null, jobs: readonly NamedJob[]): void;
  /** A job waits until `until`: the messaging tier has no room for its next recipient, or the platform limits its template. */
  abstract held(job: NamedJob, until: Date, reason: ThrottleReason): void;
  /** The send window of a job has closed: it waits until the window opens. */
  abstract closed(job: NamedJob): void;
  /** A scheduled job was due and has started. */
  abstract due(job: NamedJob): void;
  /** Only unknown outcomes are left of a job; the grace time of the last one ends at `until`. */
  abstract waitsForUnknown(job: NamedJob, until: Date): void;
  /** A job was paused by the service, or failed. */
  abstract stopped(job: NamedJob, stop: JobStop): void;
  /** A job paused by the service has resumed. */
  abstract resumed(job: NamedJob): void;
  /** Every recipient of a job has settled. */
  abstract ended(job: LaneJob): void;
  /** The rows of a job contradicted its counters: that is an error of the service. */
  abstract repaired(job: LaneJob, counted: OutcomeCounts): void;
  /** A batch of answers was recorded, in so many milliseconds. */
  abstract recorded(answers: number, ms: number): void;
  /** The database did not take a batch of answers; it is retried until it does. */
  abstract notRecorded(error: unknown): void;
  /** The database lost what it knew last, under the running process: this was stopped, and lanes begin again from what it knows. */
  abstract lostTransactions(stopped: StoppedByRestore): void;
  /** A step of a lane or of the sweep failed; it is retried. */
  abstract failed(senderId: string | null, error: unknown): void;
}
