import type { ReactNode } from 'react';
import { STATE_WORDS } from '../../app/states';
import { t } from '../../language/translate';
import { clockTime, relativeTime } from '../../ui/format';
import { useNow } from '../../ui/now';
import { Note } from '../../ui/states';
import type {
  BulkJobDetailDto,
  BulkJobErrorDto,
  PauseReasonDto,
  ThrottledDto,
} from '../../../client/generated/types.gen';
import { ProblemText } from './problem-text';

const WAIT_REASONS: Record<ThrottledDto['reason'], string> = {
  messaging_limit_reached: t('The number has reached its 24-hour messaging limit.'),
  account_rate_limited: t('WhatsApp is limiting the account’s sending rate.'),
  template_limited: t('WhatsApp is limiting this template.'),
  platform_outage: t('WhatsApp reports errors.'),
  send_window: t('Outside the sending hours of this job.'),
  unknown_outcomes: t('All messages have been sent; some are not confirmed yet.'),
  sending_paused: t('The operator has paused sending for this account.'),
  restored_copy: t('The database was restored from a backup. Resume or cancel the job.'),
  no_worker: t('No worker is running. The operator has to start one.'),
};

/** The words for why the service paused or ended a job. */
type Explain = (stop: PauseReasonDto | BulkJobErrorDto, job: BulkJobDetailDto) => ReactNode;

/** Without explanations, whose texts are too large for the overview. */
const BRIEF: Explain = ({ code, message }) => <ProblemText code={code} message={message} />;

/** Why the job is paused, waiting or failed, and until when; null if it is running normally. */
export function useJobReason(
  job: BulkJobDetailDto,
  explain = BRIEF,
): { tone: 'plain' | 'warning' | 'danger'; text: ReactNode } | null {
  const now = useNow();
  const until = (at: string) =>
    t('{time} ({relative})', { time: clockTime(new Date(at), now), relative: relativeTime(new Date(at), now) });
  if (job.error) return { tone: 'danger', text: explain(job.error, job) };
  if (job.pauseReason?.code === 'held') {
    const values = { count: job.pending };
    return {
      tone: 'warning',
      text: job.startsAt
        ? t(
            'This job is on hold. Nothing has been sent to its {count, plural, one {# recipient} other {# recipients}} yet. Check the list, then send it now or as scheduled, {time}.',
            { ...values, time: until(job.startsAt) },
          )
        : t(
            'This job is on hold. Nothing has been sent to its {count, plural, one {# recipient} other {# recipients}} yet. Check the list, then send.',
            values,
          ),
    };
  }
  if (job.pauseReason?.code === 'paused_by_client') {
    return { tone: 'warning', text: pausedText(job, now) };
  }
  if (job.pauseReason) {
    return { tone: 'warning', text: explain(job.pauseReason, job) };
  }
  if (job.throttled) {
    const why = WAIT_REASONS[job.throttled.reason];
    if (job.throttled.until === null) return { tone: 'warning', text: why };
    const values = { why, time: until(job.throttled.until) };
    switch (job.throttled.reason) {
      case 'unknown_outcomes':
        return { tone: 'plain', text: t('{why} Completes by {time}.', values) };
      case 'platform_outage':
        return { tone: 'warning', text: t('{why} Next attempt at {time}.', values) };
      default:
        return { tone: 'warning', text: t('{why} Continues at {time}.', values) };
    }
  }
  if (isEnding(job)) {
    return {
      tone: 'plain',
      text: t('All recipients are processed. Their outcomes are being checked; then the job is complete.'),
    };
  }
  if (job.status === 'Scheduled' && job.startsAt) {
    return { tone: 'plain', text: t('It starts at {time}.', { time: until(job.startsAt) }) };
  }
  return null;
}

/** Whether nothing is left to send or to confirm, and the service has not ended the job yet. */
export function isEnding({ status, pending }: BulkJobDetailDto): boolean {
  return status === 'Processing' && pending === 0;
}

/** That a key paused the job, which one and when, as far as known. */
function pausedText({ pausedBy, pausedAt }: BulkJobDetailDto, now: Date): string {
  const by = pausedBy ? (pausedBy.keyName ?? t('a deleted key')) : null;
  const time = pausedAt === null ? null : clockTime(new Date(pausedAt), now);
  if (by === null) return time === null ? STATE_WORDS.Paused : t('Paused, {time}', { time });
  return time === null ? t('Paused by {by}', { by }) : t('Paused by {by}, {time}', { by, time });
}

/** The same as a note with optional content below. */
export function JobReason({
  job,
  explain,
  children,
}: {
  job: BulkJobDetailDto;
  explain?: Explain;
  children?: ReactNode;
}) {
  const reason = useJobReason(job, explain);
  if (!reason) return null;
  return (
    <Note tone={reason.tone}>
      <p>{reason.text}</p>
      {children}
    </Note>
  );
}
