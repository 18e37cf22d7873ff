import type { BulkJob, Wait, WaitFacts } from './bulk-job';

/** The fields of a job in lists and streams. */
export type LiveJob = Pick<
  BulkJob,
  | 'id'
  | 'accountId'
  | 'kind'
  | 'status'
  | 'templateName'
  | 'languageCode'
  | 'name'
  | 'reference'
  | 'totalRecipients'
  | 'successfullySent'
  | 'failed'
  | 'skipped'
  | 'createdAt'
  | 'startedAt'
  | 'completedAt'
> &
  WaitFacts;

/** A job and what it waits for. */
export interface JobProgress<Job extends LiveJob = LiveJob> {
  job: Job;
  throttled: Wait | null;
}

/** How long a job is live after it was created, changed its status, or changed while not running. */
export const LIVE_SECONDS = 60;

/** Maximum number of live running jobs per sender: the last changed. */
export const MAX_RUNNING_JOBS = 100;

/** Maximum number of jobs per account that are live because they changed recently. */
export const MAX_CHANGED_JOBS = 500;

/** Numbers of unfinished jobs of an account. */
export interface OpenJobs {
  scheduled: number;
  /** Queued or sending. */
  processing: number;
  /** Running, but waiting for a platform limit, the platform's recovery, their send window, or a person. */
  waiting: number;
  paused: number;
}
