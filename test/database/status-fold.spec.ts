import type { Database } from '../../src/infra/database/database';
import { PostgresJobStatusStore } from '../../src/modules/delivery/adapters/postgres-job-status-store';
import { describeOnDatabase } from '../support/databases';
import { SqlSendingTables } from '../support/sending-tables';

const READ = { delivered: 1, read: 1, undelivered: 0 };

/** A promise with its resolve function. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describeOnDatabase('What statuses add to the counters of jobs', (open, isShared) => {
  let database: Database;
  let tables: SqlSendingTables;
  let store: PostgresJobStatusStore;

  beforeAll(async () => {
    database = await open();
    tables = new SqlSendingTables(database);
    await tables.addSender();
    store = new PostgresJobStatusStore(database);
  });

  const countsOf = async (jobId: string) => {
    const counts = 'SELECT delivered, read, undelivered FROM bulk_jobs WHERE id = $1';
    return (await database.rows(counts, [jobId]))[0];
  };
  const changedJob = async () => {
    const jobId = await tables.addJob(1);
    await store.addDeltas([{ jobId, ...READ }]);
    return jobId;
  };

  it('is added for many jobs together, in limited batches', async () => {
    const jobs = [await changedJob(), await changedJob(), await changedJob()];
    expect(await store.foldDeltas(2)).toBe(2);
    expect(await store.foldDeltas(2)).toBe(1);
    expect(await store.foldDeltas(2)).toBe(0);
    for (const jobId of jobs) expect(await countsOf(jobId)).toEqual(READ);
  });

  it('is added once by concurrent processes', async () => {
    const jobId = await tables.addJob(10);
    for (let n = 0; n < 10; n++) await store.addDeltas([{ jobId, ...READ }]);
    await Promise.all([1, 2, 3].map(() => store.foldDeltas(4)));
    await store.foldDeltas(100);
    expect(await countsOf(jobId)).toEqual({ delivered: 10, read: 10, undelivered: 0 });
  });

  if (isShared) {
    it('skips locked jobs and updates the others', async () => {
      const [locked, free] = [await changedJob(), await changedJob()];
      const [isLocked, mayEnd] = [gate(), gate()];
      const holder = database.transaction(async () => {
        await database.execute('SELECT 1 FROM bulk_jobs WHERE id = $1 FOR UPDATE', [locked]);
        isLocked.open();
        await mayEnd.opened;
      });
      await isLocked.opened;
      const added = await store.foldDeltas(100).finally(mayEnd.open);
      await holder;

      expect(added).toBe(1);
      expect(await countsOf(free)).toEqual(READ);
      expect(await countsOf(locked)).toEqual({ delivered: 0, read: 0, undelivered: 0 });
      expect(await store.foldDeltas(100)).toBe(1);
      expect(await countsOf(locked)).toEqual(READ);
    });

    it('is left to the process that is already adding, also for other jobs', async () => {
      const job = await changedJob();
      const [isAdding, mayCommit] = [gate(), gate()];
      const first = database.transaction(async () => {
        const added = await store.foldDeltas(100);
        isAdding.open();
        await mayCommit.opened;
        return added;
      });
      await isAdding.opened;
      const later = await changedJob();
      const second = await store.foldDeltas(100).finally(mayCommit.open);

      expect([await first, second]).toEqual([1, 0]);
      expect(await store.foldDeltas(100)).toBe(1);
      for (const jobId of [job, later]) expect(await countsOf(jobId)).toEqual(READ);
    });
  }
});
