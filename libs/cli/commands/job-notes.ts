import type { ThrottledDto } from '../../client/generated/types.gen';
import type { JobProgress } from '../../client/job-events';

const WAITS_FOR_OUTCOMES =
  'Cancelled. Waiting for the outcome of messages in flight; unknown ones count as failed after the grace period (15 ' +
  'minutes by default).';

const WAITS: Record<ThrottledDto['reason'], string> = {
  messaging_limit_reached: 'the messaging tier has no room',
  account_rate_limited: 'the platform limits the account',
  template_limited: 'the platform limits the template',
  platform_outage: 'the platform does not answer',
  send_window: 'outside its send window',
  unknown_outcomes: 'all sent, some outcomes are not known yet',
  sending_paused: 'the operator has paused sending for the account',
  restored_copy: 'the database was restored: resume or cancel the job',
  no_worker: 'no worker is running: the operator has to start one',
};

/** Why a job waits, and until when if known. */
export function waitText({ reason, until }: ThrottledDto): string {
  return `waits${until === null ? '' : ` until ${until}`}: ${WAITS[reason]} (${reason})`;
}

/**
 * What to say about the progress of a job in addition to its figures, called with each progress in turn. The reason of a wait that comes and
 * goes is said once, until there is another one.
 */
export function notesOn(jobId: string): (progress: JobProgress) => string[] {
  let lastStatus: JobProgress['status'] | null = null;
  let saidReason: ThrottledDto['reason'] | null = null;
  return ({ status, throttled, progressPercentage }) => {
    const notes: string[] = [];
    if (throttled && throttled.reason !== saidReason) {
      saidReason = throttled.reason;
      notes.push(`The job ${waitText(throttled)}`);
    }
    if (status === lastStatus) return notes;
    lastStatus = status;
    if (status === 'Paused') notes.push(`Paused: run \`messaging jobs show ${jobId}\` for the reason.`);
    // Below 100 %, a cancelled job has messages without a final outcome.
    if (status === 'Cancelled' && progressPercentage < 100) notes.push(WAITS_FOR_OUTCOMES);
    return notes;
  };
}
