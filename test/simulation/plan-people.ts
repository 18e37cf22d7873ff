import type { RetryScope } from '../../src/modules/bulk-jobs/domain/retry-selection';
import type { SendWindow } from '../../src/modules/bulk-jobs/domain/send-window';
import { Dice } from './dice';
import type { Plan, PlannedJob } from './plan';
import { EVERY_DAY, MINUTE_MS, timeOf } from './plan-timing';
import { BEGIN } from './scheduler';

/** What a person does with a job. */
export type JobStep =
  | { kind: 'pause' | 'resume' | 'cancel' }
  | { kind: 'erase'; position: number }
  | { kind: 'change'; scheduledInMs?: number | null; sendWindow?: SendWindow | null };

/** What people do with one job. */
export interface PlannedCare {
  /** It is created on hold and released at this moment; null: it is not. */
  releasedAt: number | null;
  /** Nobody resumes it once somebody has paused it. */
  isLeft: boolean;
  /** Steps that follow one another. */
  deeds: { at: number; steps: JobStep[] }[];
  /** Whom people retry once the job has ended, each by a request of its own. */
  retries: RetryScope[];
}

/** What people do, by the jobs of the plan. */
export interface PlannedPeople {
  care: PlannedCare[];
  /** How long a day of a pause lasts. */
  dayMs: number;
}

const SCOPES: readonly RetryScope[] = ['failed', 'failed', 'unknown', 'all'];
const DAYS_MS = [200, 400, 700];

/** Lets people look after the jobs of some histories. Its dice are its own: every other history stays what its seed always made of it. */
export function withPeople(plan: Plan, share: number): Plan {
  const dice = new Dice(plan.seed ^ 0x9e_09);
  if (!dice.chance(share) || plan.restore) return plan;
  // Windows are closed until the clock of the history shows the next whole minute.
  const minuteAt = dice.between(6000, 20_000);
  const begin = plan.begin === BEGIN ? BEGIN + MINUTE_MS - minuteAt : plan.begin;
  const care = plan.jobs.map((job) => plannedCare(dice, plan.healedAt, job, begin));
  return { ...plan, begin, people: { care, dayMs: dice.pick(DAYS_MS) } };
}

function plannedCare(dice: Dice, healedAt: number, job: PlannedJob, begin: number): PlannedCare {
  const isHeld = dice.chance(0.25);
  const releasedAt = isHeld ? job.at + dice.between(300, 7000) : null;
  const isLeft = dice.chance(0.15);
  const deeds: PlannedCare['deeds'] = [];
  if (dice.chance(0.6)) {
    const at = (releasedAt ?? job.at) + dice.between(0, Math.min(6000, healedAt / 2));
    const change = plannedChange(dice, begin + at);
    deeds.push({ at, steps: [{ kind: 'pause' }, change, ...(isLeft ? [] : [{ kind: 'resume' } as const])] });
    // One that is scheduled is changed as it is.
    if (job.scheduledAt !== null) deeds.push({ at: dice.between(job.at, job.scheduledAt), steps: [change] });
  } else if (isLeft) deeds.push({ at: job.at + dice.between(0, 5000), steps: [{ kind: 'pause' }] });
  const [soonest, latest] = [releasedAt ?? job.at, healedAt + 8000];
  const erased = dice.chance(0.35) ? dice.whole(1, 3) : 0;
  for (let n = 0; n < erased; n++) {
    // Most of them while the job is under way.
    const at = dice.between(soonest, dice.chance(0.8) ? soonest + 5000 : latest);
    deeds.push({ at, steps: [{ kind: 'erase', position: dice.whole(1, job.size) }] });
  }
  const retries = dice.chance(0.4) ? Array.from({ length: dice.pick([1, 1, 2]) }, () => dice.pick(SCOPES)) : [];
  return { releasedAt, isLeft, deeds, retries };
}

function plannedChange(dice: Dice, at: number): JobStep {
  const what = dice.pick(['close', 'close', 'open', 'schedule', 'start'] as const);
  switch (what) {
    case 'close': {
      const minute = Math.floor((at % 86_400_000) / MINUTE_MS);
      return { kind: 'change', sendWindow: window(minute + 1, minute) };
    }
    case 'open':
      return { kind: 'change', sendWindow: null };
    default:
      return { kind: 'change', scheduledInMs: what === 'start' ? null : dice.between(300, 5000) };
  }
}

function window(from: number, until: number): SendWindow {
  return { from: timeOf(from), until: timeOf(until), timeZone: 'UTC', days: EVERY_DAY };
}
