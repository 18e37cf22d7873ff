import type { BulkJobDto, JobFailureDto } from '../../client/generated/types.gen';
import type { JobProgress } from '../../client/job-events';
import { isCutShort, NOT_ATTEMPTED, pendingOf, thousandths, UNCONFIRMED } from '../../client/job-figures';

/** Figures of a job, from a list or in detail; lists leave out figures that are 0. */
export type CountedJob = Pick<
  BulkJobDto,
  'status' | 'totalRecipients' | 'successfullySent' | 'failed' | 'skipped' | 'unknown' | 'invalidRows'
>;

/** The recipients of a job as the console counts them: each once. The API counts all that were not sent as failed. */
export interface JobCounts {
  sent: number;
  /** Rejected by the platform, or not sent in time. */
  failed: number;
  optedOut: number;
  /** Never confirmed by the platform, and no longer waited for. */
  unconfirmed: number;
  /** Not attempted, as the job was cancelled or failed first. */
  notSent: number;
  invalid: number;
  /** Without a final outcome. */
  pending: number;
  /** Those of `pending` that the platform may still confirm. */
  unconfirmedYet: number;
}

/** Sent recipients and those without success, of the valid ones. */
export interface Progress {
  valid: number;
  invalid: number;
  /** Failed, opted out, cancelled or never confirmed. */
  unsuccessful: number;
  /** 0 means none, 100 all. */
  percentage: number;
}

/** Reasons that need no row of their own, as `JobCounts` has figures of them, and neither a cause nor rows to correct. */
export const COUNTED_APART: readonly string[] = [NOT_ATTEMPTED, 'opted_out', 'recipient_erased'];

/** Whether the counts of the job need its failures. */
export function needsFailures(job: CountedJob): boolean {
  const { status, unknown = 0 } = job;
  return failedLater(job) > 0 && (isCutShort(status) || (unknown > 0 && pendingOf(job) > 0));
}

/** The counts of a job; `failures`: its failures by reason, if needed. */
export function countsOf(job: CountedJob, failures: readonly JobFailureDto[]): JobCounts {
  const { successfullySent: sent, skipped: optedOut = 0, invalidRows: invalid = 0, unknown = 0 } = job;
  const failedWith = (code: string) => failures.find(({ errorCode }) => errorCode === code)?.failed ?? 0;
  const pending = pendingOf(job);
  const unconfirmed = Math.min(unknown, pending > 0 ? failedWith(UNCONFIRMED) : failedLater(job));
  const notSent = failedWith(NOT_ATTEMPTED);
  const failed = Math.max(0, failedLater(job) - unconfirmed - notSent);
  return { sent, failed, optedOut, unconfirmed, notSent, invalid, pending, unconfirmedYet: unknown - unconfirmed };
}

/** Recipients with an outcome, of the valid ones in percent: 0 means none, 100 all. */
export function percentageOf({ sent, failed, optedOut, unconfirmed, notSent, pending }: JobCounts): number {
  const done = sent + failed + optedOut + unconfirmed;
  return share(done, done + notSent + pending);
}

/** The progress of a job while it is followed: its events do not count the reasons apart. */
export function progressOf({
  totalRecipients,
  successfullySent,
  failed,
  invalidRows: invalid,
}: JobProgress & { invalidRows: number }): Progress {
  const valid = totalRecipients - invalid;
  const unsuccessful = Math.max(0, failed - invalid);
  return { valid, invalid, unsuccessful, percentage: share(successfullySent + unsuccessful, valid) };
}

/** Valid recipients that the API counts as failed, without those that opted out. */
function failedLater({ failed, skipped = 0, invalidRows = 0 }: CountedJob): number {
  return Math.max(0, failed - skipped - invalidRows);
}

/** In percent; of nobody everything is done. */
function share(done: number, total: number): number {
  return total === 0 ? 100 : thousandths(done, total) / 10;
}
