import { Dice } from './dice';
import type { SendWindow } from '../../src/modules/bulk-jobs/domain/send-window';
import type { DatabaseFaults } from './history-database';
import { type PlannedEndpoint, withEndpoints } from './plan-endpoints';
import { withLoss } from './plan-losses';
import { type PlannedPace, withPaces } from './plan-paces';
import { MINUTES_MS, type PlannedPeople, withPeople } from './plan-people';
import { type PlannedPersons, withPersons } from './plan-persons';
import { withTiming } from './plan-timing';
import { BEGIN } from './scheduler';
import type { Fate, Mood, PlatformFaults } from './simulated-platform';

/** The failures of a history. */
export type Weather = 'calm' | 'platform' | 'crashes' | 'takeovers' | 'database' | 'everything' | 'restarts';

/** A job of a history. */
export interface PlannedJob {
  sender: number;
  size: number;
  at: number;
  /** Positions that failed at import; positions that have opted out or opt out during the job. */
  invalid: number[];
  optedOut: number[];
  /** Validity of its messages; null: unlimited. */
  validForMs: number | null;
  /** Scheduled start; null: immediate. */
  scheduledAt: number | null;
  /** Send window; null: any time. */
  window: SendWindow | null;
  actions: { at: number; action: 'pause' | 'resume' | 'cancel' }[];
}

/** When the database is copied and restored, and what happens to each job afterwards. */
export interface PlannedRestore {
  /** The processes live on: a standby without the last transactions has taken over. Otherwise every process is killed. */
  isLive: boolean;
  copiedAt: number;
  at: number;
  /** Time from the restore until people resume jobs. */
  resumedAfterMs: number;
  /** By job: whether it is cancelled in the end instead of resumed. */
  cancelled: boolean[];
}

/** The step of the process at which it strikes; null: immediately. */
export type Step = string | null;

/** A failure; ends after `forMs`, or earlier when another process reaches the step `until`. */
export type Mishap =
  | { kind: 'kill' | 'freeze' | 'cut off'; process: number; step: Step; at: number; forMs: number; until?: string }
  | { kind: 'slow statement'; process: number; step: string; at: number; forMs: number }
  | { kind: 'clean stop'; process: number; at: number; forMs: number }
  | { kind: 'results refused'; process: number; at: number; forMs: number }
  | { kind: 'database down'; at: number; forMs: number }
  | { kind: 'mood'; mood: Mood; at: number; forMs: number }
  | { kind: 'emergency stop'; sender: number; at: number; forMs: number };

/** Everything planned for a history; derived from the seed. */
export interface Plan {
  seed: number;
  weather: Weather;
  /** The start of virtual time. */
  begin: number;
  processes: number;
  senders: { messagesPerSecond: number }[];
  /** The messaging tier of all senders: how many people one portfolio may message per window. */
  tier: { limit: number; windowMs: number; isShared: boolean } | null;
  jobs: PlannedJob[];
  endpoints: PlannedEndpoint[];
  /** When the upkeep of the webhooks is due for the first time, in ms: the minute after the last one ends at any time. */
  webhookUpkeepAt: number;
  singles: { sender: number; at: number }[];
  mishaps: Mishap[];
  database: DatabaseFaults;
  platform: PlatformFaults;
  /** Probability that a wake-up is lost or repeated, and its longest delay. */
  wakeUps: { lost: number; repeated: number; longestMs: number };
  fates: Fate[];
  graceMs: number;
  timeoutMs: number;
  sharedPace: boolean;
  /** There is one process, with exclusive terms. */
  exclusive: boolean;
  /** Largest error of a process's clock. */
  skewMs: number;
  /** The database is restored from a copy. */
  restore: PlannedRestore | null;
  /** People manage the jobs. */
  people: PlannedPeople | null;
  /** Changes of the senders' paces. */
  paces: readonly PlannedPace[];
  /** Recipients have extras, numbers and user ids; null: only numbers. */
  persons: PlannedPersons | null;
  /** From this time on nothing fails. */
  healedAt: number;
}

