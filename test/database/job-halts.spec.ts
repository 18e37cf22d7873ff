import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresBulkJobStore } from '../../src/modules/bulk-jobs/adapters/postgres-bulk-job-store';
import { describeOnDatabase } from '../support/databases';
import { SqlSendingTables } from '../support/sending-tables';

describeOnDatabase('A stalled job shows', (open) => {
  let database: Database;
  let jobs: PostgresBulkJobStore;
  let accountId: string;
  let senderId: string;
  let tables: SqlSendingTables;

  beforeAll(async () => {
    database = await open();
    jobs = new PostgresBulkJobStore(database);
  });

  beforeEach(async () => {
    tables = new SqlSendingTables(database);
    await tables.addSender();
    ({ accountId, senderId } = tables);
  });

  async function storeJob(count: number, change = ''): Promise<{ id: string }> {
    const id = await tables.addJob(count);
    if (change) await database.execute(`UPDATE bulk_jobs SET ${change} WHERE id = $1`, [id]);
    return { id };
  }

  describe('the cause that a person must end', () => {
    const halted = async (jobId: string) => (await jobs.find(accountId, jobId))!.halted;
    const isStill = `updated_at = now() - interval '11 s'`;
    const worker = (leaseUntil: string) =>
      database.execute(`INSERT INTO lane_workers (owner, lanes, lease_until) VALUES ($1, 0, ${leaseUntil})`, [
        uuidV7(),
      ]);

    beforeEach(() => database.execute('DELETE FROM lane_workers'));

    it("is the account's pause, for jobs that would send", async () => {
      await worker(`'infinity'`);
      const [queued, paused] = [await storeJob(1), await storeJob(1, `status = 'Paused'`)];
      expect([await halted(queued.id), (await jobs.open(accountId)).processing]).toEqual([null, 1]);
      await database.execute('UPDATE accounts SET sending_paused = true WHERE id = $1', [accountId]);
      expect([await halted(queued.id), await halted(paused.id)]).toEqual(['sending_paused', null]);
      expect(await jobs.open(accountId)).toEqual({ scheduled: 0, processing: 0, waiting: 1, paused: 1 });
      expect((await jobs.live([], [accountId])).find(({ id }) => id === queued.id)?.halted).toBe('sending_paused');
      await database.execute(`UPDATE accounts SET sending_paused = false, status = 'Suspended' WHERE id = $1`, [
        accountId,
      ]);
      expect(await halted(queued.id)).toBe('sending_paused');
    });

    it('is the missing worker, once the job has not changed for 10 s', async () => {
      const job = await storeJob(1);
      expect(await halted(job.id)).toBeNull();
      await database.execute(`UPDATE bulk_jobs SET ${isStill} WHERE id = $1`, [job.id]);
      expect(await halted(job.id)).toBe('no_worker');
      expect(await jobs.open(accountId)).toMatchObject({ processing: 0, waiting: 1 });
      await database.execute(`INSERT INTO sender_lanes (sender_id, lease_until) VALUES ($1, now() + interval '4 s')`, [
        senderId,
      ]);
      expect(await halted(job.id)).toBeNull();
      await database.execute(`UPDATE sender_lanes SET lease_until = '-infinity' WHERE sender_id = $1`, [senderId]);
      await worker(`now() - interval '20 s'`);
      expect(await halted(job.id)).toBe('no_worker');
      await worker(`now() - interval '9 s'`);
      expect(await halted(job.id)).toBeNull();
    });

    it('is the restore of the database, for jobs paused by it', async () => {
      const change = `status = 'Paused', pause_reason = 'It is a copy.', pause_problem = 'restored_from_backup'`;
      expect(await halted((await storeJob(1, change)).id)).toBe('restored_copy');
    });
  });

  it('the current names of the keys that created, paused and cancelled it', async () => {
    const keyId = uuidV7();
    const pause = { from: ['Queued'] as const, to: 'Paused' as const, keyId };
    const resume = { from: ['Paused'] as const, to: 'Resumed' as const, keyId };
    await database.execute(
      `INSERT INTO api_keys (id, account_id, name, prefix, secret_hash, scopes)
       VALUES ($1, $2, 'Web shop', $3, 'hash', '{}')`,
      [keyId, accountId, keyId.slice(-12)],
    );
    const key = { keyId, keyName: 'Web shop' };
    const job = await storeJob(1, `created_by = '${keyId}'`);
    expect(await jobs.find(accountId, job.id)).toMatchObject({ createdBy: key, pausedBy: null, cancelledBy: null });
    const other = { keyId: uuidV7(), keyName: null };
    await jobs.change(accountId, job.id, { ...pause, keyId: other.keyId });
    expect(await jobs.find(accountId, job.id)).toMatchObject({ createdBy: key, pausedBy: other });
    await jobs.change(accountId, job.id, resume);
    const stopped = `status = 'Paused', pause_problem = 'template_paused', pause_reason = 'It is paused.'`;
    await database.execute(`UPDATE bulk_jobs SET ${stopped} WHERE id = $1`, [job.id]);
    expect(await jobs.find(accountId, job.id)).toMatchObject({ pausedBy: null });
    await jobs.change(accountId, job.id, { from: ['Paused'], to: 'Cancelled', keyId });
    expect(await jobs.find(accountId, job.id)).toMatchObject({ pausedBy: null, cancelledBy: key });
    await database.execute('DELETE FROM api_keys WHERE id = $1', [keyId]);
    expect(await jobs.find(accountId, job.id)).toMatchObject({ createdBy: { keyId, keyName: null } });
  });
});
