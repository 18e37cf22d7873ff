import type { Database } from '../../src/infra/database/database';
import { DatabaseIdentity } from '../../src/infra/database/database-identity';
import { PostgresRestoredDatabase } from '../../src/modules/delivery/adapters/postgres-restored-database';
import { AfterRestore } from '../../src/modules/delivery/domain/after-restore';
import type { JobStop, StoppedByRestore } from '../../src/modules/delivery/domain/job-stop';
import { LaneTelemetry, type NamedJob } from '../../src/modules/delivery/domain/lane-telemetry';
import { RestoredDatabase } from '../../src/modules/delivery/domain/restored-database.port';
import { StatusReports } from '../../src/modules/platform-webhook/domain/status-reports';
import { describeOnDatabase } from '../support/databases';
import { ago, SqlSendingTables } from '../support/sending-tables';
import { statusParts } from '../support/status-parts';

describeOnDatabase('A restored database', (open, isShared) => {
  let database: Database;
  let identity: DatabaseIdentity;
  let afterRestore: AfterRestore;
  let reports: StatusReports;
  let tables: SqlSendingTables;

  const notified: string[] = [];
  const telemetry = {
    stopped: ({ id, accountId }: NamedJob, { problem }: JobStop) => notified.push(`${accountId} ${id} ${problem}`),
    lostTransactions: ({ jobs }: StoppedByRestore) => notified.push(`${jobs} stopped`),
    recorded: () => undefined,
  } as unknown as LaneTelemetry;

  beforeAll(async () => {
    database = await open();
    identity = new DatabaseIdentity(database);
    const restored = { provide: RestoredDatabase, useClass: PostgresRestoredDatabase };
    const providers = [AfterRestore, restored, { provide: DatabaseIdentity, useValue: identity }];
    const parts = await statusParts(database, { providers })
      .overrideProvider(LaneTelemetry)
      .useValue(telemetry)
      .compile();
    afterRestore = parts.get(AfterRestore);
    reports = parts.get(StatusReports);
  });

  beforeEach(async () => {
    await database.execute('DELETE FROM bulk_jobs');
    await database.execute('DELETE FROM single_sends');
    tables = new SqlSendingTables(database);
    await tables.addSender();
  });

  /** Sets the row as in a dump of another database. */
  const restore = () => database.execute(`UPDATE database_identity SET identity = '1/2/3'`);
  const state = () => database.transaction(() => identity.lock());
  const addMessage = (id: string) =>
    database.execute(
      `INSERT INTO messages (id, account_id, direction, type, contact_phone, status, created_at)
       VALUES ($1, $2, 'Outbound', 'Template', '4915112345678', 'Queued', now())`,
      [id, tables.accountId],
    );
  const statusOf = async (id: string) =>
    (await database.rows<{ status: string }>('SELECT status FROM messages WHERE id = $1', [id]))[0]?.status;

  it('is recognised as unchanged after any maintenance of its tables', async () => {
    expect(await state()).toBe('known');
    await database.execute('VACUUM FULL database_identity');
    await database.execute('CLUSTER database_identity USING database_identity_pkey');
    await database.execute('REINDEX TABLE database_identity');
    expect(await state()).toBe('known');
    expect(await afterRestore.run(null)).toBeNull();
  });

  it('counts as restored if its own row is lost', async () => {
    await database.execute('TRUNCATE database_identity');
    expect(await state()).toBe('restored');
    expect(await afterRestore.run(null)).not.toBeNull();
    expect(await state()).toBe('known');
  });

  it('pauses unfinished jobs once, with the time of the last record, and no others', async () => {
    const unfinished = [
      await tables.addJob(3),
      await tables.addJob(3, { status: 'Processing', cursor: 2, settledBelow: 2, startedAt: ago(9) }),
      await tables.addJob(3, { status: 'Paused', pauseReason: 'Template "promo" is Paused' }),
      await tables.addJob(3, { status: 'Scheduled' }),
    ];
    await database.execute(`UPDATE bulk_jobs SET pause_problem = 'template_paused' WHERE status = 'Paused'`);
    const finished = [
      await tables.addJob(1, { status: 'Completed', completedAt: ago(9) }),
      await tables.addJob(3, { status: 'Cancelled' }),
      await tables.addJob(3, { status: 'Importing' }),
    ];
    await database.execute('UPDATE bulk_jobs SET updated_at = $1', [new Date('2030-01-02T03:04:05Z')]);
    await restore();

    const stopped = await afterRestore.run(null);
    expect(stopped).toEqual({ jobs: 4, singleSends: 0, knownUntil: new Date('2030-01-02T03:04:05Z') });
    const rows = await database.rows<{ id: string; status: string; pause_problem: string; pause_reason: string }>(
      `SELECT id, status, pause_problem, pause_reason FROM bulk_jobs WHERE status = 'Paused' ORDER BY id`,
    );
    expect(rows.map(({ id }) => id)).toEqual([...unfinished].sort());
    expect(new Set(rows.map((row) => row.pause_problem))).toEqual(new Set(['restored_from_backup']));
    expect(rows[0]?.pause_reason).toContain('2030-01-02T03:04:05.000Z');
    const lines = unfinished.map((id) => `${tables.accountId} ${id} restored_from_backup`);
    expect(notified.splice(0).sort()).toEqual(lines.sort());
    expect(await Promise.all(finished.map(async (id) => (await tables.job(id)).status))).toEqual([
      'Completed',
      'Cancelled',
      'Importing',
    ]);
    expect(await afterRestore.run(null)).toBeNull();
  });

  it('marks every open single send as Unknown, and a late status marks it as Sent', async () => {
    const waiting = await tables.addSingle();
    const inFlight = await tables.addSingle({ attempt: 1, retryAt: null, giveUpAt: ago(-30) });
    const sent = await tables.addSingle({ attempt: 1, retryAt: null, outcome: 'Sent' });
    for (const id of [waiting, inFlight]) await addMessage(id);
    await restore();

    expect(await afterRestore.run(null)).toMatchObject({ jobs: 0, singleSends: 2 });
    expect(await tables.single(waiting)).toMatchObject({ outcome: 'Unknown', retryAt: null, problem: null });
    expect(await tables.single(inFlight)).toMatchObject({ outcome: 'Unknown', giveUpAt: null });
    expect(await tables.single(sent)).toMatchObject({ outcome: 'Sent' });
    expect(await statusOf(waiting)).toBe('Unknown');

    await reports.apply([delivered('wamid.late', `${waiting}.1`)]);
    expect(await tables.single(waiting)).toMatchObject({ outcome: 'Sent' });
    expect(await statusOf(waiting)).toBe('Delivered');
  });

  it('records from statuses who got the message after the backup', async () => {
    const jobId = await tables.addJob(
      4,
      { status: 'Processing', cursor: 2, settledBelow: 2, successfullySent: 1 },
      {
        1: { outcome: 'Sent', attempt: 1 },
      },
    );
    await restore();
    await afterRestore.run(null);
    const [, , third] = await tables.recipients(jobId);
    await reports.apply([delivered('wamid.3', `${third!.messageId}.1.${jobId}.3`)]);

    expect((await tables.recipients(jobId))[2]).toMatchObject({ outcome: 'Sent', attempt: 1 });
    expect(await tables.job(jobId)).toMatchObject({ status: 'Paused', cursor: 2, successfullySent: 2 });
  });

  it('is made safe again on request, even if unchanged', async () => {
    await afterRestore.run(null);
    const jobId = await tables.addJob(2);
    expect(await afterRestore.run(null)).toBeNull();
    expect(await afterRestore.run('restored')).toMatchObject({ jobs: 1 });
    expect((await tables.job(jobId)).status).toBe('Paused');
    expect(await afterRestore.run('restored')).toMatchObject({ jobs: 0 });
  });

  if (isShared) {
    it('is made safe by one of several starting processes, and the others wait', async () => {
      for (let n = 0; n < 3; n++) await tables.addJob(1);
      await restore();
      const results = await Promise.all([1, 2, 3, 4].map(() => afterRestore.run(null)));
      expect(results.filter((result) => result !== null)).toEqual([expect.objectContaining({ jobs: 3 })]);
      expect(await state()).toBe('known');
    });
  }

  describe('and one on another timeline', () => {
    /** Sets the row as on a promoted standby: written by the previous server. */
    const takeOver = (synchronous: boolean) =>
      database.execute('UPDATE database_identity SET timeline = timeline + 4, synchronous = $1', [synchronous]);
    const restoredAt = async () => (await new DatabaseIdentity(database).restoredAt())?.getTime() ?? null;

    beforeEach(async () => {
      await identity.compare();
      await afterRestore.run(null);
    });

    it('is stopped like a restored one, once, but events continue', async () => {
      const jobId = await tables.addJob(3);
      const before = await restoredAt();
      await takeOver(false);
      expect(await state()).toBe('lost_transactions');
      const restarted = new DatabaseIdentity(database);
      expect(await restarted.compare()).toMatchObject({ same: false });
      expect(await afterRestore.check()).toBe(false);
      expect(await state()).toBe('known');
      expect(await tables.job(jobId)).toMatchObject({ status: 'Paused' });
      expect(await restoredAt()).toBe(before);
      expect(await afterRestore.check()).toBe(true);
    });

    it('continues if commits waited for the standby that took over', async () => {
      const jobId = await tables.addJob(3);
      await takeOver(true);
      const restarted = new DatabaseIdentity(database);
      expect(await restarted.compare()).toEqual({
        same: true,
        timeline: { before: expect.any(Number) as number, now: expect.any(Number) as number },
      });
      expect(await restarted.compare()).toEqual({ same: true, timeline: null });
      expect(await state()).toBe('known');
      expect(await tables.job(jobId)).toMatchObject({ status: 'Queued' });
    });
  });

  function delivered(platformMessageId: string, callbackData: string) {
    const { accountId, senderId } = tables;
    const fields = { status: 'delivered' as const, at: ago(1), problem: null, scope: null, recipient: null };
    return { accountId, senderId, platformMessageId, callbackData, ...fields };
  }
});
