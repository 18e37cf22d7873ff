import { Dice } from './dice';
import type { Plan } from './plan';

/** A change of a sender's pace. */
export interface PlannedPace {
  sender: number;
  at: number;
  messagesPerSecond: number;
}

/** Changes the pace of senders in some histories, mostly while a job runs. Uses its own dice, so that other histories stay unchanged. */
export function withPaces(plan: Plan, share: number, paces: readonly number[]): Plan {
  const dice = new Dice(plan.seed ^ 0x9a_ce);
  if (!dice.chance(share)) return plan;
  const changes = Array.from({ length: dice.whole(1, 4) }, (): PlannedPace => {
    const { at, sender } = dice.pick(plan.jobs);
    return { sender, at: at + dice.between(0, 8000), messagesPerSecond: dice.pick(paces) };
  });
  return { ...plan, paces: changes };
}
