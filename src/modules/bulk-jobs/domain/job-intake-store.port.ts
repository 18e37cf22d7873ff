import type { RequestOrigin } from '../../../kernel/request-context';
import type { RecipientTotals } from '../../recipient-files/domain/recipient-files.errors';
import type { BulkJob } from './bulk-job';
import type { RecipientChunk } from './recipient-chunk';
import type { ReportColumns } from './report-columns';
import type { EarlierRetry, RetrySelection } from './retry-selection';

/** A job before its recipients are stored. */
export type JobDraft = Pick<
  BulkJob,
  | 'id'
  | 'accountId'
  | 'senderId'
  | 'kind'
  | 'templateName'
  | 'languageCode'
  | 'revisionId'
  | 'extras'
  | 'name'
  | 'reference'
  | 'fileName'
  | 'groupId'
  | 'audience'
  | 'retryOf'
  | 'scheduledAt'
  | 'sendWindow'
  | 'validForSeconds'
> &
  RequestOrigin & {
    /** The API key that creates it. */
    keyId: string;
    /** Created paused. */
    hold: boolean;
    /** The selected recipients of `retryOf`; null: the job is not a retry. */
    retry: RetrySelection | null;
    /** Hash of the uploaded file and fields; null: no upload. */
    uploadHash: Buffer | null;
  };

/** How long the lease of an owner lasts without renewal. */
export const INTAKE_LEASE_SECONDS = 20;

/**
 * Stores a job in chunks, invisible until it is published. Every chunk is a short transaction
 * that verifies the owner's lease under the lock of the job.
 */
export abstract class JobIntakeStore {
  /** Counts the unfinished jobs of the account, up to `limit`. */
  abstract openJobs(accountId: string, limit: number): Promise<number>;
  /** The id of the latest job created from this upload in the last 24 hours; null: none. */
  abstract earlierUpload(accountId: string, uploadHash: Buffer): Promise<string | null>;
  /** The newest 100 retries of the job that are unfinished or have sent messages, newest first. */
  abstract retriesOf(jobId: string): Promise<EarlierRetry[]>;
  /** The ids of all jobs that retry the same job as this one, directly or not, except this one and those that it comes from. */
  abstract otherRetriesOf(jobId: string): Promise<string[]>;
  /** Locks the job that was retried first until the surrounding unit of work ends, so that the second of two concurrent retries finds the first. */
  abstract lockRetried(jobId: string): Promise<void>;
  /** Creates the invisible job with a lease for `owner`; returns the current time of the database. */
  abstract begin(draft: JobDraft, owner: string): Promise<Date>;
  /** Stores recipients and renews the lease; throws IntakeLostError if the lease was lost. */
  abstract append(jobId: string, owner: string, chunk: RecipientChunk): Promise<void>;
  /** Renews the lease; does nothing if it was lost. */
  abstract renew(jobId: string, owner: string): Promise<void>;
  /** The number of stored recipients, counted in short steps. */
  abstract count(jobId: string): Promise<number>;
  /**
   * Makes the job visible in the surrounding unit of work: Paused with `hold`, Scheduled before its schedule by the database's clock,
   * otherwise Queued. Its validity starts at `mayStartAt`, the first moment at which it may send (null: at once), or when a job on
   * hold is resumed. `columns`: for its report; absent: none. Throws IntakeLostError if the lease was lost.
   */
  abstract publish(
    draft: JobDraft,
    owner: string,
    totals: RecipientTotals,
    mayStartAt: Date | null,
    columns?: ReportColumns,
  ): Promise<BulkJob>;
  /** Abandons a job of its owner, so that nothing can be added; returns false if it was published. */
  abstract abandon(jobId: string, owner: string): Promise<boolean>;
  /** Abandons every job whose lease has expired, and takes over interrupted removals; returns the ids. */
  abstract takeOrphans(): Promise<string[]>;
  /** Removes an abandoned job with all its recipients, in short steps. */
  abstract remove(jobId: string): Promise<void>;
}
