import { Dice } from './dice';
import { LAST_START_MS, type Plan } from './plan';

/** A standby that takes over lacks at most this much. */
const MAX_LOST_MS = 1500;

/**
 * Lets the database lose its last transactions while the processes run, in some histories. Not with exclusive terms: an embedded database
 * ends with its process. Uses its own dice, so that other histories stay unchanged.
 */
export function withLoss(plan: Plan, share: number): Plan {
  const dice = new Dice(plan.seed ^ 0x10_55);
  const cannotLose = plan.exclusive || plan.weather === 'restarts' || plan.people !== null || plan.endpoints.length > 0;
  if (!dice.chance(share) || plan.restore || cannotLose) return plan;
  const { jobs, senders, healedAt } = plan;
  const job = dice.pick(jobs);
  const took = 1000 + (1000 * job.size) / senders[job.sender]!.messagesPerSecond;
  const copiedAt = Math.max(LAST_START_MS, job.at + took * dice.next());
  const at = copiedAt + dice.between(200, MAX_LOST_MS);
  const cancelled = jobs.map(() => dice.chance(0.3));
  const restore = { isLive: true, copiedAt, at, resumedAfterMs: dice.between(6000, 12_000), cancelled };
  return { ...plan, restore, healedAt: Math.max(healedAt, at + 3000) };
}
