import { type BulkJob, openRecipients, type RecentAnswers, type Wait } from './bulk-job';
import { firstMoment } from './job-timing';
import { afterOpenTime, type SendWindow } from './send-window';

const DAY_MS = 86_400_000;

/** The limits on the speed of a job. */
export interface SendLimits {
  /** Messages per second that the sender may send now; 0: sending is paused. */
  perSecond: number;
  /** Open recipients of each other running job of the sender; jobs take turns. */
  othersOpen: readonly number[];
  /** The number of people that the messaging tier allows in 24 hours, and the number used; null: unlimited. */
  tier: { limit: number; used: number; roomAt: Date | null } | null;
}

/** The number of people the messaging tier still allows now; null: unlimited. */
export function tierRoom({ tier }: SendLimits): number | null {
  return tier && Math.max(0, tier.limit - tier.used);
}

/**
 * When the last of `recipients` is sent to, if sending begins at `from`; null while sending is paused, and for more than a year.
 * Other jobs of the sender take turns with this one. `newPeople` beyond the tier wait until its window has room, a whole tier every
 * 24 hours. Only time within the send window counts.
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
 * When the last open recipient will have an answer, or the last unknown outcome will be final, assuming the recent rate, or else the
 * pace of the sender, from the first moment at which the job may send. Null if it makes no progress or is paused. `wait` is its current
 * wait. Every recipient counts towards the messaging tier.
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
