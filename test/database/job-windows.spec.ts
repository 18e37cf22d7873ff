import { randomBytes } from 'node:crypto';
import type { Database } from '../../src/infra/database/database';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresBulkJobStore } from '../../src/modules/bulk-jobs/adapters/postgres-bulk-job-store';
import { STATUSES_THAT_ALLOW } from '../../src/modules/bulk-jobs/domain/bulk-job';
import type { SendWindow } from '../../src/modules/bulk-jobs/domain/send-window';
import { PostgresJobWindowStore } from '../../src/modules/delivery/adapters/postgres-job-window-store';
import { PostgresLaneJobStore } from '../../src/modules/delivery/adapters/postgres-lane-job-store';
import { JobWindows } from '../../src/modules/delivery/domain/job-windows';
import type { LaneTelemetry } from '../../src/modules/delivery/domain/lane-telemetry';
import { PostgresWebhookEndpointStore } from '../../src/modules/events/adapters/postgres-webhook-endpoint-store';
import { WebhookSecrets } from '../../src/modules/events/adapters/webhook-secrets';
import { SenderSignal } from '../../src/modules/sending/domain/sender-signal';
import { windowColumns } from '../fakes/lane-rows';
import { describeOnDatabase } from '../support/databases';
import { laneProcessOn } from '../support/lane-stores';
import { ago, SqlSendingTables } from '../support/sending-tables';
import { waitingBodies } from '../support/waiting-events';

/** A one-hour window that opens at a full minute in this many hours, in UTC. */
function openingIn(hours: number): SendWindow {
  const clock = (ahead: number): string => new Date(Date.now() + ahead * 3_600_000).toISOString().slice(11, 16);
  return { from: clock(hours), until: clock(hours + 1), timeZone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7] };
}

