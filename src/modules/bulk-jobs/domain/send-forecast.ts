import { type BulkJob, openRecipients, type RecentAnswers, type Wait } from './bulk-job';
import { firstMoment } from './job-timing';
import { afterOpenTime, type SendWindow } from './send-window';

const DAY_MS = 86_400_000;

/** What limits how fast the recipients of a job are sent to. */
export interface SendLimits {
  /** Messages per second that the sender may send now; 0: sending is paused. */
  perSecond: number;
  /** What each other running job of the sender has still to send; jobs take turns. */
  othersOpen: readonly number[];
  /** How many people the messaging tier allows in 24 hours and how many of these are used; null: any number. */
  tier: { limit: number; used: number; roomAt: Date | null } | null;
}

/** The people that the messaging tier has room for now; null: any number. */
export function tierRoom({ tier }: SendLimits): number | null {
  return tier && Math.max(0, tier.limit - tier.used);
}

/**
 * When the last of `recipients` is sent to, if sending begins at `from`; null while sending is paused, and for more than a year. The
 * other jobs of the sender have their turns. Of `newPeople`, those for whom the tier has no room wait until people leave its window, a
 * whole tier each 24 hours. Only the time within the send window counts.
 */
export function endOfSend(
  from: Date,
  recipients: number,
  newPeople: number,
  limits: SendLimits,
  sendWindow: SendWindow | null,
): Date | null {
  if (recipients === 0) return from;
  if (limits.perSecond === 0) return null;
  const turns = limits.othersOpen.reduce((sum, open) => sum + Math.min(open, recipients), recipients);
  const after = (begin: number, messages: number): Date | null => {
    const ms = Math.ceil((messages * 1000) / limits.perSecond);
    return sendWindow ? afterOpenTime(sendWindow, new Date(begin), ms) : new Date(begin + ms);
  };
  const beyond = newPeople - (tierRoom(limits) ?? newPeople);
  if (beyond <= 0 || limits.tier === null) return after(from.getTime(), turns);
  const { limit, roomAt } = limits.tier;
  const nextRoom = Math.max(from.getTime(), roomAt?.getTime() ?? from.getTime() + DAY_MS);
  const furtherDays = Math.ceil(beyond / limit) - 1;
  return after(nextRoom + furtherDays * DAY_MS, beyond - furtherDays * limit);
}

/**
 * When the last pending recipient will be answered, or the last unknown outcome is final: at the recent rate, else at the pace of the
 * sender, and from the first moment on at which the job may send. Null if it makes no progress or is paused. `wait` is what it waits for.
 * Everybody counts towards the messaging tier.
 */
export function estimatedCompletionAt(
  job: BulkJob,
  recent: RecentAnswers,
  wait: Wait | null,
  limits: SendLimits,
  now: Date,
): Date | null {
  if (wait?.reason === 'unknown_outcomes') return wait.until;
  const rate = recent.count / Math.max(1, recent.seconds);
  const isStuck = job.status === 'Processing' && rate === 0 && wait === null;
  if (!['Scheduled', 'Queued', 'Processing'].includes(job.status) || isStuck || limits.perSecond === 0) return null;
  if (wait?.until === null) return null;
  const begins = wait?.until && wait.until > now ? wait.until : now;
  const speed = rate === 0 ? limits : { ...limits, perSecond: rate, othersOpen: [] };
  const open = openRecipients(job);
  return endOfSend(firstMoment(job, begins), open, open, speed, job.sendWindow);
}
