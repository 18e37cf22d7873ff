import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { describeOnDatabase } from '../support/databases';
import { laneProcessOn, UNLIMITED } from '../support/lane-stores';
import { SqlSendingTables } from '../support/sending-tables';

describeOnDatabase('Lanes and their claims', (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  describe('A claim of first attempts', () => {
    afterEach(() => jest.restoreAllMocks());

    it('is lost if one of its recipients was settled before it locked the job', async () => {
      const tables = new SqlSendingTables(database);
      await tables.addSender();
      const jobId = await tables.addJob(3);
      const { claims, take, unfinishedJobs } = laneProcessOn(database, 'process', false);
      const epoch = (await take(tables.senderId))!;
      const claim = async () => {
        const jobs = await unfinishedJobs(tables.senderId, epoch);
        return claims.first(jobs[0]!, epoch, 10, 1, { ...UNLIMITED, id: tables.senderId });
      };
      const rows = database.rows.bind(database);
      jest.spyOn(database, 'rows').mockImplementation(async (sql: string, parameters?: unknown[]) => {
        const found = await rows(sql, parameters);
        if (/^\s*SELECT position, message_id/.test(sql)) {
          await database.execute(
            `UPDATE job_recipients SET outcome = 'Skipped', phone = '' WHERE job_id = $1 AND position = 2`,
            [jobId],
          );
        }
        return found;
      });

      expect(await claim()).toBeNull();
      jest.restoreAllMocks();
      expect((await claim())?.recipients).toHaveLength(3);
    });
  });

  describe("The lane of another deployment's sender, named by a wake-up on a shared Redis", () => {
    it('is not taken, without an error', async () => {
      expect(await laneProcessOn(database, 'process', false).take(uuidV7())).toBeNull();
    });
  });

  describe('A job without room in the messaging tier', () => {
    let tables: SqlSendingTables;
    let epoch: string;

    beforeEach(async () => {
      tables = new SqlSendingTables(database);
      await tables.addSender();
      await setTier('250');
      epoch = (await lane().take(tables.senderId))!;
    });

    const lane = () => laneProcessOn(database, 'a process', true);
    const setTier = (tier: string) =>
      database.execute('UPDATE senders SET platform_messaging_tier = $2 WHERE id = $1', [tables.senderId, tier]);
    const seen = async () => (await lane().unfinishedJobs(tables.senderId, epoch))[0]!;
    const isRunnable = async () => (await lane().leases.sendersToRun()).includes(tables.senderId);
    const claim = async (messagingTier: '250' | '1000' | 'Unlimited') => {
      const sender = { ...UNLIMITED, id: tables.senderId, portfolioId: tables.senderId, messagingTier };
      return lane().claims.first(await seen(), epoch, 300, 1, sender);
    };
    const settle = () =>
      database.execute('UPDATE bulk_jobs SET settled_below = cursor WHERE sender_id = $1', [tables.senderId]);

    it('waits under that tier, and continues immediately under a higher one', async () => {
      const job = await tables.addJob(260);
      expect(await claim('250')).toMatchObject({ cursor: 251, heldUntil: expect.any(Date) as Date });
      await settle();
      expect(await seen()).toMatchObject({ held: true });
      expect(await isRunnable()).toBe(false);

      await setTier('1000');
      expect(await seen()).toMatchObject({ held: false });
      expect(await isRunnable()).toBe(true);
      expect(await claim('1000')).toMatchObject({ cursor: 261, heldUntil: null });
      expect((await tables.job(job)).cursor).toBe(261);
    });

    it('is claimed under the tier in effect, whatever the cached sender has', async () => {
      const lowered = await tables.addJob(260);
      expect(await claim('Unlimited')).toMatchObject({ cursor: 251, heldUntil: expect.any(Date) as Date });
      expect((await tables.job(lowered)).cursor).toBe(251);
      await settle();
      expect(await isRunnable()).toBe(false);

      await setTier('1000');
      expect(await claim('250')).toMatchObject({ cursor: 261, heldUntil: null });
    });
  });
});
