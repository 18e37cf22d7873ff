import { Dice } from './dice';
import type { Plan } from './plan';

/** A person gives a sender another pace. */
export interface PlannedPace {
  sender: number;
  at: number;
  messagesPerSecond: number;
}

/**
 * Changes the pace of senders in some histories, most of the times while a job is under way. Its dice are its own: every other history
 * stays what its seed always made of it.
 */
export function withPaces(plan: Plan, share: number, paces: readonly number[]): Plan {
  const dice = new Dice(plan.seed ^ 0x9a_ce);
  if (!dice.chance(share)) return plan;
  const changes = Array.from({ length: dice.whole(1, 4) }, (): PlannedPace => {
    const { at, sender } = dice.pick(plan.jobs);
    return { sender, at: at + dice.between(0, 8000), messagesPerSecond: dice.pick(paces) };
  });
  return { ...plan, paces: changes };
}
