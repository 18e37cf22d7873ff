import type { BulkJob, Wait, WaitFacts } from './bulk-job';

/** What lists and streams show of a job. */
export type LiveJob = Pick<
  BulkJob,
  | 'id'
  | 'accountId'
  | 'kind'
  | 'status'
  | 'templateName'
  | 'languageCode'
  | 'reference'
  | 'totalRecipients'
  | 'successfullySent'
  | 'failed'
  | 'createdAt'
  | 'startedAt'
  | 'completedAt'
> &
  WaitFacts;

/** Where a job stands, and what it waits for. */
export interface JobProgress {
  job: LiveJob;
  throttled: Wait | null;
}

/** For how long a job is live after it was created, changed its status, or changed while it was not running. */
export const LIVE_SECONDS = 60;

/** The most running jobs of a sender that are live: those that changed last. */
export const MAX_RUNNING_JOBS = 100;

/** The most jobs of an account that are live because they changed recently. */
export const MAX_CHANGED_JOBS = 500;

/** How many jobs of an account are not done, by what they do. */
export interface OpenJobs {
  scheduled: number;
  /** Queued or sending. */
  processing: number;
  /** They would send, but wait for a limit of the platform, for its recovery, for their send window, or for a person. */
  waiting: number;
  paused: number;
}
