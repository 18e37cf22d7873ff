import type { BulkJobDetailDto, ThrottledDto } from '../../client/generated/types.gen';
import type { JobProgress } from '../../client/job-events';
import { localTime } from '../local-time';
import { counted } from '../output';

const WAITS_FOR_OUTCOMES =
  'Cancelled. Waiting for the outcome of messages in flight; unknown ones count as failed after the grace period (15 ' +
  'minutes by default).';

const SAFE_TO_LEAVE =
  'Everything has been sent: Ctrl-C is safe, and the service still records the outcomes that arrive.';

const WAITS: Record<ThrottledDto['reason'], string> = {
  messaging_limit_reached: 'the messaging tier has no room',
  account_rate_limited: 'the platform limits the account',
  template_limited: 'the platform limits the template',
  platform_outage: 'the platform does not answer',
  send_window: 'outside its send window',
  unknown_outcomes: 'only outcomes that are not known yet remain',
  sending_paused: 'the operator has paused sending for the account',
  restored_copy: 'the database was restored: resume or cancel the job',
  no_worker: 'no worker is running: the operator has to start one',
};

/** Why a job waits, and until when if known; `timeZone`: that of its send window. */
export function waitText({ reason, until }: ThrottledDto, timeZone?: string): string {
  return `waits${until === null ? '' : ` until ${localTime(until, timeZone)}`}: ${WAITS[reason]} (${reason})`;
}

/** Sent messages of which the platform has reported neither that they were delivered nor that they failed. */
export function outstandingReports(
  job: Pick<BulkJobDetailDto, 'successfullySent' | 'delivered' | 'undelivered'>,
): number {
  return Math.max(0, job.successfullySent - job.delivered - job.undelivered);
}

/** What to say at the end about delivery reports that may still arrive; null: all have arrived. */
export function noteOnReports(job: BulkJobDetailDto): string | null {
  const outstanding = outstandingReports(job);
  if (outstanding === 0) return null;
  return `${counted(outstanding, 'report')} outstanding: \`messaging jobs show ${job.jobId}\` shows what has arrived.`;
}

/**
 * What to say about the progress of a job in addition to its figures, called with each progress in turn. The reason of a wait that comes and
 * goes is said once, until there is another one. `timeZone`: that of its send window.
 */
export function notesOn(jobId: string, timeZone?: string): (progress: JobProgress) => string[] {
  let lastStatus: JobProgress['status'] | null = null;
  let saidReason: ThrottledDto['reason'] | null = null;
  return ({ status, throttled, progressPercentage }) => {
    const notes: string[] = [];
    if (throttled && throttled.reason !== saidReason) {
      saidReason = throttled.reason;
      notes.push(`The job ${waitText(throttled, timeZone)}`);
      if (throttled.reason === 'unknown_outcomes') notes.push(SAFE_TO_LEAVE);
    }
    if (status === lastStatus) return notes;
    lastStatus = status;
    if (status === 'Paused') notes.push(`Paused: run \`messaging jobs show ${jobId}\` for the reason.`);
    // Below 100 %, a cancelled job has messages without a final outcome.
    if (status === 'Cancelled' && progressPercentage < 100) notes.push(WAITS_FOR_OUTCOMES);
    return notes;
  };
}
