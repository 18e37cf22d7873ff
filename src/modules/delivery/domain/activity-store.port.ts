import type { ActivityBucket, ActivityRange, BucketLength, FailureCount, PaceHistory } from './activity';

/** What happened when: samples of jobs, and counts of accounts by the hour. Every count is made exactly once, whatever dies. */
export abstract class ActivityStore {
  /** Samples the counters of all jobs that changed; does nothing while another process does it. */
  abstract sampleJobs(): Promise<void>;
  /** Adds at most `limit` changes to the hours of their accounts; how many there were. */
  abstract fold(limit: number): Promise<number>;
  /** Null: the job never began to send. */
  abstract pace(jobId: string): Promise<PaceHistory | null>;
  /** Buckets in which something happened, in ascending order. */
  abstract series(accountId: string, range: ActivityRange, bucket: BucketLength): Promise<ActivityBucket[]>;
  /** The most frequent first, at most `limit`. */
  abstract topFailures(accountId: string, range: ActivityRange, limit: number): Promise<FailureCount[]>;
  /** Deletes at most `limit` hours before `before`, of counts and of failures; how many rows, at least `limit` if there may be more. */
  abstract expire(accountId: string, before: Date, limit: number): Promise<number>;
}
