import type { RetryScope } from '../../src/modules/bulk-jobs/domain/retry-selection';
import type { SendWindow } from '../../src/modules/bulk-jobs/domain/send-window';
import { Dice } from './dice';
import type { Plan, PlannedJob } from './plan';
import { EVERY_DAY, MINUTE_MS, timeOf } from './plan-timing';
import { BEGIN } from './scheduler';

/** An action of a person on a job. */
export type JobStep =
  | { kind: 'pause' | 'resume' | 'cancel' }
  | { kind: 'erase'; position: number }
  | { kind: 'change'; scheduledInMs?: number | null; sendWindow?: SendWindow | null };

/** A job that is created by a request, as a slow upload of its list. */
export interface PlannedCreation {
  /** Pause after each part of the list, in ms. */
  pauseMs: number;
  /** The erasure of one of its people during the upload, in ms after the begin of the request; null: none. */
  erasure: { afterMs: number; position: number } | null;
}

/** The actions of people on one job. */
export interface PlannedJobActions {
  /** Null: the job is there from the start of its history. */
  creation: PlannedCreation | null;
  /** Release time of a job that is created on hold, otherwise null. */
  releasedAt: number | null;
  /** Whether it is never resumed after a pause. */
  neverResumed: boolean;
  /** Sequences of steps. */
  sequences: { at: number; steps: JobStep[] }[];
  /** The scopes of its retries once it has ended, one request each. */
  retries: RetryScope[];
}

/** The actions of people, by job of the plan. */
export interface PlannedPeople {
  jobActions: PlannedJobActions[];
  /** Length of a day of a pause. */
  dayMs: number;
}

const SCOPES: readonly RetryScope[] = ['failed', 'failed', 'unknown', 'all'];
/** The error of clocks that disagree by minutes. */
export const MINUTES_MS = 300_000;
const DAYS_MS = [200, 400, 700];

/** Adds people who manage jobs to some histories. Uses its own dice, so that other histories stay unchanged. */
export function withPeople(plan: Plan, share: number): Plan {
  const dice = new Dice(plan.seed ^ 0x9e_09);
  if (!dice.chance(share) || plan.restore) return plan;
  // Windows stay closed until the simulated clock reaches the next whole minute.
  const minuteAt = dice.between(6000, 20_000);
  const begin = plan.begin === BEGIN ? BEGIN + MINUTE_MS - minuteAt : plan.begin;
  // Their own dice, so that the actions stay unchanged.
  const intake = new Dice(plan.seed ^ 0x1a_7e);
  const jobActions = plan.jobs.map((job) => {
    return { ...plannedActions(dice, plan.healedAt, job, begin), creation: plannedCreation(intake, job) };
  });
  const skewMs = intake.chance(0.4) ? MINUTES_MS : plan.skewMs;
  return { ...plan, begin, skewMs, people: { jobActions, dayMs: dice.pick(DAYS_MS) } };
}

function plannedCreation(dice: Dice, { size }: PlannedJob): PlannedCreation | null {
  if (!dice.chance(0.7)) return null;
  const erasure = { afterMs: dice.between(0, 1500), position: dice.whole(1, size) };
  return { pauseMs: dice.pick([1, 50, 400]), erasure: dice.chance(0.5) ? erasure : null };
}

function plannedActions(
  dice: Dice,
  healedAt: number,
  job: PlannedJob,
  begin: number,
): Omit<PlannedJobActions, 'creation'> {
  const isHeld = dice.chance(0.25);
  const releasedAt = isHeld ? job.at + dice.between(300, 7000) : null;
  const neverResumed = dice.chance(0.15);
  const sequences: PlannedJobActions['sequences'] = [];
  if (dice.chance(0.6)) {
    const at = (releasedAt ?? job.at) + dice.between(0, Math.min(6000, healedAt / 2));
    const change = plannedChange(dice, begin + at);
    sequences.push({ at, steps: [{ kind: 'pause' }, change, ...(neverResumed ? [] : [{ kind: 'resume' } as const])] });
    // A scheduled job is changed without a pause, often while it starts.
    if (job.scheduledAt !== null) {
      const earliest = dice.chance(0.5) ? job.scheduledAt - 40 : job.at;
      sequences.push({ at: dice.between(earliest, job.scheduledAt + 10), steps: [change] });
    }
  } else if (neverResumed) sequences.push({ at: job.at + dice.between(0, 5000), steps: [{ kind: 'pause' }] });
  const [soonest, latest] = [releasedAt ?? job.at, healedAt + 8000];
  const erased = dice.chance(0.35) ? dice.whole(1, 3) : 0;
  for (let n = 0; n < erased; n++) {
    // Mostly while the job runs.
    const at = dice.between(soonest, dice.chance(0.8) ? soonest + 5000 : latest);
    sequences.push({ at, steps: [{ kind: 'erase', position: dice.whole(1, job.size) }] });
  }
  const retries = dice.chance(0.4) ? Array.from({ length: dice.pick([1, 1, 2]) }, () => dice.pick(SCOPES)) : [];
  return { releasedAt, neverResumed, sequences, retries };
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
