import type { BulkJob } from '../../bulk-jobs/domain/bulk-job';
import type { NamedJob } from './lane-telemetry';
import type { TemplateStatus } from '../../templates/domain/template';

/** A job that runs although its template cannot be sent. */
export interface MisplacedJob {
  jobId: string;
  templateName: string;
  languageCode: string;
  status: TemplateStatus;
}

/** A job that the service paused because of its template, which is approved again. */
export interface WaitingJob extends NamedJob {
  senderId: string;
  revisionId: string;
  /** The contents that the platform sends now. */
  currentRevisionId: string;
}

/** What decides from when on the validity of a job counts. */
export type JobValidity = Pick<
  BulkJob,
  'scheduledAt' | 'sendWindow' | 'validForSeconds' | 'validUntil' | 'startedAt' | 'pausedAt'
>;

/** Jobs as their templates change. Each method reads unfinished jobs alone, which are few. */
export abstract class TemplateJobStore {
  /** At most `limit` jobs that run although their template is not approved. */
  abstract misplaced(limit: number): Promise<MisplacedJob[]>;
  /** At most `limit` jobs that the service paused for one of `problems`, and whose template has become approved since. */
  abstract waiting(problems: readonly string[], limit: number): Promise<WaitingJob[]>;
  /** Accounts with a job that waits for a template which counts as approved here: nobody looked since the job stopped. */
  abstract doubtedAccounts(problems: readonly string[]): Promise<string[]>;
  /** The job if it still waits for one of `problems`: it does until the end of the surrounding unit of work. */
  abstract lock(jobId: string, problems: readonly string[]): Promise<JobValidity | null>;
  /** Resumes a locked job with these contents; `validUntil` absent: it stays as it is. */
  abstract resume(jobId: string, revisionId: string, validUntil: Date | undefined): Promise<void>;
  /** Gives a job that waits for one of `problems` another reason, with which it waits for a person. */
  abstract explain(jobId: string, problems: readonly string[], problem: string, reason: string): Promise<boolean>;
}
