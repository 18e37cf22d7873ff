import type { ReactNode } from 'react';
import { STATE_WORDS } from '../../app/states';
import { t } from '../../language/translate';
import { count, share } from '../../ui/format';
import { Link } from '../../ui/link';
import type { BulkJobDetailDto } from '../../../client/generated/types.gen';
import type { JobCounts } from './job-counts';

/** Messages that did not reach the next step. */
interface Loss {
  /** With its count: “3 failed”. */
  text: string;
  value: number;
  /** The recipients that it counts, below the job's path. */
  to?: string;
  tone?: 'danger';
}

interface Step {
  label: string;
  value: number;
  /** The part of the step before, with what it is a part of; of the recipients, who are none. */
  share?: ReactNode;
  color: string;
  losses: readonly Loss[];
}

/** From the recipients of a job to those who read the message, with what was lost at each step and why. A bar is a part of the recipients, of whom invalid rows are none. */
export function JobFunnel({ job, counts }: { job: BulkJobDetailDto; counts: JobCounts }) {
  const steps = stepsOf(job, counts);
  // Without any sent message, the other steps say nothing.
  const shown = job.successfullySent > 0 ? steps : steps.slice(0, 1);
  return (
    <ol className="funnel" aria-label={t('From recipients to readers')}>
      {shown.map(({ label, value, share: part, color, losses }) => (
        <li key={label}>
          <div className="funnel-head">
            <span>{label}</span>
            <span className="funnel-share">{part}</span>
            <strong>{count(value)}</strong>
          </div>
          <div className="funnel-bar" aria-hidden="true">
            <span style={{ width: widthOf(value, counts.valid), background: color }} />
          </div>
          <ul className="funnel-losses">
            {losses
              .filter((loss) => loss.value > 0)
              .map(({ text, to, tone }) => (
                <li key={text} data-tone={tone}>
                  {to ? <Link to={`/jobs/${job.jobId}${to}`}>{text}</Link> : text}
                </li>
              ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

function stepsOf(job: BulkJobDetailDto, counts: JobCounts): Step[] {
  const { valid, invalid, confirmed, sent, failed, optedOut, notSent, waiting } = counts;
  const { delivered, read, undelivered, unknown } = job;
  const unsettled = Math.max(0, sent - delivered - undelivered);
  const unread = Math.max(0, delivered - read);
  const ofSent = (value: number) => t('{share} of sent', { share: share(value, sent) });
  return [
    {
      label: t('Recipients'),
      value: valid,
      share: invalid > 0 && (
        <Link to={`/jobs/${job.jobId}/failures`}>
          {t('without {count, plural, one {# invalid row} other {# invalid rows}}', { count: invalid })}
        </Link>
      ),
      color: 'var(--line-strong)',
      losses: [
        { text: t('{count, number} failed', { count: failed }), value: failed, to: '/failures', tone: 'danger' },
        {
          text: t('{count, number} opted out', { count: optedOut }),
          value: optedOut,
          to: '/recipients?status=Skipped',
        },
        {
          text: t('{count, number} unconfirmed, may still arrive', { count: unknown }),
          value: unknown,
          to: '/recipients?status=Unknown',
        },
        { text: t('{count, number} not sent yet', { count: waiting }), value: waiting },
        {
          text:
            job.status === 'Cancelled'
              ? t('{count, number} not sent: the job was cancelled', { count: notSent })
              : t('{count, number} not sent: the job failed', { count: notSent }),
          value: notSent,
        },
      ],
    },
    {
      label: STATE_WORDS.Sent,
      value: sent,
      share: t(optedOut > 0 ? '{share} of the {all, number} not opted out' : '{share} of {all, number}', {
        share: share(sent, confirmed),
        all: confirmed,
      }),
      color: 'var(--chart-sent)',
      losses: [
        {
          text: t('{count, number} not delivered', { count: undelivered }),
          value: undelivered,
          to: '/recipients?status=Undelivered',
          tone: 'danger',
        },
        { text: t('{count, number} not reported as delivered yet', { count: unsettled }), value: unsettled },
      ],
    },
    {
      label: STATE_WORDS.Delivered,
      value: delivered,
      share: ofSent(delivered),
      color: 'var(--chart-delivered)',
      losses: [{ text: t('{count, number} not read, or without read receipts', { count: unread }), value: unread }],
    },
    {
      label: STATE_WORDS.Read,
      value: read,
      share: ofSent(read),
      color: 'var(--chart-read)',
      losses: [],
    },
  ];
}

function widthOf(value: number, total: number): string {
  return `${total > 0 ? Math.min(100, (value / total) * 100) : 0}%`;
}
