import type { ActivityBucket, ActivityRange, BucketLength, FailureCount, PaceHistory } from './activity';

/** Activity over time: samples of jobs, and hourly counts of accounts. Everything is counted exactly once, even if a process dies. */
export abstract class ActivityStore {
  /** Samples the counters of all changed jobs; does nothing while another process does it. */
  abstract sampleJobs(): Promise<void>;
  /** Adds at most `limit` changes to the hours of their accounts; returns their number. */
  abstract fold(limit: number): Promise<number>;
  /** Null: the job never started. */
  abstract pace(jobId: string): Promise<PaceHistory | null>;
  /** Buckets with activity, in ascending order. */
  abstract series(accountId: string, range: ActivityRange, bucket: BucketLength): Promise<ActivityBucket[]>;
  /** The most frequent first, at most `limit`. */
  abstract topFailures(accountId: string, range: ActivityRange, limit: number): Promise<FailureCount[]>;
  /** Deletes at most `limit` hours before `before`, of counts and of failures; returns the number of rows, at least `limit` if there may be more. */
  abstract expire(accountId: string, before: Date, limit: number): Promise<number>;
}
