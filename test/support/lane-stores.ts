import type { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { SystemClock } from '../../src/infra/system-clock';
import type { UnitOfWork } from '../../src/kernel/unit-of-work';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import { PostgresLaneJobStore } from '../../src/modules/delivery/adapters/postgres-lane-job-store';
import { PostgresLaneLeases } from '../../src/modules/delivery/adapters/postgres-lane-leases';
import type { LaneJob, LaneJobStore, LockedRecipients } from '../../src/modules/delivery/domain/lane-job-store.port';
import type { LaneLeases } from '../../src/modules/delivery/domain/lane-leases.port';
import { LaneOwnership } from '../../src/modules/delivery/domain/lane-ownership';
import type { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { PostgresTierBudgetStore } from '../../src/modules/sending/adapters/postgres-tier-budget-store';
import { OptOutCheck } from '../../src/modules/sending/domain/opt-out-check.service';
import type { SingleSends } from '../../src/modules/sending/domain/single-sends.service';
import { TierBudget } from '../../src/modules/sending/domain/tier-budget.service';
import type { TierBudgetStore } from '../../src/modules/sending/domain/tier-budget-store.port';
import { PostgresTemplateStore } from '../../src/modules/templates/adapters/postgres-template-store';
import type { TemplateStore } from '../../src/modules/templates/domain/template-store.port';
import { TemplatesService } from '../../src/modules/templates/domain/templates.service';
import { optOutsIn } from '../fakes/engine-in-memory';
import { LaneJobsInMemory } from '../fakes/lane-jobs-in-memory';
import { LaneLeasesInMemory } from '../fakes/lane-leases-in-memory';
import { MemoryDatabase } from '../fakes/memory-database';
import { TemplatesInMemory } from '../fakes/templates-in-memory';
import { TierInMemory } from '../fakes/tier-in-memory';
import { describeOnDatabase } from './databases';
import { optOutsOn } from './opt-outs-on';
import { MemorySendingTables, type SendingTables, SqlSendingTables } from './sending-tables';

export const GRACE_MS = 900_000;
/** A sender whose messaging tier has room for everybody. */
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
  portfolioId: '204876543210002',
  sendingPaused: false,
  defaultCountry: null,
  templatesSyncedAt: null,
};

/** What one process works on lanes with. */
export interface LaneProcess {
  leases: LaneLeases;
  jobs: LaneJobStore;
  ownership: LaneOwnership;
}

/** A database that several processes share. */
interface Shared {
  unitOfWork: UnitOfWork;
  tables: () => SendingTables;
  process: (owner: string, exclusive: boolean) => LaneProcess;
}

/** A sender of its own for each test, and the processes that want its lane. */
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
    return by.ownership.take(this.tables.senderId);
  }

  async taken(by: LaneProcess = this.first): Promise<string> {
    const epoch = await this.take(by);
    if (epoch === null) throw new Error('The lane is held');
    return epoch;
  }

  unfinishedJobs(epoch: string): Promise<LaneJob[]> {
    return this.first.ownership.unfinishedJobs(this.tables.senderId, epoch);
  }

  /** Claims first attempts for the sender, whose messaging tier is unlimited unless told otherwise. */
  claimFirst(job: LaneJob, epoch: string, limit: number, settledBelow: number, changes: Partial<Sender> = {}) {
    const sender: Sender = { ...UNLIMITED, id: this.tables.senderId, ...changes };
    return this.first.ownership.claimFirst(job, epoch, limit, settledBelow, sender);
  }

  lock(...places: Parameters<LaneJobStore['lock']>): Promise<LockedRecipients> {
    return this.unitOfWork.run(() => this.jobs.lock(...places));
  }

  lockWaiting(...waiting: Parameters<LaneJobStore['lockWaiting']>): Promise<LockedRecipients> {
    return this.unitOfWork.run(() => this.jobs.lockWaiting(...waiting));
  }

  claimRetries(job: LaneJob, epoch: string, limit: number) {
    return this.first.ownership.claimRetries(job, epoch, limit);
  }

  expire(job: LaneJob, epoch: string, limit: number, settledBelow: number): Promise<number | null> {
    return this.first.ownership.expire(job, epoch, limit, settledBelow);
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
    leases: new PostgresLaneLeases(database, options),
    jobs: new PostgresLaneJobStore(database, options),
    optOuts: optOutsOn(database),
    templates: new PostgresTemplateStore(database),
    tier: new PostgresTierBudgetStore(database),
  });
}

function laneProcessIn(database: MemoryDatabase, owner: string, exclusive: boolean): LaneProcess {
  const options = { owner, exclusive, graceMs: GRACE_MS };
  return processOf(database, {
    leases: new LaneLeasesInMemory(database, options),
    jobs: new LaneJobsInMemory(database, options),
    optOuts: optOutsIn(database),
    templates: new TemplatesInMemory(),
    tier: new TierInMemory(database),
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
  const optOutCheck = new OptOutCheck(optOuts, new TemplatesService(templates, new SystemClock()));
  const tierBudget = new TierBudget(tier, unitOfWork);
  return { leases, jobs, ownership: new LaneOwnership(unitOfWork, leases, jobs, noSingles, optOutCheck, tierBudget) };
}

/** Runs a suite over the stores in memory and the ones on each database. */
export function describeLaneStores(name: string, suite: (bench: LaneBench) => void): void {
  describe(`${name} in memory`, () => {
    runWith(suite, () => {
      const database = new MemoryDatabase();
      return Promise.resolve({
        unitOfWork: database,
        tables: () => new MemorySendingTables(database),
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
