import { knownSenders } from '../fakes/known-senders';
import { noLaterMessages } from '../fakes/no-later-messages';
import { noKnownNumbers } from '../fakes/in-memory-known-numbers';
import type { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { SystemClock } from '../../src/infra/system-clock';
import type { UnitOfWork } from '../../src/kernel/unit-of-work';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import { PostgresLaneJobStore } from '../../src/modules/delivery/adapters/postgres-lane-job-store';
import { PostgresLaneLeases } from '../../src/modules/delivery/adapters/postgres-lane-leases';
import type { LaneJob, LaneJobStore, LockedRecipients } from '../../src/modules/delivery/domain/lane-job-store.port';
import type { Epoch, LaneLeases } from '../../src/modules/delivery/domain/lane-leases.port';
import { Claims } from '../../src/modules/delivery/domain/claims';
import { LaneJobs } from '../../src/modules/delivery/domain/lane-jobs';
import { type LaneParts, PlatformConnections } from '../../src/modules/delivery/domain/lane-parts';
import { Lease } from '../../src/modules/delivery/domain/lease';
import type { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { PostgresTierBudgetStore } from '../../src/modules/sending/adapters/postgres-tier-budget-store';
import { OptOutCheck } from '../../src/modules/sending/domain/opt-out-check';
import type { SingleSends } from '../../src/modules/sending/domain/single-sends';
import { TierBudget } from '../../src/modules/sending/domain/tier-budget';
import type { TierBudgetStore } from '../../src/modules/sending/domain/tier-budget-store.port';
import { PostgresTemplateStore } from '../../src/modules/templates/adapters/postgres-template-store';
import type { TemplateStore } from '../../src/modules/templates/domain/template-store.port';
import { TemplatesService } from '../../src/modules/templates/domain/templates.service';
import { TemplatesInMemory } from '../fakes/templates-in-memory';
import { optOutsIn } from '../fakes/engine-in-memory';
import { EngineDatabase, storeTerms } from '../fakes/engine-database';
import { SimulatedLaneJobStore } from '../simulation/simulated-lane-job-store';
import { SimulatedLaneLeases } from '../simulation/simulated-lane-leases';
import { SimulatedTierStore } from '../simulation/simulated-tier-store';
import { describeOnDatabase } from './databases';
import { optOutsOn } from './opt-outs-on';
import { EngineSendingTables, type SendingTables, SqlSendingTables } from './sending-tables';

const NO_SENDERS = knownSenders(() => []);

export const GRACE_MS = 900_000;
/** A sender with an unlimited messaging tier. */
export const UNLIMITED: Sender = {
  id: '',
  accountId: '',
  phoneNumberId: '109876543210001',
  businessAccountId: '204876543210002',
  displayPhoneNumber: null,
  messagesPerSecond: 80,
  messagingTier: 'Unlimited',
  accessToken: 'token',
  appSecret: 'secret',
  marketingMessagesApi: false,
  businessPortfolioId: null,
  portfolioId: '204876543210002',
  sendingPaused: false,
  isDeleted: false,
  isAccountDeleted: false,
  defaultCountry: null,
  templatesSyncedAt: null,
  ...{ limitsReadAt: null, qualityRating: null, tokenProblem: null, lastAcceptedAt: null, lastReportedAt: null },
};

/** The lane parts of one process. */
export interface LaneProcess {
  leases: LaneLeases;
  jobs: LaneJobStore;
  claims: Claims;
  /** Takes the lane and returns its epoch; null if another process owns it. The lease is not renewed. */
  take: (senderId: string) => Promise<Epoch | null>;
  /** The unfinished jobs that a lane with this epoch reads. */
  unfinishedJobs: (senderId: string, epoch: Epoch) => Promise<LaneJob[]>;
}

/** A database shared by several processes. */
interface Shared {
  unitOfWork: UnitOfWork;
  tables: () => SendingTables;
  process: (owner: string, exclusive: boolean) => LaneProcess;
}

/** A separate sender per test, and the processes that compete for its lane. */
class LaneBench {
  shared: Shared;
  tables: SendingTables;
  private first: LaneProcess;

  get unitOfWork(): UnitOfWork {
    return this.shared.unitOfWork;
  }

  /** Of the first process. */
  get leases(): LaneLeases {
    return this.first.leases;
  }

  get jobs(): LaneJobStore {
    return this.first.jobs;
  }

  process(owner: string, exclusive = false): LaneProcess {
    return this.shared.process(owner, exclusive);
  }

  async begin(): Promise<void> {
    this.tables = await this.renewSender();
    this.first = this.process('first process');
  }

  async renewSender(): Promise<SendingTables> {
    const tables = this.shared.tables();
    await tables.addSender();
    return tables;
  }

  take(by: LaneProcess = this.first): Promise<string | null> {
    return by.take(this.tables.senderId);
  }

  async taken(by: LaneProcess = this.first): Promise<string> {
    const epoch = await this.take(by);
    if (epoch === null) throw new Error('The lane is held');
    return epoch;
  }

  unfinishedJobs(epoch: string): Promise<LaneJob[]> {
    return this.first.unfinishedJobs(this.tables.senderId, epoch);
  }

  /** Claims first attempts for the sender, by default with an unlimited messaging tier. */
  claimFirst(job: LaneJob, epoch: string, limit: number, settledBelow: number, changes: Partial<Sender> = {}) {
    const sender: Sender = { ...UNLIMITED, id: this.tables.senderId, ...changes };
    return this.first.claims.first(job, epoch, limit, settledBelow, sender);
  }

  lock(...places: Parameters<LaneJobStore['lock']>): Promise<LockedRecipients> {
    return this.unitOfWork.run(() => this.jobs.lock(...places));
  }

  lockWaiting(...waiting: Parameters<LaneJobStore['lockWaiting']>): Promise<LockedRecipients> {
    return this.unitOfWork.run(() => this.jobs.lockWaiting(...waiting));
  }

  claimRetries(job: LaneJob, epoch: string, limit: number) {
    return this.first.claims.retries(job, epoch, limit);
  }

  expire(job: LaneJob, epoch: string, limit: number, settledBelow: number): Promise<number | null> {
    return this.first.claims.expire(job, epoch, limit, settledBelow);
  }

  async seen(jobId: string, epoch: string): Promise<LaneJob> {
    const job = (await this.unfinishedJobs(epoch)).find(({ id }) => id === jobId);
    if (!job) throw new Error('The lane does not see the job');
    return job;
  }

  async isRunnable(): Promise<boolean> {
    return (await this.leases.sendersToRun()).includes(this.tables.senderId);
  }

  async outcomesOf(jobId: string): Promise<(string | null)[]> {
    return (await this.tables.recipients(jobId)).map(({ outcome }) => outcome);
  }
}

/** A process over a database. */
export function laneProcessOn(database: Database, owner: string, exclusive: boolean): LaneProcess {
  const options = { owner, exclusive, graceMs: GRACE_MS, proofRange: 2 };
  return processOf(new TypeOrmUnitOfWork(database), {
    leases: new PostgresLaneLeases(database, options, new SystemClock()),
    jobs: new PostgresLaneJobStore(database, options, new SystemClock()),
    optOuts: optOutsOn(database),
    templates: new PostgresTemplateStore(database),
    tier: new PostgresTierBudgetStore(database),
  });
}

function processOf(
  unitOfWork: UnitOfWork,
  stores: Pick<LaneProcess, 'leases' | 'jobs'> & {
    optOuts: OptOutsService;
    templates: TemplateStore;
    tier: TierBudgetStore;
  },
): LaneProcess {
  const { leases, jobs, optOuts, templates, tier } = stores;
  const noSingles = { strand: () => Promise.resolve() } as Partial<SingleSends> as SingleSends;
  const optOutCheck = new OptOutCheck(
    optOuts,
    new TemplatesService(templates, NO_SENDERS, new SystemClock()),
    noLaterMessages(),
  );
  const tierBudget = new TierBudget(tier, unitOfWork, noKnownNumbers());
  const claims = new Claims(unitOfWork, leases, jobs, noSingles, optOutCheck, tierBudget);
  const clock = new SystemClock();
  const limits = { maxLanes: 1, connections: new PlatformConnections(1), terms: 'exclusive' } as const;
  const parts = { unitOfWork, leases, jobs, singleSends: noSingles, clock, limits };
  return {
    ...{ leases, jobs, claims },
    take: async (senderId) => (await Lease.take(parts, senderId))?.epoch ?? null,
    unfinishedJobs: (senderId, epoch) => {
      const lease = new Lease(leases, clock, 'exclusive', senderId, epoch, clock.monotonic());
      return new LaneJobs(parts as unknown as LaneParts, lease).unfinished();
    },
  };
}

function laneProcessIn(database: EngineDatabase, owner: string, exclusive: boolean): LaneProcess {
  const terms = { ...storeTerms(owner, exclusive), proofRange: 2 };
  return processOf(database, {
    leases: new SimulatedLaneLeases(database, terms),
    jobs: new SimulatedLaneJobStore(database, terms),
    optOuts: optOutsIn(database),
    templates: new TemplatesInMemory(),
    tier: new SimulatedTierStore(database, terms.tierWindowMs),
  });
}

/** Runs a suite on the in-memory stores and on each database. */
export function describeLaneStores(name: string, suite: (bench: LaneBench) => void): void {
  describe(`${name} in memory`, () => {
    runWith(suite, () => {
      const database = new EngineDatabase(new SystemClock());
      return Promise.resolve({
        unitOfWork: database,
        tables: () => new EngineSendingTables(database.server),
        process: (owner, exclusive) => laneProcessIn(database, owner, exclusive),
      });
    });
  });
  describeOnDatabase(name, (open) => {
    runWith(suite, async () => {
      const database = await open();
      return {
        unitOfWork: new TypeOrmUnitOfWork(database),
        tables: () => new SqlSendingTables(database),
        process: (owner, exclusive) => laneProcessOn(database, owner, exclusive),
      };
    });
  });
}

function runWith(suite: (bench: LaneBench) => void, open: () => Promise<Shared>): void {
  const bench = new LaneBench();
  beforeAll(async () => {
    bench.shared = await open();
  });
  beforeEach(() => bench.begin());
  suite(bench);
}
