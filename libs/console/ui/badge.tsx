import type { ReactNode } from 'react';

/** The meaning of a status: success, in progress, needs attention, failure, or neutral. */
export type Tone = 'good' | 'active' | 'warning' | 'danger' | 'plain';

const TONES: Record<string, Tone> = {
  Completed: 'good',
  Delivered: 'good',
  Read: 'good',
  Approved: 'good',
  Active: 'good',
  Green: 'good',
  Processing: 'active',
  Queued: 'active',
  Sent: 'active',
  Pending: 'plain',
  Scheduled: 'plain',
  Paused: 'warning',
  Waiting: 'warning',
  Unknown: 'warning',
  Yellow: 'warning',
  InReview: 'warning',
  Failed: 'danger',
  Undelivered: 'danger',
  Rejected: 'danger',
  Disabled: 'danger',
  Suspended: 'danger',
  Red: 'danger',
};

/** The meaning of a status as the API names it. */
export function toneOf(status: string): Tone {
  return TONES[status] ?? 'plain';
}

/** A status label; the colour only repeats what the text says. */
export function Badge({ children, tone }: { children: ReactNode; tone?: Tone }) {
  return (
    <span className="badge" data-tone={tone ?? (typeof children === 'string' ? toneOf(children) : 'plain')}>
      {children}
    </span>
  );
}
