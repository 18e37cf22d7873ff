import { EVENT_TYPES, type EventType } from '../../src/modules/events/domain/event';
import { Dice } from './dice';
import type { Mishap, Plan } from './plan';

/** Failure rates of an endpoint until everything is healed. */
export interface ReceiverFaults {
  /** It responds with 500, or not at all. */
  refused: number;
  silent: number;
  /** It accepts the body, but its response is lost. */
  answerLost: number;
}

/** A client's action on an endpoint. */
export type EndpointAction = 'disable' | 'enable' | 'remove' | 'replay';

/** A webhook endpoint of a history. */
export interface PlannedEndpoint {
  /** The sender whose events it receives. */
  sender: number;
  events: readonly EventType[];
  maxEvents: number;
  latencyMs: number;
  faults: ReceiverFaults;
  /** It fails every POST during this time. */
  outage: { at: number; forMs: number } | null;
  /** From this time on it responds with 410. */
  goneAt: number | null;
  actions: { at: number; action: EndpointAction }[];
}

const JOB_EVENTS = EVENT_TYPES.filter((type) => type.startsWith('job.'));
/** Steps of deliveries at which a process is killed or frozen: before each, and after it (`!`). */
const STEPS = [
  ...['LEASE_ENDPOINTS', 'LEASE_ENDPOINTS!', 'RENEW_ENDPOINTS', 'DUE_EVENTS!', 'STEP_REPLAY!', 'FINISH_EVENTS'],
  ...['FINISH_EVENTS!', 'RELEASE_ENDPOINT', 'DISABLE_ENDPOINT!', 'POST_EVENT', 'POST_EVENT!'],
];

/** Adds webhook endpoints to some histories. Uses its own dice, so that other histories stay unchanged. */
export function withEndpoints(plan: Plan, share: number): Plan {
  const dice = new Dice(plan.seed ^ 0xe_4d);
  if (!dice.chance(share) || plan.restore) return plan;
  const endpoints = Array.from({ length: dice.pick([1, 1, 2, 3]) }, () => plannedEndpoint(dice, plan));
  const mishaps = [...plan.mishaps, ...crashes(dice, plan), ...refusals(dice, plan)];
  return { ...plan, endpoints, mishaps, webhookUpkeepAt: dice.between(0, plan.healedAt) };
}

function plannedEndpoint(dice: Dice, plan: Plan): PlannedEndpoint {
  const { healedAt, jobs } = plan;
  const isFaulty = dice.chance(0.5);
  const share = (most: number): number => (isFaulty && dice.chance(0.5) ? most * dice.next() : 0);
  const actions: PlannedEndpoint['actions'] = [];
  const at = dice.between(0, healedAt);
  if (dice.chance(0.3)) {
    actions.push({ at, action: 'disable' }, { at: at + dice.between(200, 12_000), action: 'enable' });
  } else if (dice.chance(0.25)) actions.push({ at, action: 'remove' });
  if (dice.chance(0.4)) actions.push({ at: healedAt * dice.between(0.3, 1), action: 'replay' });
  return {
    sender: dice.pick(jobs).sender,
    events: dice.chance(0.3) ? JOB_EVENTS : EVENT_TYPES,
    maxEvents: dice.pick([1, 1, 4]),
    latencyMs: dice.pick([5, 50, 400, 1500]),
    faults: { refused: share(0.3), silent: share(0.05), answerLost: share(0.2) },
    outage: dice.chance(0.2) ? { at: dice.between(0, healedAt), forMs: dice.between(500, 8000) } : null,
    goneAt: dice.chance(0.06) ? dice.between(0, healedAt) : null,
    actions,
  };
}

/** Kills or freezes processes between the statements of their deliveries. */
function crashes(dice: Dice, { weather, processes, healedAt }: Plan): Mishap[] {
  if (weather !== 'crashes' && weather !== 'everything') return [];
  return Array.from({ length: dice.whole(1, 3) }, (): Mishap => {
    const kind = dice.pick(['kill', 'freeze', 'freeze'] as const);
    const at = dice.between(0, healedAt);
    const forMs = dice.between(50, dice.pick([2900, 9000, 15_000]));
    return { kind, process: dice.whole(0, processes - 1), step: dice.pick(STEPS), at, forMs };
  });
}

/** Refuses the results of one process, whose reads and renewals succeed. */
function refusals(dice: Dice, { weather, processes, healedAt }: Plan): Mishap[] {
  if ((weather !== 'database' && weather !== 'everything') || dice.chance(0.5)) return [];
  const forMs = dice.between(1000, 15_000);
  return [{ kind: 'results refused', process: dice.whole(0, processes - 1), at: dice.between(0, healedAt / 2), forMs }];
}
