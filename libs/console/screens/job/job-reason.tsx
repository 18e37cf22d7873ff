import type { ReactNode } from 'react';
import { clockTime, counted, relativeTime } from '../../ui/format';
import { useNow } from '../../ui/now';
import { Note } from '../../ui/states';
import type { BulkJobDetailDto, ThrottledDto } from '../../../client/generated/types.gen';

const WAITS: Record<ThrottledDto['reason'], string> = {
  messaging_limit_reached: 'The number has reached its limit of people within 24 hours.',
  account_rate_limited: 'The platform has slowed the account down.',
  template_limited: 'The platform holds this template back.',
  platform_outage: 'The platform does not answer.',
  send_window: 'It is outside of the hours in which this job sends.',
  unknown_outcomes: 'All messages have left. Of some it is not yet known whether they were accepted.',
  sending_paused: 'The operator has paused sending for this account.',
  restored_copy: 'The database was restored. Resume or cancel the job.',
  no_worker: 'No worker is running. The operator has to start one.',
};

/** Why the job does not go on, and until when by the clock; null where nothing keeps it. */
export function useJobReason(job: BulkJobDetailDto): { tone: 'plain' | 'warning' | 'danger'; text: string } | null {
  const now = useNow();
  const until = (at: string) => `${clockTime(new Date(at), now)} (${relativeTime(new Date(at), now)})`;
  if (job.error) return { tone: 'danger', text: job.error.message };
  if (job.pauseReason?.code === 'held') {
    return {
      tone: 'warning',
      text: `This job is on hold: nothing has been sent to its ${counted(job.totalRecipients, 'recipient')}. Check the list, then send.`,
    };
  }
  if (job.pauseReason?.code === 'paused_by_client') {
    const by = job.pausedBy ? ` by ${job.pausedBy.keyName ?? 'a deleted key'}` : '';
    const at = job.pausedAt ? `, ${clockTime(new Date(job.pausedAt), now)}` : '';
    return { tone: 'warning', text: `Paused${by}${at}` };
  }
  if (job.pauseReason) return { tone: 'warning', text: job.pauseReason.message };
  if (job.throttled) {
    const why = WAITS[job.throttled.reason];
    if (job.throttled.until === null) return { tone: 'warning', text: why };
    const goesOn = job.throttled.reason === 'unknown_outcomes' ? 'It is complete at the latest at' : 'It goes on at';
    return { tone: 'warning', text: `${why} ${goesOn} ${until(job.throttled.until)}.` };
  }
  if (job.status === 'Scheduled' && job.scheduledAt) {
    return { tone: 'plain', text: `It starts at ${until(job.scheduledAt)}.` };
  }
  return null;
}

/** The same as a note; `children` come below. */
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
