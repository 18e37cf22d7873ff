import type { ReactNode } from 'react';
import { clockTime, counted, relativeTime } from '../../ui/format';
import { useNow } from '../../ui/now';
import { Note } from '../../ui/states';
import type { BulkJobDetailDto, ThrottledDto } from '../../../client/generated/types.gen';

const WAIT_REASONS: Record<ThrottledDto['reason'], string> = {
  messaging_limit_reached: 'The number has reached its 24-hour messaging limit.',
  account_rate_limited: 'The platform is limiting the account’s sending rate.',
  template_limited: 'The platform is limiting this template.',
  platform_outage: 'The platform is not responding.',
  send_window: 'Outside the sending hours of this job.',
  unknown_outcomes: 'All messages have been sent; some are not confirmed yet.',
  sending_paused: 'The operator has paused sending for this account.',
  restored_copy: 'The database was restored from a backup. Resume or cancel the job.',
  no_worker: 'No worker is running. The operator has to start one.',
};

/** Why the job is paused, waiting or failed, and until when; null if it is running normally. */
export function useJobReason(job: BulkJobDetailDto): { tone: 'plain' | 'warning' | 'danger'; text: string } | null {
  const now = useNow();
  const until = (at: string) => `${clockTime(new Date(at), now)} (${relativeTime(new Date(at), now)})`;
  if (job.error) return { tone: 'danger', text: job.error.message };
  if (job.pauseReason?.code === 'held') {
    return {
      tone: 'warning',
      text: `This job is on hold. Nothing has been sent to its ${counted(job.totalRecipients, 'recipient')} yet. Check the list, then send.`,
    };
  }
  if (job.pauseReason?.code === 'paused_by_client') {
    const by = job.pausedBy ? ` by ${job.pausedBy.keyName ?? 'a deleted key'}` : '';
    const at = job.pausedAt ? `, ${clockTime(new Date(job.pausedAt), now)}` : '';
    return { tone: 'warning', text: `Paused${by}${at}` };
  }
  if (job.pauseReason) return { tone: 'warning', text: job.pauseReason.message };
  if (job.throttled) {
    const why = WAIT_REASONS[job.throttled.reason];
    if (job.throttled.until === null) return { tone: 'warning', text: why };
    const continues = job.throttled.reason === 'unknown_outcomes' ? 'Completes by' : 'Continues at';
    return { tone: 'warning', text: `${why} ${continues} ${until(job.throttled.until)}.` };
  }
  if (job.status === 'Scheduled' && job.scheduledAt) {
    return { tone: 'plain', text: `It starts at ${until(job.scheduledAt)}.` };
  }
  return null;
}

/** The same as a note with optional content below. */
export function JobReason({ job, children }: { job: BulkJobDetailDto; children?: ReactNode }) {
  const reason = useJobReason(job);
  if (!reason) return null;
  return (
    <Note tone={reason.tone}>
      <p>{reason.text}</p>
      {children}
    </Note>
  );
}
