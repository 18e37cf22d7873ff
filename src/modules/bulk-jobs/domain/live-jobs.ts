import type { BulkJob } from './bulk-job';

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
>;

/** For how long a job that was created, paused or completed stands among the live jobs of its account. */
export const LIVE_SECONDS = 60;

/** The most jobs of an account that are read for each reason. */
export const MAX_LIVE_JOBS = 100;

/** How many jobs of an account are not done, by what they do. */
export interface OpenJobs {
  scheduled: number;
  /** Queued or sending. */
  processing: number;
  /** They would send, but wait for a limit of the platform or for its recovery. */
  waiting: number;
  paused: number;
}
