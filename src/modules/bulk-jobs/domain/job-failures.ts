import type { BulkJob } from './bulk-job';

/** Maximum number of rows listed per failure. */
export const FIRST_ROWS = 10;

/** The recipients of a job that failed for one reason: an error code, and the platform's code if there is one. */
export interface JobFailure {
  errorCode: string;
  /** The error message of the first of these recipients. */
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

/** Counts failures by reason. */
export abstract class JobFailureStore {
  /** One failure for each reason, in any order; reads failed recipients only. */
  abstract count(job: BulkJob): Promise<JobFailure[]>;
}

/** Merges counts of the same reason. */
export class FailureCounts {
  private readonly byReason = new Map<string, JobFailure>();

  /** Adds a count; the message of the first count of a reason is kept. */
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

/** Sorts by frequency, descending, then by code. */
export function largestFirst(failures: readonly JobFailure[]): JobFailure[] {
  const count = ({ failed, undelivered }: JobFailure) => failed + undelivered;
  return [...failures].sort((a, b) => count(b) - count(a) || (a.errorCode < b.errorCode ? -1 : 1));
}