/** Critical steps: failures strike before each of them, and after it (`!`). */
const STEPS = [
  ...['COMMIT', 'COMMIT!', 'TAKE_LANE', 'TAKE_LANE!', 'ADOPT_JOBS!', 'STRAND_LATER_ATTEMPTS', 'RENEW_LANE'],
  ...[
    'OPEN_RECIPIENTS',
    'OPEN_RECIPIENTS!',
    'MOVE_CURSOR',
    'MOVE_CURSOR!',
    'LOCK_RUNNING_JOB',
    'CLAIM_DUE',
    'CLAIM_DUE!',
  ],
  ...['CONNECT', 'LOCK_PORTFOLIO!', 'TAKE_TIER!'],
  ...[
    'LOCK_JOBS!',
    'SAVE_RECIPIENTS',
    'ADD_TO_COUNTERS',
    'SAVE_MESSAGES!',
    'COMPLETE',
    'COUNT_OUTCOMES!',
    'HOLD_LANE!',
  ],
  ...['CLAIM_SINGLES!', 'INSERT_SINGLES', 'UNFINISHED_JOBS!', 'RELEASE_LANE', 'SAVE_SINGLES', 'CONNECT', 'ANSWER!'],
];
/** The step at which a claim is frozen, and the step of the takeover at which it continues. */
const TAKEOVERS_DURING_CLAIMS = [
  ['MOVE_CURSOR', 'ADOPT_JOBS!'],
  ['MOVE_CURSOR!', 'ADOPT_JOBS'],
  ['MOVE_CURSOR!', 'TAKE_LANE!'],
  ['LOCK_RUNNING_JOB', 'ADOPT_JOBS!'],
  ['CLAIM_DUE!', 'ADOPT_JOBS'],
  ['CONNECT', 'STRAND_FIRST_ATTEMPTS!'],
] as const;
/** Maximum number of senders in a history. */
export const MAX_SENDERS = 5;
/** Stands for the process that owns the first sender's lane when the failure strikes. */
export const OWNER = -1;
const TAKEOVER_MS = 8000;
/** Every process was started by then. */
export const LAST_START_MS = 2000;
/** Validity of single sends where people make requests: less than the error of a wrong clock. */
export const SINGLE_VALID_SECONDS = 60;
const FATES: readonly Fate[] = ['refused', 'wrong message', 'pair throttled once'];

/** Size and features of histories; the features are probabilities, times are in ms. */
export interface Scale {
  weathers: readonly Weather[];
  /** Messages per second of a sender. */
  paces: readonly number[];
  processes: readonly number[];
  jobs: readonly number[];
  sizes: readonly number[];
  healed: readonly [number, number];
  graces: readonly number[];
  timeouts: readonly number[];
  /** A single process with exclusive terms. */
  exclusive: number;
  /** A limited messaging tier. */
  limited: number;
  /** A database restored from a copy. */
  restored: number;
  /** A database that loses its last transactions while the processes run. */
  lost: number;
  /** Schedules or send windows. */
  scheduled: number;
  /** Webhook endpoints. */
  subscribed: number;
  /** Clocks that differ by minutes. */
  skewed: number;
  /** People who manage jobs. */
  managed: number;
  /** Recipients with extras and user ids. */
  identified: number;
  /** Changes of pace. */
  repaced: number;
}

export const FULL: Scale = {
  weathers: ['calm', 'platform', 'crashes', 'takeovers', 'database', 'everything', 'everything', 'restarts'],
  paces: [3, 5, 10, 20, 80, 250],
  processes: [1, 2, 2, 3, 3, 4],
  jobs: [1, 2, 2, 3, 4],
  sizes: [12, 30, 60],
  healed: [8000, 22_000],
  graces: [4000, 8000, 20_000],
  timeouts: [3000, 8000, 15_000],
  exclusive: 0.4,
  limited: 0.3,
  restored: 0.1,
  lost: 0.05,
  scheduled: 0.2,
  subscribed: 0.1,
  skewed: 0.1,
  managed: 0.1,
  identified: 0.1,
  repaced: 0.1,
};

