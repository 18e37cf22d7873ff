import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Database } from '../../src/infra/database/database';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { PlatformCredentials } from '../../src/modules/accounts/adapters/platform-credentials';
import { TypeOrmAccountStore } from '../../src/modules/accounts/adapters/typeorm-account-store';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { PostgresLaneJobStore } from '../../src/modules/delivery/adapters/postgres-lane-job-store';
import { PostgresLaneLeases } from '../../src/modules/delivery/adapters/postgres-lane-leases';
import { describeOnDatabase } from '../support/databases';
import { SqlSendingTables } from '../support/sending-tables';

const LANES = 20;
const OPTIONS = { owner: 'a process', exclusive: false, graceMs: 900_000, proofRange: 5000 };
/** Not in the transaction that surrounds the caller. */
const outside = AsyncLocalStorage.snapshot();

describeOnDatabase('The lanes of a process', (open, isShared) => {
  let database: Database;
  let leases: PostgresLaneLeases;
  let jobs: PostgresLaneJobStore;
  let lanes: { senderId: string; jobId: string; epoch: string }[];

  beforeAll(async () => {
    database = await open();
    leases = new PostgresLaneLeases(database, OPTIONS, new SystemClock());
    jobs = new PostgresLaneJobStore(database, OPTIONS, new SystemClock());
    lanes = [];
    for (let n = 0; n < LANES; n++) {
      const tables = new SqlSendingTables(database);
      await tables.addSender();
      const { senderId } = tables;
      const jobId = await tables.addJob(1);
      lanes.push({ senderId, jobId, epoch: (await leases.take(senderId))! });
    }
  });
  afterEach(() => jest.restoreAllMocks());

  it('are refreshed by one statement, each with its own jobs', async () => {
    const rows = jest.spyOn(database, 'rows');
    const found = await Promise.all(lanes.map(({ senderId }) => jobs.unfinished(senderId)));
    expect(found.map((of) => of.map(({ id }) => id))).toEqual(lanes.map(({ jobId }) => [jobId]));
    expect(rows).toHaveBeenCalledTimes(1);
  });

  it('read their senders by one statement', async () => {
    const credentials = new PlatformCredentials('token', 'secret');
    const store = new TypeOrmAccountStore(database, new SecretBox(randomBytes(32)), credentials);
    const senders = new SendersService(store, new SystemClock());
    const rows = jest.spyOn(database, 'rows');
    const ids = [...lanes.map(({ senderId }) => senderId), uuidV7()];
    const found = await Promise.all(ids.map((id) => senders.ofLane(id)));
    expect(found.map((sender) => sender?.id)).toEqual([...lanes.map(({ senderId }) => senderId), undefined]);
    expect(rows).toHaveBeenCalledTimes(1);
  });

  it('are renewed by one statement, except those of another process', async () => {
    const execute = jest.spyOn(database, 'execute');
    const renew = (epochOf: (n: number) => string) =>
      Promise.all(lanes.map(({ senderId }, n) => leases.renew(senderId, epochOf(n))));
    expect(await renew((n) => lanes[n]!.epoch)).toEqual(lanes.map(() => true));
    expect(execute).toHaveBeenCalledTimes(1);
    expect(await renew((n) => (n === 3 ? '99' : lanes[n]!.epoch))).toEqual(lanes.map((_, n) => n !== 3));
  });

  // The embedded database has one connection.
  if (!isShared) return;
  it('are renewed while a claim has locked one of them', async () => {
    const [locked, ...others] = lanes as [(typeof lanes)[0], ...typeof lanes];
    let isRenewed = false;
    let renewing: Promise<boolean>;
    await database.transaction(async () => {
      await leases.hold(locked.senderId, locked.epoch);
      renewing = outside(() => leases.renew(locked.senderId, locked.epoch)).then((renewed) => (isRenewed = renewed));
      const renewals = others.map(({ senderId, epoch }) => outside(() => leases.renew(senderId, epoch)));
      expect(await Promise.all(renewals)).toEqual(others.map(() => true));
      expect(isRenewed).toBe(false);
    });
    expect(await renewing!).toBe(true);
  });
});
