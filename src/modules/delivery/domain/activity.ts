/** Maximum number of samples kept per job. */
export const MAX_PACE_SAMPLES = 500;

/** Recipients of a job that were sent to or failed in the seconds from `at`; final outcomes only, without recipients that opted out or were never tried. */
export interface PaceSample {
  at: Date;
  sent: number;
  failed: number;
}

/** The history of a job's pace: samples of equal length in ascending order, without empty ones. */
export interface PaceHistory {
  stepSeconds: number;
  items: PaceSample[];
}

/** Counts of an account's messages by event; deliveries count when they are reported. */
export interface ActivityCounts {
  /** Accepted by the platform. */
  sent: number;
  delivered: number;
  read: number;
  /** Accepted, and reported as not delivered. */
  undelivered: number;
  /** Recipients and messages that finally failed or were cancelled; without those that opted out, or were never tried because their job ended. */
  failed: number;
  /** Inbound messages. */
  received: number;
}

/** The counts of one hour or one day. */
export interface ActivityBucket extends ActivityCounts {
  at: Date;
}

/** The length of buckets; days are those of UTC. */
export const ACTIVITY_BUCKETS = ['hour', 'day'] as const;
export type BucketLength = (typeof ACTIVITY_BUCKETS)[number];

/** The number of failures for one reason. */
export interface FailureCount {
  errorCode: string;
  count: number;
}

/** From `from` to before `until`, both at the start of a bucket. */
export interface ActivityRange {
  from: Date;
  until: Date;
}
