import type { Database } from '../../src/infra/database/database';
import { describeOnDatabase } from '../support/databases';
import { laneProcessOn, UNLIMITED } from '../support/lane-stores';
import { SqlSendingTables } from '../support/sending-tables';

describeOnDatabase('A job without room in the messaging tier', (open) => {
  let database: Database;
  let tables: SqlSendingTables;
  let epoch: string;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(async () => {
    tables = new SqlSendingTables(database);
    await tables.addSender();
    await setTier('250');
    epoch = (await lane().ownership.take(tables.senderId))!;
  });

  const lane = () => laneProcessOn(database, 'a process', true);
  const setTier = (tier: string) =>
    database.execute('UPDATE senders SET platform_messaging_tier = $2 WHERE id = $1', [tables.senderId, tier]);
  const seen = async () => (await lane().ownership.unfinishedJobs(tables.senderId, epoch))[0]!;
  const isRunnable = async () => (await lane().leases.sendersToRun()).includes(tables.senderId);
  const claim = async (messagingTier: '250' | '1000') => {
    const sender = { ...UNLIMITED, id: tables.senderId, portfolioId: tables.senderId, messagingTier };
    return lane().ownership.claimFirst(await seen(), epoch, 300, 1, sender);
  };
  const settle = () =>
    database.execute('UPDATE bulk_jobs SET settled_below = cursor WHERE sender_id = $1', [tables.senderId]);

  it('waits as long as that tier holds, and goes on under a higher one at once', async () => {
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

  it('is looked at again when it was held back by a process that had not heard of the new tier', async () => {
    await tables.addJob(260);
    await setTier('1000');
    expect(await claim('250')).toMatchObject({ heldUntil: expect.any(Date) as Date });
    await settle();
    expect(await seen()).toMatchObject({ held: false });
    expect(await isRunnable()).toBe(true);
  });
});
