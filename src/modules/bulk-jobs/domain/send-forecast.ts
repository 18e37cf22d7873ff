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
 * When the last of `recipients` is sent to, if sending begins at `from`; null while sending is paused. The other jobs of the sender have
 * their turns. Of `newPeople`, those for whom the tier has no room wait until people leave its window, a whole tier each 24 hours.
 */
export function endOfSend(from: Date, recipients: number, newPeople: number, limits: SendLimits): Date | null {
  if (recipients === 0) return from;
  if (limits.perSecond === 0) return null;
  const turns = limits.othersOpen.reduce((sum, open) => sum + Math.min(open, recipients), recipients);
  const msOf = (messages: number): number => Math.ceil((messages * 1000) / limits.perSecond);
  const beyond = newPeople - (tierRoom(limits) ?? newPeople);
  if (beyond <= 0 || limits.tier === null) return new Date(from.getTime() + msOf(turns));
  const { limit, roomAt } = limits.tier;
  const nextRoom = Math.max(from.getTime(), roomAt?.getTime() ?? from.getTime() + DAY_MS);
  const furtherDays = Math.ceil(beyond / limit) - 1;
  return new Date(nextRoom + furtherDays * DAY_MS + msOf(beyond - furtherDays * limit));
}
