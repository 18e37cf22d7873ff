import type { RecipientTotals } from '../../recipient-files/domain/recipient-files.errors';
import type { BulkJob } from './bulk-job';
import type { RecipientChunk } from './recipient-chunk';

/** What is known of a job before its recipients are stored. */
export type JobDraft = Pick<
  BulkJob,
  | 'id'
  | 'accountId'
  | 'senderId'
  | 'kind'
  | 'templateName'
  | 'languageCode'
  | 'revisionId'
  | 'headerMedia'
  | 'reference'
  | 'fileName'
  | 'groupId'
  | 'retryOf'
> & {
  /** From its publication on; null: as long as it needs. */
  validForSeconds: number | null;
};

/** How long a job that is being stored stays with its owner without a sign of life. */
export const INTAKE_LEASE_SECONDS = 20;

/**
 * Where a job is stored piece by piece, seen by nobody until it is published. Every piece is its own short transaction
 * that proves, under the lock of the job, that the job is still its owner's.
 */
export abstract class JobIntakeStore {
  /** Makes the job, invisible, with a lease for `owner`. */
  abstract begin(draft: JobDraft, owner: string): Promise<void>;
  /** Stores recipients and renews the lease; throws IntakeLostError when the job is no longer the owner's. */
  abstract append(jobId: string, owner: string, chunk: RecipientChunk): Promise<void>;
  /** Renews the lease; does nothing when the job is no longer the owner's. */
  abstract renew(jobId: string, owner: string): Promise<void>;
  /** How many recipients are stored, in steps that are short on any database. */
  abstract count(jobId: string): Promise<number>;
  /**
   * Makes the job visible and lets its validity begin, in the surrounding unit of work; throws IntakeLostError when it is
   * no longer the owner's.
   */
  abstract publish(draft: JobDraft, owner: string, totals: RecipientTotals): Promise<BulkJob>;
  /** Gives up a job that its owner still holds: from then on nothing can be added. False when it was published. */
  abstract abandon(jobId: string, owner: string): Promise<boolean>;
  /** Gives up every job whose owner gave no sign of life, and takes over cleanings that stopped; returns the ids. */
  abstract takeOrphans(): Promise<string[]>;
  /** Removes an abandoned job with all its recipients, in short steps. */
  abstract remove(jobId: string): Promise<void>;
}