describeOnDatabase('Jobs outside their send window', (open) => {
  let database: Database;
  let tables: SqlSendingTables;
  let windows: JobWindows;
  const closed = windowColumns(openingIn(2));
  const woken: string[] = [];
  const running = { status: 'Processing', cursor: 2, settledBelow: 2 };

  beforeAll(async () => {
    database = await open();
    const signal = new SenderSignal();
    signal.onRunnable((senderId) => woken.push(senderId));
    windows = new JobWindows(new PostgresJobWindowStore(database), {} as LaneTelemetry, signal, new SystemClock());
  });

  beforeEach(async () => {
    tables = new SqlSendingTables(database);
    await tables.addSender();
    const secrets = new WebhookSecrets(database, new SecretBox(randomBytes(32)));
    const endpoint = { id: uuidV7(), accountId: tables.accountId, url: 'https://example.com', maxEvents: 1 };
    const store = new PostgresWebhookEndpointStore(database, secrets);
    await store.add({ ...endpoint, events: ['job.throttled'] }, 'whsec_MQ==', 10);
  });

  async function waits(): Promise<{ jobId: string; reason: { code: string; until: string } }[]> {
    const waiting = await waitingBodies(database, tables.accountId);
    return waiting.map(({ body }) => (JSON.parse(body) as { data: Awaited<ReturnType<typeof waits>>[0] }).data);
  }
  const set = (jobId: string, columns: string) =>
    database.execute(`UPDATE bulk_jobs SET ${columns} WHERE id = $1`, [jobId]);

  it('are an event when the window closes, once for any number of processes', async () => {
    const job = await tables.addJob(3, { ...running, ...windowColumns(openingIn(-0.5)) });
    await windows.round();
    expect(await waits()).toEqual([]);

    const window = openingIn(2);
    await tables.change('jobs', { id: job }, windowColumns(window));
    await Promise.all([windows.round(), windows.round(), windows.round()]);
    await windows.round();
    const [event, ...more] = await waits();
    expect(more).toEqual([]);
    expect(event).toMatchObject({ jobId: job, status: 'Processing', reason: { code: 'send_window', message: null } });
    expect(event!.reason.until.slice(11)).toBe(`${window.from}:00.000Z`);
    expect(Date.parse(event!.reason.until)).toBeGreaterThan(Date.now());
  });

  it('are marked by one of several processes', async () => {
    const jobs = [await tables.addJob(3, { ...running, ...closed }), await tables.addJob(3, { ...running, ...closed })];
    const store = new PostgresJobWindowStore(database);
    const marked = await Promise.all([1, 2, 3].map(() => store.markClosed(100)));
    marked.push(await store.markClosed(100));
    expect(marked.reduce((sum, count) => sum + count)).toBe(jobs.length);
  });

  it('are all marked in one round, however many close together', async () => {
    for (let n = 0; n < 205; n++) await tables.addJob(1, { status: 'Queued', ...closed });
    await windows.round();
    expect(await waits()).toHaveLength(205);
  });

  it('are shown as waiting until the time of the event, even before it', async () => {
    const job = await tables.addJob(3, { ...running, ...closed });
    const jobs = new PostgresBulkJobStore(database);
    const opensAt = async () => (await jobs.find(tables.accountId, job))!.windowOpensAt;
    const before = await opensAt();
    await windows.round();
    const [event] = await waits();
    expect([before, await opensAt()]).toEqual([new Date(event!.reason.until), new Date(event!.reason.until)]);
    await tables.change('jobs', { id: job }, windowColumns(openingIn(-0.5)));
    expect(await opensAt()).toBeNull();
    await tables.change('jobs', { id: job }, { ...closed, status: 'Paused' });
    expect(await opensAt()).toBeNull();
  });

  it('are one event if the window is open by the time zones of Node.js', async () => {
    const [zone, zoneOfDatabase] = ['Etc/GMT+5', 'Etc/GMT-7'];
    // Whether a zone differs depends on the releases of Node.js and of the database, so one is replaced.
    const [original] = await database.rows<{ sql: string }>(
      `SELECT pg_get_functiondef('send_window_closed'::regproc) AS sql`,
    );
    const replaced = original!.sql.replaceAll(
      'AT TIME ZONE send_zone',
      `AT TIME ZONE replace(send_zone, '${zone}', '${zoneOfDatabase}')`,
    );
    expect(replaced).not.toBe(original!.sql);
    await database.execute(replaced);
    const openIn = async (timeZone: string): Promise<string> => {
      const local = (minutes: number): string =>
        new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(
          new Date(Date.now() + minutes * 60_000),
        );
      const window = { from: local(-15), until: local(15), timeZone, days: [1, 2, 3, 4, 5, 6, 7] };
      return tables.addJob(3, { ...running, ...windowColumns(window) });
    };
    try {
      const [closedByDatabase] = [await openIn(zone), await openIn('UTC')];
      for (let round = 0; round < 3; round++) await windows.round();
      const [event, ...more] = await waits();
      expect(more).toEqual([]);
      expect(event!.jobId).toBe(closedByDatabase);
      // The database opens the window twelve hours earlier or later than Node.js.
      const ahead = Date.parse(event!.reason.until) - Date.now();
      expect(ahead).toBeGreaterThan(11 * 3_600_000);
      expect(ahead).toBeLessThan(13 * 3_600_000);
    } finally {
      await database.execute(original!.sql);
    }
  });

  it('are another event when the window closes again', async () => {
    const job = await tables.addJob(3, { ...running, ...closed });
    await windows.round();
    await set(job, `window_opens_at = statement_timestamp() - interval '1 s'`);
    const before = (await waits()).length;
    await windows.round();
    expect(await waits()).toHaveLength(before + 1);
  });

  it('are another event when resumed before the window opens', async () => {
    const jobs = new PostgresBulkJobStore(database);
    const job = await tables.addJob(3, { ...running, ...closed });
    const change = (action: 'pause' | 'resume', to: 'Paused' | 'Resumed') =>
      jobs.change(tables.accountId, job, { from: STATUSES_THAT_ALLOW[action], to, keyId: uuidV7() });
    await windows.round();
    await change('pause', 'Paused');
    await change('resume', 'Resumed');
    await windows.round();
    const until = (await waits()).map(({ reason }) => reason.until.slice(11, 16));
    expect(until).toEqual([closed.sendFrom, closed.sendFrom]);
  });

  it('are another event when a client changes the window', async () => {
    const job = await tables.addJob(3, { ...running, ...closed });
    await windows.round();
    const other = openingIn(3);
    await new PostgresBulkJobStore(database).changeTiming(job, { sendWindow: other });
    await windows.round();
    expect((await waits()).map(({ reason }) => reason.until.slice(11, 16))).toEqual([closed.sendFrom, other.from]);
  });

  it('are an event for waiting retries too, but not if nothing is left to send', async () => {
    const done = await tables.addJob(1, { ...running, ...closed }, { 1: { attempt: 1, sendingEpoch: 1 } });
    const retries = await tables.addJob(1, { ...running, ...closed }, { 1: { attempt: 1, retryAt: ago(1) } });
    await windows.round();
    expect((await waits()).map(({ jobId }) => jobId)).toEqual([retries]);
    expect(done).not.toBe(retries);
  });

  describe('need no lane', () => {
    const lane = () => laneProcessOn(database, 'a process', false);
    const quiet = (jobId: string) => set(jobId, `updated_at = now() - interval '1 min'`);
    const addClosed = async (changes: object = {}, recipients: Record<number, object> = {}) => {
      const jobId = await tables.addJob(3, { ...running, laneEpoch: 7, ...closed, ...changes }, recipients);
      await quiet(jobId);
      return jobId;
    };
    const seen = async (epoch: string) => (await lane().unfinishedJobs(tables.senderId, epoch)).map(({ id }) => id);

    it('and rest until their window opens: no lane reads them, and each counts as waiting', async () => {
      const epoch = (await lane().take(tables.senderId))!;
      const jobId = await addClosed({ laneEpoch: 0 });
      expect(await seen(epoch)).toEqual([jobId]);
      await windows.round();
      expect(await tables.job(jobId)).toMatchObject({ status: 'Processing', atRest: true, laneEpoch: 0 });
      expect(await seen(epoch)).toEqual([]);
      expect(await new PostgresBulkJobStore(database).open(tables.accountId)).toMatchObject({
        processing: 0,
        waiting: 1,
      });
      await windows.round();
      expect(await waits()).toHaveLength(1);

      await tables.change('jobs', { id: jobId }, windowColumns(openingIn(-0.5)));
      await set(jobId, `window_opens_at = statement_timestamp()`);
      woken.length = 0;
      await windows.round();
      expect(woken).toEqual([tables.senderId]);
      expect(await tables.job(jobId)).toMatchObject({ atRest: false });
      expect(await seen(epoch)).toEqual([jobId]);
    });

    it('except with messages in flight, unknown outcomes or recent changes', async () => {
      const awake = [
        await addClosed({ settledBelow: 1 }),
        await addClosed({ unknown: 1, unknownInGrace: 1 }),
        await addClosed({}, { 1: { attempt: 2, sendingEpoch: 7 } }),
        await tables.addJob(3, { ...running, ...closed }),
      ];
      await windows.round();
      for (const jobId of awake) expect(await tables.job(jobId)).toMatchObject({ atRest: false });
      expect(await waits()).toHaveLength(awake.length);
    });

    it('until a late answer, the end of their validity, or a client', async () => {
      const [answered, expiring, paused] = [
        await addClosed(),
        await addClosed({ validUntil: ago(-3600) }),
        await addClosed(),
      ];
      await windows.round();
      await new PostgresLaneJobStore(
        database,
        { owner: '', exclusive: false, graceMs: 0, proofRange: 1 },
        new SystemClock(),
      ).save(answered, [], {
        ...{ successfullySent: 1, failed: 0, skipped: 0, unknown: 0, unknownInGrace: 0 },
      });
      expect(await tables.job(answered)).toMatchObject({ atRest: false });
      await set(paused, `status = 'Paused'`);
      expect(await tables.job(paused)).toMatchObject({ atRest: false });
      await set(expiring, `valid_until = statement_timestamp() - interval '1 s'`);
      await windows.round();
      expect(await tables.job(expiring)).toMatchObject({ atRest: false });
    });

    it('and stay at rest while they are paused, when the window opens too', async () => {
      const jobId = await addClosed();
      await windows.round();
      await set(jobId, `status = 'Paused'`);
      await set(jobId, `at_rest = true, window_opens_at = statement_timestamp()`);
      woken.length = 0;
      await windows.round();
      expect(woken).toEqual([]);
      expect(await tables.job(jobId)).toMatchObject({ status: 'Paused', atRest: true });
    });

    it('for any number of them', async () => {
      const first = await addClosed();
      await database.execute(
        `INSERT INTO bulk_jobs (id, account_id, sender_id, kind, status, template_name, language_code, revision_id, total_recipients,
           cursor, settled_below, send_from, send_until, send_zone, send_days, updated_at)
         SELECT gen_random_uuid(), account_id, sender_id, kind, status, template_name, language_code, revision_id, total_recipients,
           cursor, settled_below, send_from, send_until, send_zone, send_days, updated_at
         FROM bulk_jobs, generate_series(1, 1100) WHERE id = $1`,
        [first],
      );
      await windows.round();
      const awake = `SELECT 1 FROM bulk_jobs WHERE sender_id = $1 AND NOT at_rest`;
      expect(await database.rows(awake, [tables.senderId])).toEqual([]);
      await database.execute('UPDATE bulk_jobs SET window_opens_at = statement_timestamp() WHERE sender_id = $1', [
        tables.senderId,
      ]);
      woken.length = 0;
      await new PostgresJobWindowStore(database).wakeOpen(2000);
      expect(await database.rows(awake, [tables.senderId])).toHaveLength(1101);
    });
  });

  it.each(['Scheduled', 'Paused', 'Cancelled'])('are none while they are %s', async (status) => {
    await tables.addJob(3, { ...closed, status, scheduledAt: ago(-60) });
    await windows.round();
    expect(await waits()).toEqual([]);
  });
});
