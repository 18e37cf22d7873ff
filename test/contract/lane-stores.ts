import type { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import type { UnitOfWork } from '../../src/kernel/unit-of-work';
import { TypeOrmLaneStore } from '../../src/modules/delivery/adapters/typeorm-lane-store';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import type { LaneJob, LaneStore } from '../../src/modules/delivery/domain/lane-store.port';
import { TypeOrmTierBudgetStore } from '../../src/modules/sending/adapters/typeorm-tier-budget-store';
import { TierBudget } from '../../src/modules/sending/domain/tier-budget.service';
import { LanesInMemory } from '../fakes/lanes-in-memory';
import { MemoryDatabase } from '../fakes/memory-database';
import { describeOnDatabase } from './databases';
import { optOutsOn } from './opt-outs-on';
import { MemorySendingTables, type SendingTables, SqlSendingTables } from './sending-tables';

const GRACE_MS = 900_000;
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
  portfolioId: '204876543210002',
  sendingPaused: false,
  defaultCountry: null,
  templatesSyncedAt: null,
};

/** A database that several processes share. */
interface Shared {
  unitOfWork: UnitOfWork;
  tables: () => SendingTables;
  store: (owner: string, exclusive: boolean) => LaneStore;
}

/** A sender of its own for each test, and the processes that want its lane. */
export class LaneBench {
  shared: Shared;
  tables: SendingTables;
  /** The store of the first process. */
  store: LaneStore;

  get unitOfWork(): UnitOfWork {
    return this.shared.unitOfWork;
  }

  process(owner: string, exclusive = false): LaneStore {
    return this.shared.store(owner, exclusive);
  }

  async renewSender(): Promise<SendingTables> {
    const tables = this.shared.tables();
    await tables.addSender();
    return tables;
  }

  take(by: LaneStore = this.store): Promise<string | null> {
    return by.take(this.tables.senderId, () => Promise.resolve());
  }

  async taken(by: LaneStore = this.store): Promise<string> {
    const epoch = await this.take(by);
    if (epoch === null) throw new Error('The lane is held');
    return epoch;
  }

  /** Claims first attempts for the sender, whose messaging tier is unlimited unless told otherwise. */
  claimFirst(job: LaneJob, epoch: string, limit: number, settledBelow: number, changes: Partial<Sender> = {}) {
    const sender: Sender = { ...UNLIMITED, id: this.tables.senderId, ...changes };
    return this.store.claimFirst(job, epoch, limit, settledBelow, sender);
  }

  async seen(jobId: string, epoch: string): Promise<LaneJob> {
    const { jobs } = await this.store.look(this.tables.senderId, epoch);
    const job = jobs.find(({ id }) => id === jobId);
    if (!job) throw new Error('The lane does not see the job');
    return job;
  }

  async isRunnable(): Promise<boolean> {
    return (await this.store.sendersToRun()).includes(this.tables.senderId);
  }

  async outcomesOf(jobId: string): Promise<(string | null)[]> {
    return (await this.tables.recipients(jobId)).map(({ outcome }) => outcome);
  }
}

/** The store of a process over a database. */
export function laneStoreOn(database: Database, owner: string, exclusive: boolean): LaneStore {
  const tierBudget = new TierBudget(new TypeOrmTierBudgetStore(database), new TypeOrmUnitOfWork(database));
  const optOuts = optOutsOn(database);
  return new TypeOrmLaneStore(database, optOuts, tierBudget, { owner, exclusive, graceMs: GRACE_MS, proofRange: 2 });
}

/** Runs a suite over the store in memory and the one on each database. */
export function describeLaneStores(name: string, suite: (bench: LaneBench) => void): void {
  describe(`${name} in memory`, () => {
    runWith(suite, () => {
      const database = new MemoryDatabase();
      return Promise.resolve({
        unitOfWork: database,
        tables: () => new MemorySendingTables(database),
        store: (owner, exclusive) => new LanesInMemory(database, { owner, exclusive, graceMs: GRACE_MS }),
      });
    });
  });
  describeOnDatabase(name, (open) => {
    runWith(suite, async () => {
      const database = await open();
      return {
        unitOfWork: new TypeOrmUnitOfWork(database),
        tables: () => new SqlSendingTables(database),
        store: (owner, exclusive) => laneStoreOn(database, owner, exclusive),
      };
    });
  });
}

function runWith(suite: (bench: LaneBench) => void, open: () => Promise<Shared>): void {
  const bench = new LaneBench();
  beforeAll(async () => {
    bench.shared = await open();
  });
  beforeEach(async () => {
    bench.tables = await bench.renewSender();
    bench.store = bench.process('first process');
  });
  suite(bench);
}
