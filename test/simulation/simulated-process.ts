import { TierBudget } from '../../src/modules/sending/domain/tier-budget.service';
import { UnlimitedTier } from '../fakes/unlimited-tier';
import type { AccountStore } from '../../src/modules/accounts/domain/account-store.port';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { MessageHistory } from '../../src/modules/chat-history/domain/message-history.service';
import { PlatformStatuses } from '../../src/modules/chat-history/domain/platform-statuses.service';
import type { StatusStore } from '../../src/modules/chat-history/domain/status-store.port';
import type { JobStatusStore } from '../../src/modules/delivery/domain/job-status-store.port';
import { LaneDriver } from '../../src/modules/delivery/domain/lane-driver';
import type { LaneJournal } from '../../src/modules/delivery/domain/lane-journal';
import { type LaneLimits, LaneParts } from '../../src/modules/delivery/domain/lane-parts';
import { LaneQueue } from '../../src/modules/delivery/domain/lane-queue.port';
import type { LaneStore } from '../../src/modules/delivery/domain/lane-store.port';
import { Recorder } from '../../src/modules/delivery/domain/recorder';
import { StatusSettlement } from '../../src/modules/delivery/domain/status-settlement.service';
import type { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { InProcessPace } from '../../src/modules/sending/adapters/in-process-pace';
import type { MessageSender } from '../../src/modules/sending/domain/message-sender.port';
import { MarketingStops } from '../../src/modules/sending/domain/marketing-stops.service';
import { Outlet } from '../../src/modules/sending/domain/outlet.service';
import type { Pace } from '../../src/modules/sending/domain/pace.port';
import { SenderSignal } from '../../src/modules/sending/domain/sender-signal';
import { DirectSends } from '../../src/modules/sending/domain/direct-sends.service';
import { SendingService } from '../../src/modules/sending/domain/sending.service';
import { SingleSendProofs } from '../../src/modules/sending/domain/single-send-proofs.service';
import { SingleSends, type SingleSendTimes } from '../../src/modules/sending/domain/single-sends.service';
import type { SingleSendStore } from '../../src/modules/sending/domain/single-send-store.port';
import { Willingness } from '../../src/modules/sending/domain/willingness.service';
import { TemplatesService } from '../../src/modules/templates/domain/templates.service';
import type { UnitOfWork } from '../../src/kernel/unit-of-work';
import type { TemplatesInMemory } from '../fakes/templates-in-memory';
import type { Life, ProcessClock } from './life';
import type { StatusNotice } from './simulated-platform';

/** What a process is made of, where histories and planted bugs differ. */
export interface ProcessParts {
  life: Life;
  clock: ProcessClock;
  unitOfWork: UnitOfWork;
  laneStore: LaneStore;
  singleSendStore: SingleSendStore;
  messageHistory: MessageHistory;
  statusStore: StatusStore;
  jobStatusStore: JobStatusStore;
  messageSender: MessageSender;
  templates: TemplatesInMemory;
  readSender: (id: string) => Promise<Sender | null>;
  optedOut: (accountId: string, phones: readonly string[]) => Promise<Set<string>>;
  journal: LaneJournal;
  limits: LaneLimits;
  times: SingleSendTimes;
  /** Shared by all processes, or null: then only the owner of a lane sends. */
  sharedPace: Pace | null;
  knock: (senderId: string) => void;
  /** The recorder's unit of work, where that is to differ. */
  recorderUnitOfWork?: UnitOfWork;
}

/** The domain code of one process, wired as the application wires it. */
export class SimulatedProcess {
  readonly driver: LaneDriver;
  readonly recorder: Recorder;
  readonly singles: SingleSends;
  readonly sending: SendingService;
  private readonly statuses: PlatformStatuses;
  private readonly queue: RemoteQueue;

  constructor(readonly parts: ProcessParts) {
    const { clock, journal, laneStore, messageHistory: history, times, unitOfWork } = parts;
    const signal = new SenderSignal();
    this.queue = new RemoteQueue(parts.knock);
    signal.onRunnable((senderId) => this.queue.knock(senderId));
    const accounts = { sender: parts.readSender, senderOf: parts.readSender } as Partial<AccountStore> as AccountStore;
    const senders = new SendersService(accounts, clock);
    const templates = new TemplatesService(parts.templates, clock);
    const ownPace = new InProcessPace(clock, {
      alone: false,
      laneWaitMs: 500,
      wantLane: (senderId) => signal.runnable(senderId),
    });
    const standing: OptOutsService['standing'] = async (accountId, people) =>
      new Map([...(await parts.optedOut(accountId, people))].map((person) => [person, 'All']));
    const optOuts = { standing } as Partial<OptOutsService> as OptOutsService;
    const stops = new MarketingStops(optOuts, history);
    const outlet = new Outlet(parts.sharedPace ?? ownPace, parts.messageSender, clock, stops);
    const willingness = new Willingness(optOuts, templates);
    const tier = new TierBudget(new UnlimitedTier(), unitOfWork);
    this.recorder = new Recorder(parts.recorderUnitOfWork ?? unitOfWork, laneStore, history, tier, clock, journal);
    this.singles = new SingleSends(unitOfWork, parts.singleSendStore, history, times, tier, willingness, clock);
    const direct = new DirectSends(
      ...([unitOfWork, clock, senders, willingness, history, this.singles, outlet, signal] as const),
    );
    this.sending = new SendingService(templates, direct, clock);
    this.statuses = new PlatformStatuses(unitOfWork, parts.statusStore, clock);
    const proofs = new SingleSendProofs(parts.singleSendStore, this.singles);
    this.statuses.onProofs((updates) => proofs.settle(updates));
    const settlement = new StatusSettlement(parts.jobStatusStore, this.recorder, signal, unitOfWork);
    this.statuses.onProofs((updates) => settlement.settle(updates));
    this.driver = new LaneDriver(
      new LaneParts(
        ...([laneStore, this.recorder, this.singles, senders, templates, outlet, clock, unitOfWork, journal] as const),
        parts.limits,
      ),
      this.queue,
    );
  }

  get life(): Life {
    return this.parts.life;
  }

  /** Somebody knocks at this process. */
  hear(senderId: string): void {
    this.queue.handler(senderId);
  }

  /** Takes a status in as the webhook does; resolves when it is kept. */
  async take({ flight, platformMessageId, word }: StatusNotice): Promise<void> {
    const { callbackData, sender } = flight;
    const problem = { code: 'undelivered', message: 'It did not arrive.', platformCode: 131026 };
    await this.statuses.apply([
      {
        ...{ accountId: sender.accountId, senderId: sender.id, platformMessageId, status: word, callbackData },
        at: this.parts.clock.now(),
        problem: word === 'failed' ? problem : null,
        stopsJob: false,
      },
    ]);
  }
}

/** A queue whose knocks go out to the world and come back from there. */
class RemoteQueue extends LaneQueue {
  handler: (senderId: string) => void = () => undefined;

  constructor(private readonly send: (senderId: string) => void) {
    super();
  }

  knock(senderId: string): void {
    this.send(senderId);
  }

  onKnock(handler: (senderId: string) => void): void {
    this.handler = handler;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
