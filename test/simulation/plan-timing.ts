import type { SendWindow } from '../../src/modules/bulk-jobs/domain/send-window';
import { Dice } from './dice';
import type { Mishap, Plan, PlannedJob } from './plan';
import { BEGIN } from './scheduler';

export const MINUTE_MS = 60_000;
/** Time zones, with their UTC offset in minutes at the time of the histories. */
const ZONES = [
  ['UTC', 0],
  ['Europe/Berlin', 60],
  ['Asia/Kolkata', 330],
] as const;
export const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
/** Any process may start a job. */
const KILLS = 3;

/** Adds schedules and send windows to some histories. Uses its own dice, so that other histories stay unchanged. */
export function withTiming(plan: Plan, share: number): Plan {
  const dice = new Dice(plan.seed ^ 0x71_3e);
  if (!dice.chance(share)) return plan;
  const windowed = dice.pick(plan.jobs);
  const took = 1000 + (1000 * windowed.size) / plan.senders[windowed.sender]!.messagesPerSecond;
  // Windows open or close at whole minutes of the simulated clock, mostly while the job runs.
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

/** A window that is closed for one minute, which begins or ends at a whole minute of the simulated clock. */
function plannedWindow(dice: Dice): SendWindow {
  const [timeZone, offset] = dice.pick(ZONES);
  const closedFrom = offset + (dice.chance(0.6) ? 1 : 0);
  return { from: timeOf(closedFrom + 1), until: timeOf(closedFrom), timeZone, days: EVERY_DAY };
}

/** Formats a minute of the day as time of day. */
export function timeOf(minute: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** Plans an outage, so that many recipients wait for their next attempt when the window closes. */
function outageAt(dice: Dice, { weather, mishaps }: Plan, changesAt: number): Mishap[] {
  const isPossible = weather === 'platform' || weather === 'everything';
  if (!isPossible || mishaps.some(({ kind }) => kind === 'mood')) return [];
  const before = dice.between(100, 1500);
  return [{ kind: 'mood', mood: 'outage', at: Math.max(0, changesAt - before), forMs: before + dice.between(0, 4000) }];
}

/** Kills processes while they start a job: before, during or after the statement. */
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
