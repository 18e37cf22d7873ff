import type { BulkJob } from './bulk-job';

/** The number of rows that each failure names. */
export const FIRST_ROWS = 10;

/** How many recipients of a job failed for one reason: one error code, and one code of the platform where it gave one. */
export interface JobFailure {
  errorCode: string;
  /** The reason of the first of these recipients, for people. */
  message: string;
  platformCode: number | null;
  /** Never accepted by the platform; part of the job's `failed`. */
  failed: number;
  /** Accepted by the platform, which reported the failure later; part of the job's `undelivered`. */
  undelivered: number;
  /** Whether a retry of the ended job reaches any of them. */
  retryable: boolean;
  /** The first rows, at most FIRST_ROWS, in ascending order. */
  firstRows: number[];
}

/** Counts why recipients of jobs failed. */
export abstract class JobFailureStore {
  /** One failure for each reason, in any order; reads failed recipients only. */
  abstract count(job: BulkJob): Promise<JobFailure[]>;
}

/** Collects counts of the same reason. */
export class FailureCounts {
  private readonly byReason = new Map<string, JobFailure>();

  /** Adds a count; the first one of a reason gives its message. */
  add(failure: JobFailure): void {
    const reason = `${failure.errorCode} ${failure.platformCode}`;
    const known = this.byReason.get(reason);
    if (!known) {
      this.byReason.set(reason, failure);
      return;
    }
    known.failed += failure.failed;
    known.undelivered += failure.undelivered;
    known.retryable ||= failure.retryable;
    known.firstRows = [...known.firstRows, ...failure.firstRows].sort((a, b) => a - b).slice(0, FIRST_ROWS);
  }

  /** One failure for each reason. */
  all(): JobFailure[] {
    return [...this.byReason.values()];
  }
}

/** The most frequent first; of equally frequent ones by code. */
export function largestFirst(failures: readonly JobFailure[]): JobFailure[] {
  const count = ({ failed, undelivered }: JobFailure) => failed + undelivered;
  return [...failures].sort((a, b) => count(b) - count(a) || (a.errorCode < b.errorCode ? -1 : 1));
}
