/** The most samples that are kept of a job. */
export const MAX_PACE_SAMPLES = 500;

/** What a job sent and failed in the seconds from `at` on; recipients with their final outcome, without those never tried. */
export interface PaceSample {
  at: Date;
  sent: number;
  failed: number;
}

/** The history of a job's pace: samples of equal length in ascending order, without those in which nothing happened. */
export interface PaceHistory {
  stepSeconds: number;
  items: PaceSample[];
}

/** How many messages of an account did what in some time. What was delivered later counts when that was reported. */
export interface ActivityCounts {
  /** Accepted by the platform. */
  sent: number;
  delivered: number;
  read: number;
  /** Accepted, and reported as not delivered. */
  undelivered: number;
  /** Recipients and messages that finally failed, were skipped or cancelled; not those whose job ended before their turn. */
  failed: number;
  /** Messages that people wrote. */
  received: number;
}

/** The counts of one hour or one day. */
export interface ActivityBucket extends ActivityCounts {
  at: Date;
}

/** The length of buckets; days are those of UTC. */
export const ACTIVITY_BUCKETS = ['hour', 'day'] as const;
export type BucketLength = (typeof ACTIVITY_BUCKETS)[number];

/** How often messages failed for one reason. */
export interface FailureCount {
  errorCode: string;
  count: number;
}

/** From `from`, to before `until`: both are the beginning of a bucket. */
export interface ActivityRange {
  from: Date;
  until: Date;
}
