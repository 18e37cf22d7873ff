import type { Page, PageRequest } from '../../../kernel/page';
import type { BulkJob, BulkJobKind, BulkJobStatus, RecentAnswers } from './bulk-job';
import type { JobRecipient, RecipientFilter, UnsentRecipient } from './job-recipient';

/** Which jobs of an account are wanted; `createdAfter` is inclusive, `createdBefore` is not. */
export interface BulkJobFilter {
  status?: BulkJobStatus;
  kind?: BulkJobKind;
  createdAfter?: Date;
  createdBefore?: Date;
}

/** A change of state that a client asks for. */
export interface JobTransition {
  from: readonly BulkJobStatus[];
  to: 'Paused' | 'Resumed' | 'Cancelled';
  pauseReason: string | null;
}

/** Jobs and recipients as clients see them: what is not stored completely does not exist here. */
export abstract class BulkJobStore {
  /** The job, or null when the account has none with that id. */
  abstract find(accountId: string, jobId: string): Promise<BulkJob | null>;
  /** One page of the account's jobs, newest first. */
  abstract list(accountId: string, filter: BulkJobFilter, page: PageRequest): Promise<Page<BulkJob>>;
  /** At most `limit` recipients behind `afterPosition`, up to `lastPosition`, in the order of positions. */
  abstract recipients(
    job: BulkJob,
    filter: RecipientFilter,
    afterPosition: number,
    limit: number,
    lastPosition?: number,
  ): Promise<JobRecipient[]>;
  /** By rising position, the recipients from `first` to `last` that were not accepted by the platform, and why. */
  abstract unsent(job: BulkJob, first: number, last: number): Promise<UnsentRecipient[]>;
  /** The last answers recorded for first attempts, at most of the last minute. */
  abstract recentAnswers(job: BulkJob): Promise<RecentAnswers>;
  /** Changes the state if it is one of `from` at that moment; Resumed means Processing if it had started, else Queued. */
  abstract change(accountId: string, jobId: string, transition: JobTransition): Promise<boolean>;
}
