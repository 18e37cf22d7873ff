import type { BulkJob } from '../../bulk-jobs/domain/bulk-job';
import type { NamedJob } from './lane-telemetry';
import type { TemplateStatus } from '../../templates/domain/template';

/** A running job whose template cannot be sent. */
export interface UnsendableJob {
  jobId: string;
  templateName: string;
  languageCode: string;
  status: TemplateStatus;
}

/** A job paused by the service because of its template, which is approved again. */
export interface WaitingJob extends NamedJob {
  senderId: string;
  revisionId: string;
  /** The current contents of the template on the platform. */
  currentRevisionId: string;
}

/** The fields that determine when the validity of a job starts. */
export type JobValidity = Pick<
  BulkJob,
  'scheduledAt' | 'sendWindow' | 'validForSeconds' | 'validUntil' | 'startedAt' | 'pausedAt'
>;

/** Jobs affected by template changes. Every method reads only unfinished jobs, which are few. */
export abstract class TemplateJobStore {
  /** At most `limit` running jobs whose template is not approved. */
  abstract unsendable(limit: number): Promise<UnsendableJob[]>;
  /** At most `limit` jobs paused by the service for one of `problems` whose template was approved later. */
  abstract waiting(problems: readonly string[], limit: number): Promise<WaitingJob[]>;
  /** Accounts with a job that waits for a template recorded as approved, but not synced since the job stopped. */
  abstract accountsToSync(problems: readonly string[]): Promise<string[]>;
  /** Locks the job until the surrounding unit of work ends, if it still waits for one of `problems`; otherwise null. */
  abstract lock(jobId: string, problems: readonly string[]): Promise<JobValidity | null>;
  /** Resumes a locked job with these contents; `validUntil` absent: unchanged. */
  abstract resume(jobId: string, revisionId: string, validUntil: Date | undefined): Promise<void>;
  /** Changes the reason of a job that waits for one of `problems`; it then waits for a person. Returns false if it does not wait. */
  abstract changeReason(jobId: string, problems: readonly string[], problem: string, reason: string): Promise<boolean>;
}
