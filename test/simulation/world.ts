import type { RateLimiter } from '../../src/modules/sending/domain/rate-limiter.port';
import { InProcessRateLimiter } from '../../src/modules/sending/adapters/in-process-rate-limiter';
import { MessageHistory } from '../../src/modules/messages/domain/message-history';
import { PlatformConnections } from '../../src/modules/delivery/domain/lane-parts';
import type { LaneTelemetry } from '../../src/modules/delivery/domain/lane-telemetry';
import type { EventTelemetry } from '../../src/modules/events/domain/event-telemetry';
import type { PlatformTemplate } from '../../src/modules/templates/domain/template';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import { platformTemplate, TemplatesInMemory } from '../fakes/templates-in-memory';
import { ClockChecks } from './clock-checks';
import { CommitChecks } from './commit-checks';
import { Dice } from './dice';
import { chainOf } from '../../src/infra/error-chain';
import { DatabaseError, type DatabaseLink, type HistoryDatabase, type StoreTerms } from './history-database';
import { Life, ProcessClock } from './life';
import { DeliveryChecks } from './delivery-checks';
import { LossChecks } from './loss-checks';
import { PaceChecks } from './pace-checks';
import { PeopleChecks } from './people-checks';
import { PersonChecks } from './person-checks';
import { LAST_START_MS, type Plan, type Scale, SINGLE_VALID_SECONDS, type Weather } from './plan';
import { PromiseBroken } from './promise-broken';
import { Scheduler } from './scheduler';
import { SimulatedDatabase } from './simulated-database';
import { type Flight, PlatformLink, SimulatedPlatform, type StatusNotice } from './simulated-platform';
import { ReceiverLink, SimulatedReceiver } from './simulated-receiver';
import { type ProcessParts, SimulatedProcess } from './simulated-process';
import { TierChecks } from './tier-checks';
import { WindowChecks } from './window-checks';
import { Witness } from './witness';

/** Replaces parts of a process: a planted bug. */
export type Sabotage = (parts: ProcessParts, tools: { link: DatabaseLink; terms: StoreTerms }) => Partial<ProcessParts>;

/** A planted bug, with the promises that it breaks. */
export interface PlantedBug {
  bug: string;
  sabotage: Sabotage;
  breaks: readonly string[];
  /** The scale of histories in which it shows more often. */
  scale?: Partial<Scale>;
}

const TEMPLATE = 'promo';
/** Smaller than most jobs, so that proofs read them in several statements. */
const PROOF_RANGE = 7;
/** Time within which a process detects a disabled or deleted endpoint if the database responds. */
const CLOSES_WITHIN_MS = 2000;
/** Time within which lost transactions are noticed; elsewhere the database may not respond to the sweeps. */
const NOTICED_WITHIN_MS: Partial<Record<Weather, number>> = { calm: 3000, platform: 3000, crashes: 8000 };

/** The simulated environment of the domain code: processes, database, queue, platform and time, all from one seed. */
export class World {
  readonly scheduler: Scheduler;
  readonly dice: Dice;
  readonly server: HistoryDatabase;
  readonly commits: CommitChecks;
  readonly witness: Witness;
  /** Null if no transactions get lost. */
  readonly losses: LossChecks | null;
  readonly platform: SimulatedPlatform;
  readonly receiver: SimulatedReceiver;
  /** Null without webhook endpoints. */
  readonly deliveries: DeliveryChecks | null;
  readonly senders: Sender[];
  /** The addressee of each single send. */
  readonly addressees = new Map<string, string>();
  /** Null if no people manage jobs. */
  readonly people: PeopleChecks | null;
  /** Null if people have numbers only. */
  readonly persons: PersonChecks | null;
  readonly processes: (SimulatedProcess | null)[] = [];
  readonly links: DatabaseLink[] = [];
  /** The first broken promise. */
  broken: PromiseBroken | null = null;
  healed = false;
  private readonly templates = new TemplatesInMemory();
  private readonly revisions = new Map<string, string>();
  private readonly sharedPace: RateLimiter | null;
  private readonly tierChecks: TierChecks | null;
  private readonly paceChecks: PaceChecks;
  private readonly clocks: ClockChecks;
  /** Null without send windows. */
  readonly windows: WindowChecks | null;
  private generation = 0;

