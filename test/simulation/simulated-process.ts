import { noLaterMessages } from '../fakes/no-later-messages';
import { noKnownNumbers } from '../fakes/in-memory-known-numbers';
import { KnownNumbers } from '../../src/modules/groups/domain/known-numbers';
import { TierBudget } from '../../src/modules/sending/domain/tier-budget';
import type { TierBudgetStore } from '../../src/modules/sending/domain/tier-budget-store.port';
import type { AccountStore } from '../../src/modules/accounts/domain/account-store.port';
import { Plans } from '../../src/modules/accounts/domain/plans';
import { TrafficMarks } from '../../src/modules/accounts/domain/traffic-marks';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { MessageHistory } from '../../src/modules/messages/domain/message-history';
import { MessageStatuses } from '../../src/modules/messages/domain/message-statuses';
import type { StatusStore } from '../../src/modules/messages/domain/status-store.port';
import type { JobScheduleStore } from '../../src/modules/delivery/domain/job-schedule-store.port';
import { JobSchedules } from '../../src/modules/delivery/domain/job-schedules';
import type { JobWindowStore } from '../../src/modules/delivery/domain/job-window-store.port';
import { JobWindows } from '../../src/modules/delivery/domain/job-windows';
import type { JobStatusStore } from '../../src/modules/delivery/domain/job-status-store.port';
import { LaneDriver } from '../../src/modules/delivery/domain/lane-driver';
import type { LaneTelemetry } from '../../src/modules/delivery/domain/lane-telemetry';
import { type LaneLimits, LaneParts } from '../../src/modules/delivery/domain/lane-parts';
import { LaneQueue } from '../../src/modules/delivery/domain/lane-queue.port';
import type { LaneJobStore } from '../../src/modules/delivery/domain/lane-job-store.port';
import type { LaneLeases } from '../../src/modules/delivery/domain/lane-leases.port';
import { Claims } from '../../src/modules/delivery/domain/claims';
import { Recorder } from '../../src/modules/delivery/domain/recorder';
import { AfterRestore } from '../../src/modules/delivery/domain/after-restore';
import type { RestoredDatabase } from '../../src/modules/delivery/domain/restored-database.port';
import { JobStatuses } from '../../src/modules/delivery/domain/job-statuses';
import type { Identities } from '../../src/modules/platform-webhook/domain/identities';
import { StatusReports } from '../../src/modules/platform-webhook/domain/status-reports';
import type { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { InProcessRateLimiter } from '../../src/modules/sending/adapters/in-process-rate-limiter';
import type { MessageSender } from '../../src/modules/sending/domain/message-sender.port';
import { MarketingStops } from '../../src/modules/sending/domain/marketing-stops';
import { SendGateway } from '../../src/modules/sending/domain/send-gateway';
import type { RateLimiter } from '../../src/modules/sending/domain/rate-limiter.port';
import { SenderSignal } from '../../src/modules/sending/domain/sender-signal';
import { DirectSends } from '../../src/modules/sending/domain/direct-sends';
import { SendingService } from '../../src/modules/sending/domain/sending.service';
import { SingleSends, type SingleSendTimes } from '../../src/modules/sending/domain/single-sends';
import type { SingleSendStore } from '../../src/modules/sending/domain/single-send-store.port';
import { OptOutCheck } from '../../src/modules/sending/domain/opt-out-check';
import { TemplatesService } from '../../src/modules/templates/domain/templates.service';
import type { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import type { DeliveryStore } from '../../src/modules/events/domain/delivery-store.port';
import type { EventTelemetry } from '../../src/modules/events/domain/event-telemetry';
import { WebhookDeliveries } from '../../src/modules/events/domain/webhook-deliveries';
import type { WebhookSender } from '../../src/modules/events/domain/webhook-sender.port';
import type { UnitOfWork } from '../../src/kernel/unit-of-work';
import type { TemplatesInMemory } from '../fakes/templates-in-memory';
import { DatabaseError } from './history-database';
import type { IdentityStores } from './identity-stores';
import { identitiesOf, optOutsOf } from './process-identities';
import type { PeopleStores } from './people-stores';
import { type ObservationStores, ProcessObservation } from './process-observation';
import { ProcessPeople } from './process-people';
import { ProcessTime } from './process-time';
import type { Life, ProcessClock } from './life';
import type { StatusNotice } from './simulated-platform';

const START_RETRY_MS = 300;
/** Its accounts have the plan of the in-memory stores. */
const PLANS = new Plans({ Pro: { requestsPerSecond: 1, burst: 1, maxRowsPerFile: 1 } });

/** The parts of a process that differ between histories, and that planted bugs replace. */
export interface ProcessParts {
  life: Life;
  clock: ProcessClock;
  unitOfWork: UnitOfWork;
  laneLeases: LaneLeases;
  laneJobStore: LaneJobStore;
  tierStore: TierBudgetStore;
  singleSendStore: SingleSendStore;
  messageHistory: MessageHistory;
  statusStore: StatusStore;
  jobStatusStore: JobStatusStore;
  jobScheduleStore: JobScheduleStore;
  /** Whether jobs have schedules; otherwise the process does not look for them. */
  hasSchedules: boolean;
  jobWindowStore: JobWindowStore;
  /** Whether jobs have send windows; otherwise the process does not look for closed ones. */
  hasWindows: boolean;
  messageSender: MessageSender;
  templates: TemplatesInMemory;
  readSender: (id: string) => Promise<Sender | null>;
  optedOut: (accountId: string, phones: readonly string[]) => Promise<Set<string>>;
  /** Null if the database cannot be restored. */
  restoredDatabase: RestoredDatabase | null;
  /** Null without webhook endpoints. */
  events: { store: DeliveryStore; sender: WebhookSender; audit: AuditLogService } | null;
  eventTelemetry: EventTelemetry;
  /** Null if no people manage jobs. */
  people: PeopleStores | null;
  /** Null if people have numbers only. */
  identities: IdentityStores | null;
  /** Null if nothing is counted or streamed. */
  observation: ObservationStores | null;
  telemetry: LaneTelemetry;
  limits: LaneLimits;
  times: SingleSendTimes;
  /** Shared by all processes; null: only the owner of a lane sends. */
  sharedPace: RateLimiter | null;
  wakeUp: (senderId: string) => void;
  /** Replaces the recorder's unit of work. */
  recorderUnitOfWork?: UnitOfWork;
}

/** For histories without a restore. */
const UNCHANGED = { check: () => Promise.resolve(true) } as Partial<AfterRestore> as AfterRestore;

const NO_IDENTITIES = {
  link: () => Promise.resolve(),
  join: () => Promise.resolve(),
} as Partial<Identities> as Identities;

/** The domain code of one process, wired like the application. */
export class SimulatedProcess {
  readonly driver: LaneDriver;
  readonly recorder: Recorder;
  readonly singles: SingleSends;
  readonly sending: SendingService;
  /** Null if no people manage jobs. */
  readonly people: ProcessPeople | null;
  /** Null if nothing is counted or streamed. */
  readonly observation: ProcessObservation | null;
  readonly optOuts: OptOutsService;
  readonly identities: Identities;
  /** Null without requests of people: the machine's clock then shows that no lane depends on it. */
  private readonly time: ProcessTime | null;
  /** Whether it has checked for a restore. */
  private isSafe = false;
  private readonly afterRestore: AfterRestore | null;
  private readonly schedules: JobSchedules;
  private readonly windows: JobWindows;
  private readonly deliveries: WebhookDeliveries | null;
  private readonly statuses: StatusReports;
  private readonly queue: RemoteQueue;

  constructor(readonly parts: ProcessParts) {
    const { telemetry, messageHistory: history, times, unitOfWork } = parts;
    this.time = parts.people && new ProcessTime(parts.people.readTime, parts.clock);
    const clock = this.time?.clock ?? parts.clock;
    const { laneLeases: leases, laneJobStore: jobs } = parts;
    const signal = new SenderSignal();
    this.queue = new RemoteQueue(parts.wakeUp);
    signal.onRunnable((senderId) => this.queue.wake(senderId));
    const accounts = {
      sender: parts.readSender,
      sendersById: async (ids: readonly string[]) =>
        (await Promise.all(ids.map(parts.readSender))).flatMap((sender) => sender ?? []),
      sendersOf: async (id: string) => [(await parts.readSender(id)) ?? []].flat(),
    } as Partial<AccountStore> as AccountStore;
    const senders = new SendersService(accounts, clock);
    const templates = new TemplatesService(parts.templates, senders, clock);
    const ownPace = new InProcessRateLimiter(clock, {
      alone: false,
      laneWaitMs: 500,
      requestLane: (senderId) => signal.runnable(senderId),
    });
    const { identities } = parts;
    const optOuts = identities ? optOutsOf(identities, { clock, unitOfWork }) : optOutsByNumber(parts);
    this.optOuts = optOuts;
    const stops = new MarketingStops(optOuts, history);
    const sendGateway = new SendGateway(
      parts.sharedPace ?? ownPace,
      parts.messageSender,
      clock,
      stops,
      new TrafficMarks(),
      senders,
    );
    const optOutCheck = new OptOutCheck(optOuts, templates, noLaterMessages());
    const numbers = identities ? new KnownNumbers(identities.numbers) : noKnownNumbers();
    const tier = new TierBudget(parts.tierStore, unitOfWork, numbers);
    this.recorder = new Recorder(
      ...([parts.recorderUnitOfWork ?? unitOfWork, jobs, history, tier, clock, telemetry] as const),
    );
    this.singles = new SingleSends(unitOfWork, parts.singleSendStore, history, times, tier, optOutCheck, clock);
    this.afterRestore =
      parts.restoredDatabase && new AfterRestore(parts.restoredDatabase, this.singles, unitOfWork, clock, telemetry);
    const direct = new DirectSends(clock, senders, history, this.singles, sendGateway, signal);
    this.sending = new SendingService(senders, templates, numbers, direct, clock);
    this.schedules = new JobSchedules(parts.jobScheduleStore, telemetry, signal, clock);
    this.windows = new JobWindows(parts.jobWindowStore, telemetry, signal, clock);
    const { events, jobStatusStore, people } = parts;
    this.people =
      people &&
      new ProcessPeople({
        ...{ stores: people, jobStatusStore, unitOfWork, clock, signal, senders, templates, times, telemetry },
        ...{ numbers, contact: identities?.contact ?? null },
      });
    this.deliveries =
      events &&
      new WebhookDeliveries(
        ...([events.store, events.sender, events.audit, PLANS, unitOfWork, clock, parts.eventTelemetry] as const),
      );
    this.identities = identities
      ? identitiesOf(identities, optOuts, { clock, unitOfWork, senders, tier })
      : NO_IDENTITIES;
    const statuses = new JobStatuses(jobStatusStore, this.recorder, signal, unitOfWork, clock, telemetry);
    this.observation =
      parts.observation && new ProcessObservation({ stores: parts.observation, statuses, clock, telemetry });
    this.statuses = new StatusReports(
      unitOfWork,
      statuses,
      this.singles,
      new MessageStatuses(parts.statusStore, clock),
      this.identities,
      stops,
    );
    this.driver = new LaneDriver(
      new LaneParts(
        unitOfWork,
        leases,
        new Claims(unitOfWork, leases, jobs, this.singles, optOutCheck, tier),
        jobs,
        ...([this.recorder, this.singles, senders, templates, sendGateway, clock, telemetry] as const),
        parts.limits,
        this.afterRestore ?? UNCHANGED,
      ),
      this.queue,
    );
  }

  get life(): Life {
    return this.parts.life;
  }

  /** Whether it serves requests. */
  get isReady(): boolean {
    return this.isSafe && this.time?.isRead !== false;
  }

  /** Starts like the service: a restored database is made safe before lanes and requests run. */
  async start(): Promise<void> {
    if (this.afterRestore) await this.makeSafe(this.afterRestore);
    this.isSafe = true;
    this.time?.start();
    if (this.parts.hasSchedules) this.schedules.start();
    if (this.parts.hasWindows) this.windows.start();
    this.deliveries?.start();
    this.people?.start();
    this.observation?.start();
    this.driver.start();
  }

  /** Stops cleanly, like the service. */
  async stop(): Promise<void> {
    const rounds = [this.schedules.stop(), this.windows.stop()];
    const optional = [this.deliveries?.stop(), this.people?.stop(), this.observation?.stop(), this.time?.stop()];
    await Promise.all([...rounds, ...optional, this.driver.stop()]);
  }

  /** Wakes this process. */
  receiveWakeUp(senderId: string): void {
    this.queue.handler(senderId);
  }

  /** Applies a status like the webhook; resolves once it is stored. */
  async receiveStatus({ flight, platformMessageId, word, recipient }: StatusNotice): Promise<void> {
    const { callbackData, sender } = flight;
    const problem = { code: 'undelivered', message: 'Not delivered.', platformCode: 131026 };
    await this.statuses.apply([
      {
        ...{ accountId: sender.accountId, senderId: sender.id, platformMessageId, status: word, callbackData },
        at: this.parts.clock.now(),
        problem: word === 'failed' ? problem : null,
        recipient,
        scope: word === 'failed' ? 'recipient' : null,
      },
    ]);
  }

  /** Retries a failed start. */
  private async makeSafe(afterRestore: AfterRestore): Promise<void> {
    for (;;) {
      try {
        return void (await afterRestore.run(null));
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        await this.parts.clock.sleep(START_RETRY_MS);
      }
    }
  }
}

/** Opt-outs if people have numbers only. */
function optOutsByNumber({ optedOut }: ProcessParts): OptOutsService {
  const scopesByPerson: OptOutsService['scopesByPerson'] = async (accountId, people) =>
    new Map([...(await optedOut(accountId, people))].map((person) => [person, 'All']));
  return { scopesByPerson } as Partial<OptOutsService> as OptOutsService;
}

/** A queue whose wake-ups go out to the world and come back from there. */
class RemoteQueue extends LaneQueue {
  handler: (senderId: string) => void = () => undefined;

  constructor(private readonly send: (senderId: string) => void) {
    super();
  }

  wake(senderId: string): void {
    this.send(senderId);
  }

  onWake(handler: (senderId: string) => void): void {
    this.handler = handler;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
