import type { SendWindow } from '../../src/modules/bulk-jobs/domain/send-window';
import { Dice } from './dice';
import type { Mishap, Plan, PlannedJob } from './plan';
import { BEGIN } from './scheduler';

export const MINUTE_MS = 60_000;
/** Time zones, and by how many minutes their clocks are before that of UTC when histories happen. */
const ZONES = [
  ['UTC', 0],
  ['Europe/Berlin', 60],
  ['Asia/Kolkata', 330],
] as const;
export const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
/** Which process starts a job is not known beforehand. */
const KILLS = 3;

/**
 * Gives some histories jobs with schedules and send windows. Its dice are its own: every other history stays what its seed always
 * made of it.
 */
export function withTiming(plan: Plan, share: number): Plan {
  const dice = new Dice(plan.seed ^ 0x71_3e);
  if (!dice.chance(share)) return plan;
  const windowed = dice.pick(plan.jobs);
  const took = 1000 + (1000 * windowed.size) / plan.senders[windowed.sender]!.messagesPerSecond;
  // The clocks of the history show a whole minute when a window opens or closes, most often while its job is under way.
  const changesAt = windowed.at + took * dice.next();
  const kind = dice.pick(['schedules', 'windows', 'both'] as const);
  const jobs = plan.jobs.map((job): PlannedJob => {
    const isScheduled = kind !== 'windows' && dice.chance(0.7);
    const hasWindow = kind !== 'schedules' && (job === windowed || dice.chance(0.3));
    return {
      ...job,
      scheduledAt: isScheduled ? job.at + dice.between(500, 8000) : null,
      window: hasWindow ? plannedWindow(dice) : null,
    };
  });
  return {
    ...plan,
    jobs,
    begin: BEGIN + MINUTE_MS - changesAt,
    mishaps: [...plan.mishaps, ...killsAtStarts(dice, plan, jobs), ...outageAt(dice, plan, changesAt)],
  };
}

/** A window that is closed for one minute, which begins or ends when the clock of the history shows a whole minute. */
function plannedWindow(dice: Dice): SendWindow {
  const [timeZone, offset] = dice.pick(ZONES);
  const closedFrom = offset + (dice.chance(0.6) ? 1 : 0);
  return { from: timeOf(closedFrom + 1), until: timeOf(closedFrom), timeZone, days: EVERY_DAY };
}

/** The time of day of a minute of the day. */
export function timeOf(minute: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** Many recipients wait for their next attempt when the window closes. */
function outageAt(dice: Dice, { weather, mishaps }: Plan, changesAt: number): Mishap[] {
  const isPossible = weather === 'platform' || weather === 'everything';
  if (!isPossible || mishaps.some(({ kind }) => kind === 'mood')) return [];
  const before = dice.between(100, 1500);
  return [{ kind: 'mood', mood: 'outage', at: Math.max(0, changesAt - before), forMs: before + dice.between(0, 4000) }];
}

/** Processes die while they start a job: before, during or after the statement that does it. */
function killsAtStarts(dice: Dice, plan: Plan, jobs: readonly PlannedJob[]): Mishap[] {
  if (plan.weather !== 'crashes' && plan.weather !== 'everything') return [];
  return jobs
    .flatMap(({ scheduledAt }) => scheduledAt ?? [])
    .flatMap((at) =>
      Array.from({ length: KILLS }, (): Mishap => {
        const step = dice.pick(['START_DUE', 'START_DUE!', null]);
        const process = dice.whole(0, plan.processes - 1);
        return {
          kind: dice.pick(['kill', 'freeze'] as const),
          process,
          step,
          at: at - 50,
          forMs: dice.between(50, 3000),
        };
      }),
    );
}
