import type { Database } from '../../src/infra/database/database';
import { SystemClock } from '../../src/infra/system-clock';
import { PostgresJobScheduleStore } from '../../src/modules/delivery/adapters/postgres-job-schedule-store';
import { JobSchedules } from '../../src/modules/delivery/domain/job-schedules';
import { MISSED_SCHEDULE } from '../../src/modules/delivery/domain/job-stop';
import type { LaneTelemetry, NamedJob } from '../../src/modules/delivery/domain/lane-telemetry';
import { SenderSignal } from '../../src/modules/sending/domain/sender-signal';
import { describeOnDatabase } from '../support/databases';
import { ago, SqlSendingTables } from '../support/sending-tables';

describeOnDatabase('Scheduled jobs', (open) => {
  let database: Database;
  let tables: SqlSendingTables;
  let schedules: JobSchedules;
  let notified: string[];
  let woken: string[];

  beforeAll(async () => {
    database = await open();
    const signal = new SenderSignal();
    signal.onRunnable((senderId) => woken.push(senderId));
    const telemetry = {
      due: ({ id }: NamedJob) => notified.push(`due ${id}`),
      stopped: ({ id }: NamedJob) => notified.push(`stopped ${id}`),
    } as unknown as LaneTelemetry;
    const store = new PostgresJobScheduleStore(database);
    schedules = new JobSchedules(store, telemetry, signal, new SystemClock());
    tables = new SqlSendingTables(database);
    await tables.addSender();
  });

  beforeEach(() => {
    notified = [];
    woken = [];
  });

  const scheduled = (seconds: number, changes: object = {}) =>
    tables.addJob(2, { status: 'Scheduled', scheduledAt: ago(seconds), atRest: true, ...changes });

  it('start at their time, and not before', async () => {
    const [due, later] = [await scheduled(0.01), await scheduled(-60)];
    await schedules.round();

    expect(await tables.job(due)).toMatchObject({ status: 'Queued', atRest: false, errorCode: null });
    expect(await tables.job(later)).toMatchObject({ status: 'Scheduled', atRest: true });
    expect(notified).toEqual([`due ${due}`]);
    expect(woken).toEqual([tables.senderId]);
    await tables.change('jobs', { id: later }, { status: 'Cancelled' });
  });

  it('start once, with any number of processes', async () => {
    const jobs = [await scheduled(3), await scheduled(2), await scheduled(1)];
    await Promise.all([schedules.round(), schedules.round(), schedules.round()]);
    await schedules.round();
    expect(notified.sort()).toEqual(jobs.map((id) => `due ${id}`).sort());
  });

  it('start in one round, however many have the same time', async () => {
    const first = await scheduled(1);
    const copies = 1200;
    await database.execute(
      `INSERT INTO bulk_jobs (id, account_id, sender_id, kind, status, at_rest, template_name, language_code, revision_id,
         total_recipients, scheduled_at)
       SELECT gen_random_uuid(), account_id, sender_id, kind, status, at_rest, template_name, language_code, revision_id,
         total_recipients, scheduled_at FROM bulk_jobs, generate_series(1, $2) WHERE id = $1`,
      [first, copies],
    );
    await schedules.round();
    expect(notified).toHaveLength(copies + 1);
    expect(new Set(notified).size).toBe(copies + 1);
    expect(await database.rows(`SELECT 1 FROM bulk_jobs WHERE status = 'Scheduled' AND scheduled_at <= now()`)).toEqual(
      [],
    );
  });

  it('with earlier sends continue', async () => {
    const job = await scheduled(1, { cursor: 2, startedAt: ago(60) });
    await schedules.round();
    expect(await tables.job(job)).toMatchObject({ status: 'Processing', cursor: 2 });
  });

  it.each(['Paused', 'Cancelled', 'Processing'])('that are %s meanwhile are skipped', async (status) => {
    const job = await scheduled(1, { status });
    await schedules.round();
    expect(await tables.job(job)).toMatchObject({ status });
  });

  it('fail if no process ran for more than six hours', async () => {
    const [late, missed] = [await scheduled(6 * 3600 - 60), await scheduled(6 * 3600 + 60)];
    await schedules.round();
    expect(await tables.job(late)).toMatchObject({ status: 'Queued' });
    expect(await tables.job(missed)).toMatchObject({
      ...{ status: 'Failed', atRest: false, errorCode: 'schedule_missed', errorMessage: MISSED_SCHEDULE.reason },
    });
    expect(notified).toEqual(expect.arrayContaining([`due ${late}`, `stopped ${missed}`]));
  });
});
