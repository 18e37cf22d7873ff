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

/** A status label; the colour only repeats what the text says. */
export function Badge({ children, tone }: { children: ReactNode; tone?: Tone }) {
  const known = typeof children === 'string' ? TONES[children] : undefined;
  return (
    <span className="badge" data-tone={tone ?? known ?? 'plain'}>
      {children}
    </span>
  );
}
