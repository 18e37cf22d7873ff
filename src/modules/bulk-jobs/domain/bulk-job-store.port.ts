import type { Page, PageRequest, Slice } from '../../../kernel/page';
import type { TimeCursor } from '../../../kernel/time-cursor';
import type { BulkJob, BulkJobKind, BulkJobStatus, RecentAnswers } from './bulk-job';
import type { LiveJob, OpenJobs } from './live-jobs';
import type { JobTiming } from './job-timing';
import type { ReportColumns } from './report-columns';
import type { JobRecipient, RecipientFilter, UnsentRecipient } from './job-recipient';

/** A filter of jobs; `createdAfter` is inclusive, `createdBefore` exclusive. */
export interface BulkJobFilter {
  status?: BulkJobStatus;
  kind?: BulkJobKind;
  reference?: string;
  /** The job that they retry. */
  retryOf?: string;
  /** A part of the name, in any case. */
  search?: string;
  createdAfter?: Date;
  createdBefore?: Date;
}

/** A change of status requested by a client. */
export interface JobTransition {
  from: readonly BulkJobStatus[];
  to: 'Paused' | 'Resumed' | 'Cancelled';
  /** The API key of the request. */
  keyId: string;
  /** Restarts the validity at this moment; absent: unchanged. */
  validFrom?: Date;
}

/** A change of when a job may send; absent fields are unchanged. */
export interface TimingChange extends Partial<JobTiming> {
  /** Restarts the validity at this moment; null: when the job is resumed; absent: unchanged. */
  validFrom?: Date | null;
}

/** Reads jobs and recipients for clients; incompletely stored jobs are invisible. */
export abstract class BulkJobStore {
  /** The job; null if the account has none with this id. */
  abstract find(accountId: string, jobId: string): Promise<BulkJob | null>;
  /** One page of the account's jobs, newest first. */
  abstract list(accountId: string, filter: BulkJobFilter, page: PageRequest): Promise<Page<BulkJob>>;
  /** At most `limit` of them after `after`; null: from the newest. */
  abstract slice(
    accountId: string,
    filter: BulkJobFilter,
    after: TimeCursor | null,
    limit: number,
  ): Promise<Slice<BulkJob>>;
  /**
   * The jobs with these ids, and the live ones of these accounts: per sender the last changed MAX_RUNNING_JOBS running jobs, and per account
   * the last changed MAX_CHANGED_JOBS of those that were created, changed status, or changed while not running, within LIVE_SECONDS.
   */
  abstract live(jobIds: readonly string[], accountIds: readonly string[]): Promise<LiveJob[]>;
  /** Counts the unfinished jobs of the account. */
  abstract open(accountId: string): Promise<OpenJobs>;
  /** At most `limit` recipients after `afterPosition`, up to `lastPosition`, in order of position. */
  abstract recipients(
    job: BulkJob,
    filter: RecipientFilter,
    afterPosition: number,
    limit: number,
    lastPosition?: number,
  ): Promise<JobRecipient[]>;
  /** What the report of the job shows in addition to phones, values and outcomes. */
  abstract reportColumns(jobId: string): Promise<ReportColumns>;
  /** The recipients from `first` to `last` that the platform did not accept, with the reasons, in order of position. */
  abstract unsent(job: BulkJob, first: number, last: number): Promise<UnsentRecipient[]>;
  /** The ids of the retries of a job, of their retries and so on. */
  abstract retriesOf(jobId: string): Promise<string[]>;
  /** The phones from `first` to `last` that the job reached, may still reach, or may have reached: those whose outcome is unknown. */
  abstract reached(job: BulkJob, first: number, last: number): Promise<string[]>;
  /** The most recent answers to first attempts, within the last minute. */
  abstract recentAnswers(job: BulkJob): Promise<RecentAnswers>;
  /** The number of open recipients of each other running job of the sender. */
  abstract openOfOthers(senderId: string, jobId: string | null): Promise<number[]>;
  /**
   * Changes the status atomically if it is one of `from`. Resumed means Scheduled before the job's schedule, otherwise Processing if it
   * had started, otherwise Queued.
   */
  abstract change(accountId: string, jobId: string, transition: JobTransition): Promise<boolean>;
  /** Locks the job until the surrounding unit of work ends; null if the account has none with this id. */
  abstract lock(accountId: string, jobId: string): Promise<BulkJob | null>;
  /** Names a job; null: it has no name. */
  abstract rename(jobId: string, name: string | null): Promise<void>;
  /** Changes when a locked job may send; a Scheduled one without a schedule becomes Queued, or Processing if it had started. */
  abstract changeTiming(jobId: string, change: TimingChange): Promise<void>;
}