  constructor(
    readonly plan: Plan,
    readonly trace: (line: () => string) => void,
    private readonly sabotage: Sabotage = () => ({}),
    databaseAt: (scheduler: Scheduler) => HistoryDatabase = (scheduler) => new SimulatedDatabase(scheduler),
  ) {
    this.scheduler = new Scheduler(plan.begin);
    this.server = databaseAt(this.scheduler);
    this.people = plan.people && new PeopleChecks(this.server, plan.people.dayMs);
    this.windows = hasWindows(plan) ? new WindowChecks(this.server, (look) => this.guard(look), plan.healedAt) : null;
    this.clocks = new ClockChecks(this.server, (look) => this.guard(look), {
      calmFrom: plan.weather === 'calm' && plan.restore === null ? LAST_START_MS : null,
      singleValidMs: plan.people && SINGLE_VALID_SECONDS * 1000,
    });
    this.commits = new CommitChecks(this.server, plan.weather === 'restarts', plan.people !== null);
    this.dice = new Dice(plan.seed ^ 0x5eed);
    this.losses = plan.restore?.isLive
      ? new LossChecks(this.server, this.server.backup!, NOTICED_WITHIN_MS[plan.weather] ?? Infinity)
      : null;
    this.witness = new Witness(this.server, this.commits, trace, plan.timeoutMs, this.losses);
    this.server.onCommit = (owner, changes) =>
      this.guard(() => {
        this.witness.committed(owner, changes);
        this.tierChecks?.check(changes);
        this.people?.committed(owner, changes);
        this.persons?.committed(changes);
        this.windows?.committed(changes);
        this.clocks.committed(changes);
      });
    const witness = {
      departed: (flight: Flight) =>
        this.guard(() => {
          this.witness.departed(flight);
          this.paceChecks.departed(flight);
          this.people?.departed(flight);
          this.persons?.departed(flight);
        }),
      accepted: (...args: Parameters<Witness['accepted']>) => this.guard(() => this.witness.accepted(...args)),
      answered: (...args: Parameters<Witness['answered']>) => this.guard(() => this.witness.answered(...args)),
    };
    this.platform = new SimulatedPlatform(this.scheduler, this.dice, witness, new Map(), plan.timeoutMs);
    this.platform.faults = plan.platform;
    const { webhooks } = this.server;
    const isReadable = ['calm', 'platform', 'restarts'].includes(plan.weather);
    const closesWithinMs = isReadable ? CLOSES_WITHIN_MS : undefined;
    this.deliveries = webhooks && new DeliveryChecks(webhooks, closesWithinMs);
    this.receiver = new SimulatedReceiver(this.scheduler, this.dice, {
      departed: (...args) => this.guard(() => this.deliveries!.departed(...args)),
      arrived: (...args) => this.guard(() => this.deliveries!.arrived(...args)),
    });
    this.senders = plan.senders.map(({ messagesPerSecond }, index) => {
      const sender = senderAt(index, messagesPerSecond);
      return plan.tier ? withTier(sender, plan.tier) : sender;
    });
    this.paceChecks = new PaceChecks(() => this.scheduler.now, isReadable);
    for (const { id, messagesPerSecond } of this.senders) this.paceChecks.changed(id, messagesPerSecond);
    this.tierChecks = plan.tier && new TierChecks(this.server, this.senders, plan.tier.windowMs, this.addressees);
    const template = platformTemplate(TEMPLATE);
    for (const { accountId, businessAccountId } of this.senders) {
      const own = plan.persons ? withExtras(template) : template;
      const put = this.templates.put(accountId, own, undefined, businessAccountId);
      this.revisions.set(accountId, put.revisionId);
    }
    this.persons =
      plan.persons &&
      new PersonChecks(
        ...([this.server, plan.tier?.windowMs ?? null] as const),
        (accountId) => this.senders.find((sender) => sender.accountId === accountId)!.portfolioId,
      );
    const worldLife = new Life('world', this.scheduler, this.dice);
    this.sharedPace = plan.sharedPace
      ? new InProcessRateLimiter(new ProcessClock(worldLife, this.dice, 0), {
          alone: true,
          laneWaitMs: 0,
          requestLane: () => undefined,
        })
      : null;
  }

  /** Changes the pace of a sender. */
  setPace(index: number, messagesPerSecond: number): void {
    const sender = this.senders[index]!;
    this.senders[index] = { ...sender, messagesPerSecond };
    this.paceChecks.changed(sender.id, messagesPerSecond);
    this.trace(() => `person: ${sender.id} sends ${messagesPerSecond} a second`);
  }

