import { noLaterMessages } from './no-later-messages';
import { noKnownNumbers } from './in-memory-known-numbers';
import { uuidV7 } from '../../src/kernel/uuid';
import type { AccountStore } from '../../src/modules/accounts/domain/account-store.port';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { TrafficMarks } from '../../src/modules/accounts/domain/traffic-marks';
import { MessageHistory } from '../../src/modules/messages/domain/message-history';
import type { AfterRestore } from '../../src/modules/delivery/domain/after-restore';
import { InProcessLaneQueue } from '../../src/modules/delivery/adapters/in-process-lane-queue';
import { LaneDriver } from '../../src/modules/delivery/domain/lane-driver';
import { LaneTelemetry } from '../../src/modules/delivery/domain/lane-telemetry';
import { LaneParts, PlatformConnections } from '../../src/modules/delivery/domain/lane-parts';
import { Claims } from '../../src/modules/delivery/domain/claims';
import { Recorder } from '../../src/modules/delivery/domain/recorder';
import { InProcessRateLimiter } from '../../src/modules/sending/adapters/in-process-rate-limiter';
import type { Answer } from '../../src/modules/sending/domain/answer';
import { MessageSender } from '../../src/modules/sending/domain/message-sender.port';
import type { OutgoingContent, OutgoingMessage } from '../../src/modules/sending/domain/outgoing-message';
import type { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { MarketingStops } from '../../src/modules/sending/domain/marketing-stops';
import { SendGateway } from '../../src/modules/sending/domain/send-gateway';
import { TierBudget } from '../../src/modules/sending/domain/tier-budget';
import { SingleSends } from '../../src/modules/sending/domain/single-sends';
import { OptOutCheck } from '../../src/modules/sending/domain/opt-out-check';
import { TemplatesService } from '../../src/modules/templates/domain/templates.service';
import { EngineSendingTables } from '../support/sending-tables';
import type { JobRow, MessageRow, RecipientRow } from './engine-rows';
import { FakeClock } from './fake-clock';
import { EngineDatabase, storeTerms } from './engine-database';
import { SimulatedLaneJobStore } from '../simulation/simulated-lane-job-store';
import { SimulatedLaneLeases } from '../simulation/simulated-lane-leases';
import { SimulatedMessageStore } from '../simulation/simulated-message-store';
import { SimulatedSingleSendStore } from '../simulation/simulated-single-send-store';
import { SimulatedTierStore } from '../simulation/simulated-tier-store';
import { platformTemplate, TemplatesInMemory } from './templates-in-memory';

const GIVE_UP_MS = 35_000;
const STEP_MS = 10;
const LONGEST_STEP_MS = 250;

/** A request that reached the platform. */
export interface Arrival {
  to: string;
  at: number;
  callbackData: string;
  content: OutgoingContent;
}

/** The platform: records every request and answers on demand. */
class PlatformInMemory extends MessageSender {
  readonly arrivals: Arrival[] = [];
  latencyMs = 20;
  /** How long a request waits for a connection. */
  departureMs = 0;
  /** The answer to a request; `nth` counts the requests for the same person from 1. */
  answer: (to: string, nth: number) => Answer = () => accepted();

  constructor(private readonly clock: FakeClock) {
    super();
  }

  async send(_sender: Sender, { to, content, callbackData, canStillSend }: OutgoingMessage): Promise<Answer> {
    if (this.departureMs > 0) await this.clock.sleep(this.departureMs);
    if (!canStillSend()) return { kind: 'not_sent', reason: 'withdrawn' };
    this.arrivals.push({ to, at: this.clock.monotonic(), callbackData, content });
    const answer = this.answer(to, this.arrivalsOf(to).length);
    await this.clock.sleep(this.latencyMs);
    return answer;
  }

  arrivalsOf(to: string): Arrival[] {
    return this.arrivals.filter((arrival) => arrival.to === to);
  }
}

/** An acceptance. */
export function accepted(): Answer {
  return { kind: 'accepted', platformMessageId: `wamid.${uuidV7()}` };
}

/** A sending process with its own clock, which stops while the process is frozen. */
export class EngineProcess {
  readonly clock = new FakeClock();
  readonly driver: LaneDriver;
  readonly queue = new InProcessLaneQueue();
  readonly telemetry: string[] = [];
  frozen = false;

  constructor(owner: string, engine: EngineInMemory, exclusive: boolean) {
    const { database } = engine;
    const history = new MessageHistory(new SimulatedMessageStore(database));
    const terms = storeTerms(owner, exclusive);
    const leases = new SimulatedLaneLeases(database, terms);
    const jobs = new SimulatedLaneJobStore(database, terms);
    const telemetry = telemetryInto(this.telemetry);
    const times = { giveUpAfterMs: GIVE_UP_MS, graceMs: terms.graceMs };
    const tier = new TierBudget(new SimulatedTierStore(database, terms.tierWindowMs), database, noKnownNumbers());
    const optOuts = optOutsIn(database);
    const senders = new SendersService(engine.senders, this.clock);
    const templates = new TemplatesService(engine.templates, senders, this.clock);
    const optOutCheck = new OptOutCheck(optOuts, templates, noLaterMessages());
    const waiting = new SimulatedSingleSendStore(database);
    const singles = new SingleSends(database, waiting, history, times, tier, optOutCheck, this.clock);
    const requestLane = (senderId: string): void => this.queue.wake(senderId);
    const pace = new InProcessRateLimiter(this.clock, { alone: exclusive, laneWaitMs: 500, requestLane });
    const parts = new LaneParts(
      database,
      leases,
      new Claims(database, leases, jobs, singles, optOutCheck, tier),
      jobs,
      new Recorder(database, jobs, history, tier, this.clock, telemetry),
      singles,
      senders,
      templates,
      new SendGateway(
        pace,
        engine.platform,
        this.clock,
        new MarketingStops(optOuts, history),
        new TrafficMarks(),
        senders,
      ),
      this.clock,
      telemetry,
      { maxLanes: 10, connections: new PlatformConnections(512), terms: exclusive ? 'exclusive' : 'renewed' },
      engine.afterRestore,
    );
    this.driver = new LaneDriver(parts, this.queue);
  }
}

/** The sending engine in memory, with any number of processes on a common time. */
export class EngineInMemory {
  readonly clock = new FakeClock();
  readonly database = new EngineDatabase(this.clock);
  readonly tables = new EngineSendingTables(this.database.server);
  readonly platform = new PlatformInMemory(this.clock);
  readonly templates = new TemplatesInMemory();
  readonly processes: EngineProcess[] = [];
  /** Whether the database is still the known one, and how often a lane detected that it was rolled back. */
  readonly watch = { isSame: true, lostTransactions: 0 };
  readonly afterRestore = {
    check: () => Promise.resolve(this.watch.isSame),
    lostTransactions: () => Promise.resolve(void this.watch.lostTransactions++),
  } as Partial<AfterRestore> as AfterRestore;
  sender: Sender = {
    id: this.tables.senderId,
    accountId: this.tables.accountId,
    phoneNumberId: '1',
    businessAccountId: '2',
    displayPhoneNumber: null,
    messagesPerSecond: 80,
    messagingTier: 'Unlimited',
    accessToken: 'token',
    appSecret: 'secret',
    marketingMessagesApi: false,
    businessPortfolioId: null,
    portfolioId: '2',
    sendingPaused: false,
    isDeleted: false,
    isAccountDeleted: false,
    defaultCountry: null,
    templatesSyncedAt: null,
    ...{ limitsReadAt: null, qualityRating: null, tokenProblem: null, lastAcceptedAt: null, lastReportedAt: null },
  };
  readonly senders = {
    // Added senders are copies of the first one.
    sender: (id: string) => Promise.resolve({ ...this.sender, id }),
    sendersById: (ids: readonly string[]) => Promise.resolve(ids.map((id) => ({ ...this.sender, id }))),
  } as unknown as AccountStore;

  constructor() {
    this.tables.revisionId = this.templates.put(this.tables.accountId, platformTemplate('promo')).revisionId;
  }

  start(owner = 'first', exclusive = false): EngineProcess {
    const process = new EngineProcess(owner, this, exclusive);
    this.processes.push(process);
    process.driver.start();
    return process;
  }

  /** A job with this many recipients, starting at the number of the given position. */
  addJob(...job: Parameters<EngineSendingTables['addJob']>): Promise<string> {
    return this.tables.addJob(...job);
  }

  /** A single message waiting for the lane: a template, or a text reply. */
  async addSingle(phone: string, text?: string): Promise<string> {
    const id = await this.tables.addSingle({
      retryAt: this.clock.now(),
      validUntil: new Date(this.clock.now().getTime() + 86_400_000),
    });
    const message = {
      id,
      accountId: this.tables.accountId,
      senderId: this.tables.senderId,
      contactPhone: phone,
      contactUserId: null,
      reference: null,
      jobId: null,
      rowNumber: null,
      status: 'Queued' as const,
      problem: null,
      platformMessageId: null,
      createdAt: this.clock.now(),
      ...{ sentAt: null, deliveredAt: null, readAt: null, failedAt: null },
    };
    const template = { templateName: 'promo', languageCode: 'de', revisionId: this.tables.revisionId };
    const row: MessageRow =
      text === undefined
        ? { ...message, type: 'Template', ...template, parameters: ['Mira'], extras: null }
        : { ...message, type: 'Text', content: { text } };
    this.database.server.messages.put(id, row);
    return id;
  }

  /** Advances the time of everything except frozen processes. */
  async advance(ms: number): Promise<void> {
    for (let left = ms; left > 0;) {
      const step = Math.min(left, this.step());
      left -= step;
      for (const { clock, frozen } of this.processes) {
        if (frozen) clock.jump(step);
        else await clock.advance(step);
      }
      await this.clock.advance(step);
    }
  }

  /** Advances the time until `done`; returns the elapsed milliseconds, throws after `ms`. */
  async until(done: () => boolean, ms: number): Promise<number> {
    const begun = this.clock.monotonic();
    await this.clock.advance(0);
    while (!done()) {
      if (this.clock.monotonic() - begun >= ms) throw new Error(`Not so after ${ms} ms`);
      await this.advance(this.step());
    }
    return this.clock.monotonic() - begun;
  }

  /** Skips to the next event, at least a minimal step. */
  private step(): number {
    const awake = [this.clock, ...this.processes.filter(({ frozen }) => !frozen).map(({ clock }) => clock)];
    return Math.min(LONGEST_STEP_MS, Math.max(STEP_MS, Math.min(...awake.map((clock) => clock.untilNextWake))));
  }

  job(id: string): JobRow {
    return this.database.server.jobs.row(id).committed!;
  }

  recipients(jobId: string): RecipientRow[] {
    return this.database.server.recipientsOf(jobId).map(({ committed }) => committed!);
  }

  isDone(jobId: string): boolean {
    return this.job(jobId).completedAt !== null;
  }

  /** Stops every process and waits for it. */
  async stop(): Promise<void> {
    const stopping = Promise.all(this.processes.map(({ driver }) => driver.stop()));
    let stopped = false;
    void stopping.then(() => (stopped = true));
    await this.until(() => stopped, 60_000);
  }
}

function telemetryInto(lines: string[]): LaneTelemetry {
  return {
    taken: (_sender, epoch) => lines.push(`taken ${epoch}`),
    left: (_sender, lost) => lines.push(lost ? 'lost' : 'left'),
    throttled: (_sender, throttle) => lines.push(`throttled ${throttle?.reason ?? 'no more'}`),
    held: () => lines.push('held'),
    closed: () => lines.push('closed'),
    due: () => lines.push('due'),
    waitsForUnknown: (_job, until) => lines.push(`waits for unknown outcomes until ${until.toISOString()}`),
    stopped: (_job, { final, reason }) => lines.push(`${final ? 'failed' : 'paused'} ${reason}`),
    resumed: () => lines.push('resumed'),
    ended: () => lines.push('ended'),
    repaired: () => lines.push('repaired'),
    recorded: () => undefined,
    notRecorded: (error) => lines.push(`failed to record ${(error as Error).message}`),
    lostTransactions: () => lines.push('went back'),
    failed: (_sender, error) => lines.push(`failed ${(error as Error).message}`),
  };
}

/** The opt-outs of the tables; in memory there are no marketing-only opt-outs. */
export function optOutsIn(database: EngineDatabase): OptOutsService {
  const scopesByPerson: OptOutsService['scopesByPerson'] = (accountId, people) => {
    const isOut = (person: string): boolean => database.server.optOuts.has(`${accountId} ${person}`);
    return Promise.resolve(new Map(people.filter(isOut).map((person) => [person, 'All'])));
  };
  return { scopesByPerson } as Partial<OptOutsService> as OptOutsService;
}