/** Generates the plan of a seed. */
export function planOf(seed: number, scale: Scale = FULL): Plan {
  const dice = new Dice(seed);
  const weather = dice.pick(scale.weathers);
  const healedAt = dice.between(...scale.healed);
  const isRestart = weather === 'restarts';
  const processes = dice.pick(scale.processes);
  const senders = Array.from({ length: isRestart ? MAX_SENDERS : dice.pick([1, 1, 2]) }, () => ({
    messagesPerSecond: dice.pick(scale.paces),
  }));
  const jobs = Array.from({ length: dice.pick(scale.jobs) }, () => plannedJob(dice, scale, senders.length, healedAt));
  const singles = Array.from({ length: dice.pick([0, 0, 2, 5]) }, () => ({
    sender: dice.whole(0, senders.length - 1),
    at: dice.between(0, healedAt),
  }));
  const severity = weather === 'everything' ? dice.between(0.2, 1) : 1;
  const planned = mishaps(dice, weather, { processes, senders, jobs, healedAt });
  const has = (...kinds: Weather[]): boolean => kinds.includes(weather) || weather === 'everything';
  const plan: Plan = {
    ...{
      seed,
      weather,
      begin: BEGIN,
      processes,
      senders,
      jobs,
      endpoints: [],
      webhookUpkeepAt: 0,
      singles,
      restore: null,
      people: null,
      persons: null,
      paces: [],
    },
    mishaps: planned,
    // Leave time for a takeover.
    healedAt: weather === 'takeovers' ? healedAt + TAKEOVER_MS : healedAt,
    database: {
      refused: has('database') ? 0.02 * severity * dice.next() : 0,
      answerLost: has('database') ? 0.02 * severity * dice.next() : 0,
      latencyMs: dice.pick([1, 2, 5, 15]),
      longestMs: has('database') ? 1500 : 100,
    },
    platform: {
      answerLost: has('platform', 'crashes') ? 0.08 * severity * dice.next() : 0,
      notSent: has('platform') ? 0.05 * severity * dice.next() : 0,
      outage: 0,
      throttled: has('platform') ? 0.1 * severity * dice.next() : 0,
      slow: has('platform', 'crashes') ? dice.pick([0, 0.05, 0.3]) : 0,
    },
    wakeUps: { lost: dice.pick([0, 0.3, 1]), repeated: dice.pick([0, 0.3]), longestMs: dice.pick([5, 2000]) },
    fates: FATES.filter(() => dice.chance(0.5)),
    graceMs: dice.pick(scale.graces),
    timeoutMs: dice.pick(scale.timeouts),
    sharedPace: dice.chance(0.5),
    exclusive: processes === 1 && dice.chance(scale.exclusive),
    tier: dice.chance(scale.limited) ? plannedTier(dice) : null,
    // Its own dice, so that other histories stay unchanged.
    skewMs: new Dice(seed ^ 0xc1_0c).chance(scale.skewed) ? MINUTES_MS : 2000,
  };
  const restored = !isRestart && dice.chance(scale.restored) ? withRestore(dice, plan) : plan;
  const managed = withPeople(withEndpoints(withTiming(restored, scale.scheduled), scale.subscribed), scale.managed);
  const lossy = withLoss(managed, scale.lost);
  return withPaces(withPersons(lossy, scale.identified), scale.repaced, scale.paces);
}

/** Copies the database while a job runs, and restores it shortly or long afterwards. */
function withRestore(dice: Dice, plan: Plan): Plan {
  const { jobs, senders, healedAt } = plan;
  const job = dice.pick(jobs);
  const took = 1000 + (1000 * job.size) / senders[job.sender]!.messagesPerSecond;
  const copiedAt = Math.max(LAST_START_MS, job.at + took * dice.next());
  const at = copiedAt + dice.between(200, dice.pick([1500, 8000]));
  const cancelled = jobs.map(() => dice.chance(0.3));
  const restore: PlannedRestore = { isLive: false, copiedAt, at, resumedAfterMs: dice.between(500, 8000), cancelled };
  // Most single sends start immediately: only a burst beyond a slow sender's pace waits in the copy.
  const waiting = Array.from({ length: dice.pick([0, 8]) }, () => ({
    sender: job.sender,
    at: copiedAt - dice.between(0, 600),
  }));
  const singles = [...plan.singles, ...waiting];
  return { ...plan, singles, restore, healedAt: Math.max(healedAt, at + 3000) };
}

function plannedTier(dice: Dice): Plan['tier'] {
  return { limit: dice.pick([5, 12, 30]), windowMs: dice.pick([1500, 4000, 9000]), isShared: dice.chance(0.8) };
}

