import type { Page, PageRequest } from '../../../kernel/page';
import type { BulkJob, BulkJobKind, BulkJobStatus, RecentAnswers } from './bulk-job';
import type { LiveJob, OpenJobs } from './live-jobs';
import type { JobTiming } from './job-timing';
import type { JobRecipient, RecipientFilter, UnsentRecipient } from './job-recipient';

/** A filter of jobs; `createdAfter` is inclusive, `createdBefore` exclusive. */
export interface BulkJobFilter {
  status?: BulkJobStatus;
  kind?: BulkJobKind;
  reference?: string;
  createdAfter?: Date;
  createdBefore?: Date;
}

/** A change of status requested by a client. */
export interface JobTransition {
  from: readonly BulkJobStatus[];
  to: 'Paused' | 'Resumed' | 'Cancelled';
  /** The API key of the request. */
  keyId: string;
  /** From when its validity counts anew; absent: it stays as it is. */
  validFrom?: Date;
}

/** A change of when a job may send; what is absent stays as it is. */
export interface TimingChange extends Partial<JobTiming> {
  /** From when its validity counts anew; null: that is not known before it is resumed; absent: it stays as it is. */
  validFrom?: Date | null;
}

/** Reads jobs and recipients for clients; incompletely stored jobs are invisible. */
export abstract class BulkJobStore {
  /** The job; null if the account has none with this id. */
  abstract find(accountId: string, jobId: string): Promise<BulkJob | null>;
  /** One page of the account's jobs, newest first. */
  abstract list(accountId: string, filter: BulkJobFilter, page: PageRequest): Promise<Page<BulkJob>>;
  /**
   * The jobs with these ids, and the live ones of these accounts: of those that a lane looks after MAX_RUNNING_JOBS of each sender, and of those
   * that were created, changed their status, or changed while they were not running, within LIVE_SECONDS, MAX_CHANGED_JOBS of each account; in
   * both cases those that changed last.
   */
  abstract live(jobIds: readonly string[], accountIds: readonly string[]): Promise<LiveJob[]>;
  /** How many jobs of the account are not done. */
  abstract open(accountId: string): Promise<OpenJobs>;
  /** At most `limit` recipients after `afterPosition`, up to `lastPosition`, in order of position. */
  abstract recipients(
    job: BulkJob,
    filter: RecipientFilter,
    afterPosition: number,
    limit: number,
    lastPosition?: number,
  ): Promise<JobRecipient[]>;
  /** The recipients from `first` to `last` that the platform did not accept, with the reasons, in order of position. */
  abstract unsent(job: BulkJob, first: number, last: number): Promise<UnsentRecipient[]>;
  /** The most recent answers to first attempts, at most of the last minute. */
  abstract recentAnswers(job: BulkJob): Promise<RecentAnswers>;
  /** What each running job of the sender but this one has still to send. */
  abstract openOfOthers(senderId: string, jobId: string | null): Promise<number[]>;
  /**
   * Changes the status atomically if it is one of `from`. Resumed means Scheduled before the job's schedule, otherwise Processing if it
   * had started, otherwise Queued.
   */
  abstract change(accountId: string, jobId: string, transition: JobTransition): Promise<boolean>;
  /** The job as it is until the end of the surrounding unit of work; null if the account has none with this id. */
  abstract lock(accountId: string, jobId: string): Promise<BulkJob | null>;
  /** Changes when a locked job may send; a Scheduled one without a schedule becomes Queued, or Processing if it had started. */
  abstract changeTiming(jobId: string, change: TimingChange): Promise<void>;
}
