import type { Database } from '../../src/infra/database/database';
import { SystemClock } from '../../src/infra/system-clock';
import { PostgresJobStatusStore } from '../../src/modules/delivery/adapters/postgres-job-status-store';
import type { LaneTelemetry, NamedJob } from '../../src/modules/delivery/domain/lane-telemetry';
import { PauseExpiry } from '../../src/modules/delivery/domain/pause-expiry';
import { SenderSignal } from '../../src/modules/sending/domain/sender-signal';
import { describeOnDatabase } from '../support/databases';
import { SqlSendingTables } from '../support/sending-tables';

const DAY_S = 86_400;

describeOnDatabase('Jobs that stay paused', (open) => {
  let database: Database;
  let tables: SqlSendingTables;

  beforeAll(async () => {
    database = await open();
    tables = new SqlSendingTables(database);
    await tables.addSender();
  });

  const row = async (id: string) =>
    (await database.rows<Record<string, unknown>>('SELECT * FROM bulk_jobs WHERE id = $1', [id]))[0]!;
  const pausedFor = async (seconds: number, pauseReason = 'Paused by the client') => {
    const id = await tables.addJob(2, { status: 'Paused', pauseReason });
    await database.execute(`UPDATE bulk_jobs SET paused_at = now() - $2 * interval '1 s' WHERE id = $1`, [id, seconds]);
    return id;
  };

  it('are cancelled after 30 days, with a reason, and their lanes are woken to settle them', async () => {
    const long = await pausedFor(30 * DAY_S + 60);
    const short = await pausedFor(30 * DAY_S - 60);
    const notified: string[] = [];
    const woken: string[] = [];
    const signal = new SenderSignal();
    signal.onRunnable((senderId) => woken.push(senderId));
    const telemetry = {
      stopped: ({ id, accountId }: NamedJob) => notified.push(`${accountId} ${id}`),
    } as unknown as LaneTelemetry;
    await new PauseExpiry(new PostgresJobStatusStore(database), telemetry, signal, new SystemClock()).round();

    expect(notified).toEqual([`${tables.accountId} ${long}`]);
    expect(woken).toEqual([tables.senderId]);
    expect(await row(long)).toMatchObject({
      ...{ status: 'Cancelled', error_code: 'pause_expired', pause_reason: null, paused_at: null, completed_at: null },
      error_message: 'The job was paused for 30 days and was cancelled. Retry it to send to the remaining recipients.',
    });
    expect(await row(short)).toMatchObject({ status: 'Paused', pause_reason: 'Paused by the client' });
  });

  it('have the time of the pause, from a client or the platform', async () => {
    const held = await tables.addJob(1, { status: 'Paused' });
    const running = await tables.addJob(1, { status: 'Processing' });
    await tables.change('jobs', { id: running }, { status: 'Paused' });

    expect(await row(held)).toMatchObject({ paused_at: expect.any(Date) as Date });
    expect(await row(running)).toMatchObject({ paused_at: expect.any(Date) as Date });
  });
});