  /** The template revision that an account sends. */
  revisionOf(accountId: string): string {
    return this.revisions.get(accountId)!;
  }

  /** Runs a check and keeps the first broken promise. */
  guard(look: () => void): void {
    try {
      look();
    } catch (error) {
      this.break(error);
    }
  }

  break(error: unknown): void {
    if (this.broken) return;
    const known = error instanceof PromiseBroken;
    this.broken = known ? error : new PromiseBroken('the simulation itself works', String((error as Error).stack));
    this.trace(() => `BROKEN ${this.broken!.message}`);
  }

  /** A process acknowledged a status that it received at `givenAt`. */
  acknowledged(notice: StatusNotice, givenAt: number): void {
    this.witness.acknowledged.push(notice);
    const { flight, recipient } = notice;
    if (recipient) this.guard(() => this.persons?.named(flight.sender.accountId, recipient, givenAt));
  }

  /** Processes that serve requests. */
  living(): SimulatedProcess[] {
    return this.processes.filter((process) => process?.life.alive && process.isReady) as SimulatedProcess[];
  }

  start(index: number): void {
    const { dice, plan, scheduler, server, trace } = this;
    const life = new Life(`p${index + 1}.${++this.generation}`, scheduler, dice);
    const clock = new ProcessClock(life, dice, dice.between(-plan.skewMs, plan.skewMs));
    const terms: StoreTerms = {
      ...{ owner: life.name, exclusive: plan.exclusive, graceMs: plan.graceMs },
      ...{ tierWindowMs: plan.tier?.windowMs ?? 0, dayMs: plan.people?.dayMs ?? 0 },
      proofRange: PROOF_RANGE,
    };
    const { link, messageStore, restoredDatabase, events, people, identities, ...stores } = server.connect(
      { life, dice, trace },
      terms,
    );
    if (!this.healed) link.faults = plan.database;
    const parts: ProcessParts = {
      ...{ life, clock, ...stores },
      messageHistory: new MessageHistory(messageStore),
      restoredDatabase: plan.restore && restoredDatabase,
      events: plan.endpoints.length > 0 && events ? { ...events, sender: new ReceiverLink(this.receiver, life) } : null,
      people: plan.people && people,
      identities: plan.persons && identities,
      eventTelemetry: this.eventTelemetryOf(life),
      messageSender: new PlatformLink(this.platform, life),
      templates: this.templates,
      readSender: (id) =>
        link.read('SENDER', () => this.senders.find((s) => s.id === id || s.accountId === id) ?? null),
      telemetry: this.telemetryOf(life),
      limits: {
        maxLanes: 10,
        connections: new PlatformConnections(512),
        terms: plan.exclusive ? 'exclusive' : 'renewed',
      },
      times: { giveUpAfterMs: plan.timeoutMs + 5000, graceMs: plan.graceMs },
      sharedPace: this.sharedPace,
      hasSchedules: plan.people !== null || plan.jobs.some(({ scheduledAt }) => scheduledAt !== null),
      hasWindows: this.windows !== null,
      wakeUp: (senderId) => this.wake(senderId),
    };
    const process = new SimulatedProcess({
      ...parts,
      ...this.sabotage(parts, { link, terms }),
    });
    this.processes[index] = process;
    this.links[index] = link;
    this.trace(() => `${life.name} starts`);
    scheduler.after(0, () => life.act(() => void process.start().catch((error: unknown) => this.break(error))));
  }

  kill(index: number): void {
    const process = this.processes[index];
    if (!process?.life.alive) return;
    this.trace(() => `${process.life.name} is killed`);
    process.life.killedAt = this.scheduler.now;
    process.life.end();
    this.server.disconnect(process.life);
  }

  /** Delivers a wake-up to some process, or loses it. */
  wake(senderId: string): void {
    const { dice, plan } = this;
    const { longestMs, lost, repeated } = plan.wakeUps;
    const times = dice.chance(lost) ? 0 : dice.chance(repeated) ? 2 : 1;
    for (let time = 0; time < times; time++) {
      this.scheduler.after(dice.between(0, longestMs), () => {
        const living = this.living();
        if (living.length === 0) return;
        const process = dice.pick(living);
        process.life.act(() => process.receiveWakeUp(senderId));
      });
    }
  }

