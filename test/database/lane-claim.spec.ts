import type { Database } from '../../src/infra/database/database';
import { describeOnDatabase } from '../support/databases';
import { laneProcessOn, UNLIMITED } from '../support/lane-stores';
import { SqlSendingTables } from '../support/sending-tables';

describeOnDatabase('A claim of first attempts', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  afterEach(() => jest.restoreAllMocks());

  it('is lost when somebody whom it has looked at was settled before it could lock the job', async () => {
    const tables = new SqlSendingTables(database);
    await tables.addSender();
    const jobId = await tables.addJob(3);
    const { ownership } = laneProcessOn(database, 'process', false);
    const epoch = (await ownership.take(tables.senderId))!;
    const claim = async () => {
      const jobs = await ownership.unfinishedJobs(tables.senderId, epoch);
      return ownership.claimFirst(jobs[0]!, epoch, 10, 1, { ...UNLIMITED, id: tables.senderId });
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
