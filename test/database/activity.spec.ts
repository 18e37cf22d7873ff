import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { LOCK_CHANGED_JOBS, SAMPLE_JOBS } from '../../src/modules/delivery/adapters/activity.sql';
import { PostgresActivityStore } from '../../src/modules/delivery/adapters/postgres-activity-store';
import { PostgresJobStatusStore } from '../../src/modules/delivery/adapters/postgres-job-status-store';
import { OPTED_OUT_PACE } from '../../src/modules/delivery/adapters/schema/0101-opted-out';
import { MAX_PACE_SAMPLES } from '../../src/modules/delivery/domain/activity';
import { ActivityService } from '../../src/modules/delivery/domain/activity.service';
import { describeOnDatabase } from '../support/databases';
import { SqlSendingTables } from '../support/sending-tables';

const HOUR_MS = 3_600_000;
const EVERY_JOB = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/** A promise with its resolution. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describeOnDatabase('What happened when', (open, isShared) => {
  let database: Database;
  let tables: SqlSendingTables;
  let store: PostgresActivityStore;
  let activity: ActivityService;

  beforeAll(async () => {
    database = await open();
    store = new PostgresActivityStore(database);
    activity = new ActivityService(store);
  });
  beforeEach(async () => {
    tables = new SqlSendingTables(database);
    await tables.addSender();
  });

  const count = () => activity.count(new AbortController().signal);
  const change = (jobId: string, set: string) => database.execute(`UPDATE bulk_jobs SET ${set} WHERE id = $1`, [jobId]);
  const report = () => {
    const now = Date.now();
    return activity.report(tables.accountId, { from: new Date(now - HOUR_MS), until: new Date(now + 1) }, 'hour');
  };
  async function startedJob(): Promise<string> {
    const jobId = await tables.addJob(1);
    await change(jobId, `status = 'Queued', failed = 2, started_at = NULL`);
    await change(jobId, `status = 'Processing', started_at = now(), failed = 3`);
    return jobId;
  }
  const sums = async (jobId: string) => {
    const { items } = await activity.pace(jobId);
    const sum = (of: 'sent' | 'failed') => items.reduce((total, item) => total + item[of], 0);
    return { sent: sum('sent'), failed: sum('failed') };
  };
  async function addMessage(status: string, fields: Record<string, unknown> = {}): Promise<string> {
    const message = {
      id: uuidV7(),
      account_id: tables.accountId,
      direction: 'Outbound',
      type: 'Template',
      status,
      ...fields,
    };
    const columns = Object.keys(message);
    await database.execute(
      `INSERT INTO messages (${columns.join(', ')}, created_at) VALUES (${columns.map((_, n) => `$${n + 1}`).join(', ')}, now())`,
      Object.values(message),
    );
    return message.id;
  }

  it('is sampled of a job once for each change, by several processes at the same moment too', async () => {
    const jobId = await startedJob();
    await change(jobId, 'successfully_sent = 10');
    await Promise.all([count(), count(), count()]);
    await count();
    expect(await sums(jobId)).toEqual({ sent: 10, failed: 1 });
    await change(jobId, `successfully_sent = 15, failed = 5`);
    await count();
    expect(await sums(jobId)).toEqual({ sent: 15, failed: 3 });
    await change(jobId, 'failed = 6');
    await count();
    expect(await sums(jobId)).toEqual({ sent: 15, failed: 4 });
    expect((await report()).totals).toMatchObject({ sent: 15, failed: 4 });
  });

  it('does not count people who opted out as failed, before or after their job started', async () => {
    const jobId = await tables.addJob(1);
    await change(jobId, `status = 'Queued', failed = 2, skipped = 2, started_at = NULL`);
    await change(jobId, `status = 'Processing', started_at = now(), failed = 6, skipped = 5`);
    await count();
    expect(await sums(jobId)).toEqual({ sent: 0, failed: 1 });
    await change(jobId, 'failed = 9, skipped = 8');
    await change(jobId, `successfully_sent = 4, failed = 10, status = 'Completed', completed_at = now()`);
    await count();
    expect(await sums(jobId)).toEqual({ sent: 4, failed: 2 });
    await addMessage('Failed', { problem: 'opted_out' });
    await addMessage('Failed', { problem: 'recipient_unreachable' });
    await count();
    expect((await report()).totals).toMatchObject({ sent: 4, failed: 3 });
  });

  it('keeps what the version before has sampled of a running job', async () => {
    const jobId = await startedJob();
    await change(jobId, 'failed = 13, skipped = 10');
    await count();
    // That version counted all of them as failed, and had no column for the others.
    await database.execute('UPDATE job_pace SET skipped = 0 WHERE job_id = $1', [jobId]);
    for (const statement of OPTED_OUT_PACE.statements) await database.execute(statement);
    await change(jobId, 'failed = 15, skipped = 11');
    await count();
    expect(await sums(jobId)).toEqual({ sent: 0, failed: 2 });
  });

  it('is sampled of every running job, however many run', async () => {
    const jobId = await startedJob();
    const columns = `account_id, sender_id, kind, template_name, language_code, revision_id`;
    await database.execute(
      `INSERT INTO bulk_jobs (id, status, ${columns})
       SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Processing', ${columns}
       FROM bulk_jobs, generate_series(1, 2000) n WHERE id = $1`,
      [jobId],
    );
    await count();
    await change(jobId, 'successfully_sent = 10');
    await count();
    expect(await sums(jobId)).toEqual({ sent: 10, failed: 1 });
    await database.execute(`DELETE FROM bulk_jobs WHERE id::text LIKE '00000000-%'`);
  });

  it('contains what a job did before it completed, rested, or got a late proof between two samples', async () => {
    const jobId = await startedJob();
    await change(jobId, `successfully_sent = 7, status = 'Paused', paused_at = now()`);
    await change(jobId, 'at_rest = true');
    await count();
    expect(await sums(jobId)).toEqual({ sent: 7, failed: 1 });
    await change(jobId, `status = 'Processing'`);
    await change(jobId, `successfully_sent = 900, failed = 100, status = 'Completed', completed_at = now()`);
    await count();
    expect(await sums(jobId)).toEqual({ sent: 900, failed: 98 });
    await change(jobId, 'successfully_sent = 901, failed = 99');
    await count();
    expect(await sums(jobId)).toEqual({ sent: 901, failed: 97 });
    expect((await report()).totals).toMatchObject({ sent: 901, failed: 97 });
  });

  it('is sampled once of a job that rests or completes without a change of its counters', async () => {
    const due = async () => (await database.rows('SELECT 1 FROM job_pace WHERE job_id = $1 AND due', [jobId])).length;
    const jobId = await startedJob();
    await count();
    for (const set of [`at_rest = true`, `status = 'Completed', completed_at = now()`]) {
      await change(jobId, set);
      expect(await due()).toBe(1);
      await count();
      expect(await due()).toBe(0);
    }
    expect(await sums(jobId)).toEqual({ sent: 0, failed: 1 });
  });

  // Transactions meet on PostgreSQL only.
  if (isShared) {
    it.each(['counted', 'locked'])('contains a late change that comes when the earlier ones are %s', async (step) => {
      const jobId = await startedJob();
      await change(jobId, `successfully_sent = 9, failed = 2, status = 'Completed', completed_at = now()`);
      const [reached, goOn] = [gate(), gate()];
      const counting = database.transaction(async () => {
        await database.rows(LOCK_CHANGED_JOBS, EVERY_JOB);
        if (step === 'counted') await database.rows(SAMPLE_JOBS, [[jobId]]);
        reached.open();
        await goOn.opened;
        if (step === 'locked') await database.rows(SAMPLE_JOBS, [[jobId]]);
      });
      await reached.opened;
      const late = change(jobId, 'successfully_sent = successfully_sent + 1');
      await Promise.race([late, new Promise((done) => setTimeout(done, 200))]);
      goOn.open();
      await Promise.all([counting, late]);
      await count();
      expect((await sums(jobId)).sent).toBe(10);
      expect((await report()).totals.sent).toBe(10);
    });

    it('contains every change, however they meet the counting', async () => {
      const jobs = await Promise.all([startedJob(), startedJob(), startedJob()]);
      for (const jobId of jobs) await change(jobId, `status = 'Completed', completed_at = now()`);
      const proofs = jobs.flatMap((jobId) =>
        Array.from({ length: 40 }, () => change(jobId, 'successfully_sent = successfully_sent + 1')),
      );
      await Promise.all([...proofs, ...Array.from({ length: 20 }, () => activity.count(new AbortController().signal))]);
      await count();
      for (const jobId of jobs) expect((await sums(jobId)).sent).toBe(40);
      expect((await report()).totals.sent).toBe(120);
    });
  }

  it.each(['Cancelled', 'Failed'])('leaves out whom a job that is %s never tried', async (status) => {
    const jobId = await startedJob();
    await change(jobId, 'successfully_sent = 40, failed = 5');
    await count();
    await change(jobId, `status = '${status}'`);
    await change(jobId, 'failed = 6');
    await change(jobId, 'failed = 99960, completed_at = now()');
    await count();
    expect(await sums(jobId)).toEqual({ sent: 40, failed: 4 });
    await change(jobId, 'successfully_sent = 41, failed = 99959');
    await count();
    expect((await report()).totals).toMatchObject({ sent: 41, failed: 3 });
  });

  it('is kept of a job in at most 500 samples, whose step doubles', async () => {
    const jobId = await startedJob();
    await database.execute(
      `INSERT INTO job_pace_samples (job_id, at, sent, failed)
       SELECT $1, date_trunc('hour', now()) - n * interval '1 s', 1, 0 FROM generate_series(1, ${MAX_PACE_SAMPLES - 1}) n`,
      [jobId],
    );
    await database.execute(`UPDATE job_pace SET samples = ${MAX_PACE_SAMPLES - 1} WHERE job_id = $1`, [jobId]);
    await change(jobId, 'successfully_sent = 10');
    await count();
    const { stepSeconds, items } = await activity.pace(jobId);
    expect(stepSeconds).toBe(2);
    expect(items.length).toBeLessThanOrEqual(MAX_PACE_SAMPLES / 2 + 1);
    expect(items.every(({ at }) => at.getTime() % 2000 === 0)).toBe(true);
    expect(await sums(jobId)).toEqual({ sent: MAX_PACE_SAMPLES - 1 + 10, failed: 1 });
    const expectPlace = async () => {
      const [place] = await database.rows<{ samples: number; lastAt: Date }>(
        'SELECT samples, last_at AS "lastAt" FROM job_pace WHERE job_id = $1',
        [jobId],
      );
      const kept = (await activity.pace(jobId)).items;
      expect(place).toEqual({ samples: kept.length, lastAt: kept.at(-1)!.at });
    };
    await expectPlace();
    await change(jobId, 'successfully_sent = 11');
    await count();
    expect((await sums(jobId)).sent).toBe(MAX_PACE_SAMPLES + 10);
    await expectPlace();
  });

  it('is counted of messages beside jobs, as their statuses change', async () => {
    const sent = await addMessage('Sent');
    await addMessage('Failed', { problem: 'recipient_unreachable' });
    const failing = await addMessage('Queued');
    await addMessage('Received', { direction: 'Inbound', type: 'Text' });
    await database.execute(`UPDATE messages SET status = 'Read' WHERE id = $1`, [sent]);
    await database.execute(`UPDATE messages SET status = 'Failed', problem = 'expired' WHERE id = $1`, [failing]);
    // Of a job, whose counters say the rest.
    await addMessage('Failed', { problem: 'expired', job_id: uuidV7() });
    await count();
    await count();
    for (const skipped of ['opted_out', 'recipient_erased']) {
      await database.execute(
        `INSERT INTO account_failures (account_id, hour, code, count) VALUES ($1, date_trunc('hour', now(), 'UTC'), $2, 9)`,
        [tables.accountId, skipped],
      );
    }
    const { totals, series, topFailures } = await report();
    expect(totals).toEqual({ sent: 1, delivered: 1, read: 1, undelivered: 0, failed: 2, received: 1 });
    expect(series).toHaveLength(2);
    await addMessage('Received', { direction: 'Inbound', type: 'Text' });
    await addMessage('Failed', { problem: 'expired' });
    await addMessage('Read');
    const undelivered = await addMessage('Sent');
    await database.execute(`UPDATE messages SET status = 'Undelivered' WHERE id = $1`, [undelivered]);
    await count();
    const later = await report();
    expect(later.totals).toEqual({
      sent: 3,
      delivered: 2,
      read: 2,
      undelivered: 1,
      failed: 3,
      received: 2,
    });
    expect(later.topFailures[0]).toEqual({ errorCode: 'expired', count: 3 });
    expect(topFailures).toEqual([
      { errorCode: 'expired', count: 2 },
      { errorCode: 'recipient_unreachable', count: 1 },
    ]);
  });

  it('is counted in the hour in which it happened, and reported for every hour that the period touches', async () => {
    const halfPast = new Date((Math.floor(Date.now() / HOUR_MS) - 1.5) * HOUR_MS);
    await addMessage('Sent');
    await addMessage('Failed', { problem: 'expired' });
    await database.execute('UPDATE activity_deltas SET at = $2 WHERE account_id = $1', [tables.accountId, halfPast]);
    await count();
    const range = { from: halfPast, until: new Date(halfPast.getTime() + 1) };
    const { totals, series, topFailures } = await activity.report(tables.accountId, range, 'hour');
    expect(series.map(({ at }) => at)).toEqual([new Date(halfPast.getTime() - HOUR_MS / 2)]);
    expect(totals).toMatchObject({ sent: 1, failed: 1 });
    expect(topFailures).toEqual([{ errorCode: 'expired', count: 1 }]);
  });

  it('is summed up for the last seven days and the seven before', async () => {
    const now = new Date();
    const add = (hours: number, sent: number) =>
      database.execute(
        `INSERT INTO account_activity (account_id, hour, sent)
         VALUES ($1, date_trunc('hour', $2::timestamptz, 'UTC') - $3 * interval '1 hour', $4)`,
        [tables.accountId, now, hours, sent],
      );
    await add(0, 1);
    await add(167, 20);
    await add(168, 300);
    await add(335, 4000);
    await add(336, 50_000);
    expect(await activity.weeks(tables.accountId, now, 14)).toMatchObject({
      last: { sent: 21 },
      before: { sent: 4300 },
    });
    expect(await activity.weeks(tables.accountId, now, 13)).toMatchObject({ last: { sent: 21 }, before: null });
  });

  it('is counted of the messages of jobs when the statuses are added to their jobs', async () => {
    const jobId = await startedJob();
    const statuses = new PostgresJobStatusStore(database);
    await statuses.addDeltas([
      { jobId, delivered: 3, read: 1, undelivered: 0 },
      { jobId, delivered: 0, read: 0, undelivered: 2 },
    ]);
    await statuses.foldDeltas(100);
    expect((await report()).totals).toMatchObject({ delivered: 3, read: 1, undelivered: 2 });
    await statuses.addDeltas([{ jobId, delivered: 5, read: 7, undelivered: 1 }]);
    await statuses.foldDeltas(100);
    await statuses.foldDeltas(100);
    expect((await report()).totals).toMatchObject({ delivered: 8, read: 8, undelivered: 3 });
  });

  it('is shown by whole days, and forgotten with the history of the account', async () => {
    const at = (daysAgo: number) => new Date(Math.floor(Date.now() / (24 * HOUR_MS) - daysAgo) * 24 * HOUR_MS);
    for (const [days, hours] of [
      [3, 1],
      [3, 5],
      [1, 0],
      [0, 0],
    ] as const) {
      await database.execute(`INSERT INTO account_activity (account_id, hour, sent) VALUES ($1, $2, 4)`, [
        tables.accountId,
        new Date(at(days).getTime() + hours * HOUR_MS),
      ]);
      await database.execute(
        `INSERT INTO account_failures (account_id, hour, code, count) VALUES ($1, $2, 'expired', 1)`,
        [tables.accountId, new Date(at(days).getTime() + hours * HOUR_MS)],
      );
    }
    const range = { from: at(4), until: at(0) };
    const days = await activity.report(tables.accountId, range, 'day');
    expect(days.series.map(({ at: day, sent }) => [day, sent])).toEqual([
      [at(4), 0],
      [at(3), 8],
      [at(2), 0],
      [at(1), 4],
    ]);
    expect(days.topFailures).toEqual([{ errorCode: 'expired', count: 3 }]);
    expect(await activity.expire(tables.accountId, new Date(at(3).getTime() + HOUR_MS), 10)).toBe(0);
    expect(await activity.expire(tables.accountId, at(2), 1)).toBe(1);
    expect(await activity.expire(tables.accountId, at(2), 10)).toBe(1);
    const left = await activity.report(tables.accountId, range, 'day');
    expect([left.totals.sent, left.topFailures]).toEqual([4, [{ errorCode: 'expired', count: 1 }]]);
  });
});