  private eventTelemetryOf(life: Life): EventTelemetry {
    const note =
      (what: string) =>
      ({ id }: { id: string }): void =>
        this.trace(() => `${life.name}: ${id} ${what}`);
    return {
      attempted: () => undefined,
      unreachable: note('is unreachable'),
      recovered: note('is back'),
      disabled: note('is disabled'),
      failed: (error) => this.expected(error),
    };
  }

  /** Accepts errors of the database only. */
  expected(error: unknown): void {
    if (![...chainOf(error)].some((one) => one instanceof DatabaseError)) this.break(error);
  }

  private telemetryOf(life: Life): LaneTelemetry {
    const expected = (error: unknown): void => this.expected(error);
    const note = (line: string): void => this.trace(() => `${life.name}: ${line}`);
    return {
      taken: (senderId, epoch) => note(`has taken ${senderId}, epoch ${epoch}`),
      left: (senderId, lost) => note(`has ${lost ? 'lost' : 'left'} ${senderId}`),
      throttled: (senderId, throttle) => note(`${senderId} waits for ${throttle?.reason ?? 'nothing'}`),
      held: ({ id }) => note(`${id} is held by the messaging tier`),
      closed: ({ id }) => note(`${id} waits for its send window`),
      due: ({ id }) => {
        note(`${id} starts as scheduled`);
        this.guard(() => this.witness.startedAsScheduled(id));
      },
      waitsForUnknown: ({ id }) => note(`${id} waits for unknown outcomes`),
      stopped: ({ id }, { final, reason }) => note(`${id} ${final ? 'failed' : 'paused'}: ${reason}`),
      resumed: ({ id }) => note(`${id} resumes`),
      ended: ({ id }) => note(`${id} ended`),
      repaired: (job, proof) => {
        if (this.losses?.hasLost && proof.open > 0) return note(`${job.id} had lost outcomes`);
        this.break(new PromiseBroken('counters need no repair', `${job.id} ${JSON.stringify(proof)}`));
      },
      recorded: () => undefined,
      notRecorded: expected,
      lostTransactions: () => {
        if (this.losses?.hasLost) return note('has lost transactions');
        this.break(new PromiseBroken('no committed data disappears under a live process', life.name));
      },
      failed: (_senderId, error) => expected(error),
    };
  }
}

/** A UUID derived from its kind and numbers; sorts in their order. */
export function idOf(kind: number, ...numbers: number[]): string {
  const [first = 0, second = 0] = numbers;
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  return `0190${hex(kind, 4)}-${hex(first, 4)}-7000-8000-${hex(second, 12)}`;
}

/** Whether a job has a send window or gets one. */
function hasWindows({ jobs, people }: Plan): boolean {
  const steps = (people?.jobActions ?? []).flatMap(({ sequences }) => sequences).flatMap(({ steps }) => steps);
  return jobs.some(({ window }) => window !== null) || steps.some((step) => step.kind === 'change' && step.sendWindow);
}

/** A template whose header shows media and whose button has a payload. */
function withExtras(template: PlatformTemplate): PlatformTemplate {
  const buttons = [{ type: 'QuickReply' as const, text: 'Yes', url: null, phoneNumber: null }];
  return { ...template, components: { ...template.components, headerFormat: 'Image', buttons } };
}

/** A sender with a smaller messaging tier than the platform's: histories are short. */
function withTier(sender: Sender, { limit, isShared }: NonNullable<Plan['tier']>): Sender {
  const messagingTier = String(limit) as Sender['messagingTier'];
  return { ...sender, messagingTier, portfolioId: isShared ? 'shared' : sender.portfolioId };
}

/** Creates the sender of an index. */
export function senderAt(index: number, messagesPerSecond = 80): Sender {
  return {
    id: idOf(1, index),
    accountId: idOf(2, index),
    phoneNumberId: `number-${index}`,
    businessAccountId: `business-${index}`,
    displayPhoneNumber: null,
    messagesPerSecond,
    messagingTier: 'Unlimited',
    accessToken: 'token',
    appSecret: 'secret',
    marketingMessagesApi: false,
    businessPortfolioId: null,
    portfolioId: `business-${index}`,
    sendingPaused: false,
    isDeleted: false,
    isAccountDeleted: false,
    defaultCountry: null,
    templatesSyncedAt: null,
    ...{ limitsReadAt: null, qualityRating: null, tokenProblem: null, lastAcceptedAt: null, lastReportedAt: null },
  };
}