function plannedJob(dice: Dice, scale: Scale, senders: number, healedAt: number): PlannedJob {
  const size = dice.whole(5, dice.pick(scale.sizes));
  const positions = Array.from({ length: size }, (_, index) => index + 1);
  const at = dice.between(0, healedAt / 2);
  const actions: PlannedJob['actions'] = [];
  if (dice.chance(0.25)) {
    const pausedAt = at + dice.between(0, 5000);
    actions.push({ at: pausedAt, action: 'pause' }, { at: pausedAt + dice.between(100, 6000), action: 'resume' });
  }
  if (dice.chance(0.15)) actions.push({ at: at + dice.between(0, 6000), action: 'cancel' });
  const some = (share: number): number[] => positions.filter(() => dice.chance(share));
  const invalid = dice.chance(0.3) ? some(0.2) : [];
  const optedOut = dice.chance(0.3) ? some(0.2) : [];
  const validForMs = dice.chance(0.15) ? dice.between(1000, 20_000) : null;
  const sender = dice.chance(0.7) ? 0 : dice.whole(0, senders - 1);
  return { sender, size, at, invalid, optedOut, validForMs, scheduledAt: null, window: null, actions };
}

function mishaps(
  dice: Dice,
  weather: Weather,
  { processes, senders, jobs, healedAt }: Pick<Plan, 'processes' | 'senders' | 'jobs' | 'healedAt'>,
): Mishap[] {
  const list: Mishap[] = [];
  // Mostly while a job runs.
  const moment = (longestMs: number): { at: number; forMs: number } => {
    const job = dice.pick(jobs);
    const took = 2000 + (1000 * job.size) / senders[job.sender]!.messagesPerSecond;
    const at = dice.chance(0.8) ? job.at + took * dice.next() : healedAt * dice.next();
    return { at: Math.min(at, healedAt), forMs: dice.between(50, longestMs) };
  };
  if (weather === 'restarts') list.push(...rollingRestart(dice, processes, moment(0).at));
  const process = (): number => dice.whole(0, processes - 1);
  const crashes = weather === 'crashes' || weather === 'everything' ? dice.whole(1, 6) : 0;
  for (let n = 0; n < crashes; n++) {
    const kind = dice.pick(['kill', 'kill', 'freeze', 'freeze', 'freeze', 'clean stop'] as const);
    const step = dice.chance(0.7) ? dice.pick(STEPS) : null;
    list.push({ kind, process: process(), step, ...moment(dice.pick([2900, 8000, 15_000])) });
  }
  const hasTakeover = weather === 'takeovers' || (crashes > 0 && dice.chance(0.5));
  if (hasTakeover) list.push(...takeoverDuringClaim(dice, moment(0).at));
  const outages = weather === 'database' || weather === 'everything' ? dice.whole(0, 4) : 0;
  for (let n = 0; n < outages; n++) {
    if (dice.chance(0.5)) list.push({ kind: 'database down', ...moment(6000) });
    else list.push({ kind: 'cut off', process: process(), step: dice.pick([null, ...STEPS]), ...moment(8000) });
  }
  // At most one outage: several failures of one recipient could look like its own.
  if ((weather === 'platform' || weather === 'everything') && dice.chance(0.6)) {
    const mood = dice.pick<Mood>([
      'outage',
      'unreachable',
      'silent',
      'throttling',
      'account throttling',
      'template throttling',
      'job refusal',
    ]);
    list.push({ kind: 'mood', mood, ...moment(8000) });
  }
  if (dice.chance(0.1))
    list.push({ kind: 'emergency stop', sender: dice.whole(0, senders.length - 1), ...moment(6000) });
  return list;
}

/** Stops and restarts each process cleanly, one after the other. */
function rollingRestart(dice: Dice, processes: number, begin: number): Mishap[] {
  const everyMs = dice.between(500, 4000);
  return Array.from({ length: processes }, (_, process) => {
    return { kind: 'clean stop', process, at: begin + process * everyMs, forMs: dice.between(50, 3000) };
  });
}

/** Moves a lane during an open claim: its owner cannot renew the lease, and is frozen in the claim. */
function takeoverDuringClaim(dice: Dice, at: number): Mishap[] {
  const [step, until] = dice.pick(TAKEOVERS_DURING_CLAIMS);
  const claimAt = at + dice.between(1200, 2200);
  return [
    { kind: 'slow statement', process: OWNER, step: 'RENEW_LANE', at, forMs: dice.between(3500, 6000) },
    { kind: 'freeze', process: OWNER, step, at: claimAt, forMs: dice.pick([2900, 2900, 5000]), until },
  ];
}
