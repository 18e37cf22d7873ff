import { randomBytes } from 'node:crypto';
import type { Database } from '../../src/infra/database/database';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresBulkJobStore } from '../../src/modules/bulk-jobs/adapters/postgres-bulk-job-store';
import { STATUSES_THAT_ALLOW } from '../../src/modules/bulk-jobs/domain/bulk-job';
import { ADD_TO_COUNTERS, HOLD, MOVE_CURSOR } from '../../src/modules/delivery/adapters/lane-jobs.sql';
import { PostgresDeliveryStore } from '../../src/modules/events/adapters/postgres-delivery-store';
import { PostgresWebhookEndpointStore } from '../../src/modules/events/adapters/postgres-webhook-endpoint-store';
import { WebhookSecrets } from '../../src/modules/events/adapters/webhook-secrets';
import type { DueRow } from '../../src/modules/events/domain/delivery-store.port';
import type { EventType } from '../../src/modules/events/domain/event';
import { describeOnDatabase } from '../support/databases';
import { SqlSendingTables } from '../support/sending-tables';
import { waitingBodies } from '../support/waiting-events';

interface JobEvent {
  type: string;
  data: { jobId: string; status: string; reason: unknown };
}

const ALL: EventType[] = [
  ...(['job.started', 'job.paused', 'job.throttled'] as const),
  ...(['job.completed', 'job.failed', 'job.cancelled'] as const),
];

describeOnDatabase('Events of jobs', (open, isShared) => {
  let database: Database;
  let tables: SqlSendingTables;
  let endpointId: string;

  beforeAll(async () => {
    database = await open();
  });
  beforeEach(async () => {
    tables = new SqlSendingTables(database);
    await tables.addSender();
    endpointId = uuidV7();
    const store = new PostgresWebhookEndpointStore(
      database,
      new WebhookSecrets(database, new SecretBox(randomBytes(32))),
    );
    const fields = { url: 'https://example.com', events: ALL, maxEvents: 1 };
    await store.add({ id: endpointId, accountId: tables.accountId, ...fields }, 'whsec_MQ==', 10);
  });

  async function written(): Promise<JobEvent[]> {
    const waiting = await waitingBodies(database, tables.accountId);
    const events = waiting.map(({ body }) => JSON.parse(body) as JobEvent);
    expect(waiting.map(({ orderKey }) => orderKey)).toEqual(events.map(({ data }) => data.jobId));
    return events;
  }
  const set = (jobId: string, columns: string) =>
    database.execute(`UPDATE bulk_jobs SET ${columns} WHERE id = $1`, [jobId]);

  it('report a job from its start to its end, in order', async () => {
    const jobId = await tables.addJob(3);
    await set(jobId, `status = 'Processing', started_at = now(), cursor = 2`);
    await set(jobId, `cursor = 3, successfully_sent = 2`);
    await set(jobId, `throttled_reason = 'messaging_limit_reached', throttled_until = '2026-01-15T09:30:00Z'`);
    await set(jobId, `throttled_until = '2026-01-15T09:31:00Z'`);
    await set(jobId, `throttled_reason = NULL, throttled_until = NULL`);
    await set(jobId, `status = 'Completed', completed_at = now(), successfully_sent = 3`);
    const events = await written();
    expect(events.map(({ type }) => type)).toEqual(['job.started', 'job.throttled', 'job.completed']);
    expect(events.map(({ data }) => data.reason)).toEqual([
      null,
      { code: 'messaging_limit_reached', message: null, until: '2026-01-15T09:30:00.000Z' },
      null,
    ]);
    expect(events[2]!.data).toEqual({
      ...{ jobId, status: 'Completed', kind: expect.any(String), templateName: 'promo', languageCode: 'en_US' },
      ...{ reference: 'spring', totalRecipients: 3, successfullySent: 3, failed: 0, reason: null },
    });
  });

  it('report a limit of the template once, until a message of the job is accepted', async () => {
    const jobId = await tables.addJob(10, { status: 'Processing', laneEpoch: 1, cursor: 2, settledBelow: 2 });
    let cursor = 2;
    const claim = (until: Date | null = null) =>
      database.execute(MOVE_CURSOR, [jobId, 1, cursor, ++cursor, cursor, 0, until, until && 'TIER_1K', false]);
    const record = (accepted: number) => database.execute(ADD_TO_COUNTERS, [jobId, accepted, 1 - accepted, 0, 0, 0]);
    const hold = () => database.execute(HOLD, [jobId, 1, 60_000]);
    const minuteLater = () => set(jobId, `throttled_until = throttled_until - interval '61 s'`);
    const reasons = async () =>
      (await written()).flatMap(({ type, data }) =>
        type === 'job.throttled' ? [(data.reason as { code: string }).code] : [],
      );

    await hold();
    await record(1); // Sent before the limit was known.
    for (let minute = 0; minute < 3; minute++) {
      await minuteLater();
      await claim();
      await record(0);
      await hold();
    }
    expect(await reasons()).toEqual(['template_limited']);
    await minuteLater();
    await claim();
    await record(1);
    await hold();
    expect(await reasons()).toEqual(['template_limited', 'template_limited']);
    await minuteLater();
    await claim(new Date(Date.now() + 60_000));
    expect((await reasons()).slice(2)).toEqual(['messaging_limit_reached']);
  });

  it('contain why a job is paused, failed or cancelled', async () => {
    const [one, two] = [await tables.addJob(1), await tables.addJob(1)];
    const jobs = new PostgresBulkJobStore(database);
    const change = (action: 'pause' | 'resume' | 'cancel', to: 'Paused' | 'Resumed' | 'Cancelled') =>
      jobs.change(tables.accountId, one, { from: STATUSES_THAT_ALLOW[action], to, keyId: uuidV7() });
    await change('pause', 'Paused');
    await change('resume', 'Resumed');
    await set(one, `status = 'Paused', pause_problem = 'template_paused', pause_reason = 'Low quality'`);
    await change('cancel', 'Cancelled');
    await set(one, `completed_at = now()`);
    await set(two, `status = 'Failed', error_code = 'template_disabled', error_message = 'Disabled'`);
    expect((await written()).map(({ type, data }) => [type, data.reason])).toEqual([
      ['job.paused', { code: 'paused_by_client', message: 'Paused by the client', until: null }],
      ['job.paused', { code: 'template_paused', message: 'Low quality', until: null }],
      ['job.cancelled', null],
      ['job.failed', { code: 'template_disabled', message: 'Disabled', until: null }],
    ]);
  });

  it('report the wait of a lane for each job that it sends for', async () => {
    const jobs = [await tables.addJob(1), await tables.addJob(1)];
    const paused = await tables.addJob(1);
    await set(paused, `status = 'Paused'`);
    await database.execute('INSERT INTO sender_lanes (sender_id) VALUES ($1) ON CONFLICT DO NOTHING', [
      tables.senderId,
    ]);
    const wait = `UPDATE sender_lanes SET throttled_reason = $2, throttled_until = now() WHERE sender_id = $1`;
    await database.execute(wait, [tables.senderId, 'platform_outage']);
    await database.execute(wait, [tables.senderId, 'platform_outage']);
    const throttled = (await written()).filter(({ type }) => type === 'job.throttled');
    expect(throttled.map(({ data }) => data.jobId)).toEqual(jobs);
    expect(throttled[0]!.data.reason).toMatchObject({ code: 'platform_outage' });
  });

  describe('of jobs that start while their lane waits', () => {
    const throttled = async () =>
      (await written()).flatMap(({ type, data }) => (type === 'job.throttled' ? [[data.jobId, data.reason]] : []));
    const waits = (lease = `now() + interval '4 s'`) =>
      database.execute(
        `INSERT INTO sender_lanes AS l (sender_id, lease_until) VALUES ($1, ${lease})
         ON CONFLICT (sender_id) DO UPDATE SET throttled_reason = 'platform_outage', throttled_until = '2026-01-15T09:30:00Z'`,
        [tables.senderId],
      );
    const outage = { code: 'platform_outage', message: null, until: '2026-01-15T09:30:00.000Z' };
    const begin = (jobId: string) => set(jobId, `status = 'Queued', at_rest = false`);

    it.each(['Importing', 'Scheduled', 'Paused'])('report the wait once: %s', async (status) => {
      await waits();
      await waits();
      const jobId = await tables.addJob(2, { status });
      await begin(jobId);
      await set(jobId, `status = 'Processing', started_at = now(), cursor = 2`);
      expect(await throttled()).toEqual([[jobId, outage]]);
    });

    it('report none if the lane has no owner or does not wait', async () => {
      await waits(`now() - interval '1 s'`);
      const jobId = await tables.addJob(2, { status: 'Scheduled' });
      await begin(jobId);
      await waits();
      await set(jobId, `status = 'Paused'`);
      await database.execute(`UPDATE sender_lanes SET lease_until = now() + interval '4 s', throttled_reason = NULL`);
      await begin(jobId);
      expect(await throttled()).toEqual([[jobId, outage]]);
    });

    // Only PostgreSQL has concurrent transactions.
    if (isShared)
      it.each(['lane', 'job'])('report it once if both start together, the %s first', async (first) => {
        await waits();
        await database.execute(`UPDATE sender_lanes SET throttled_reason = NULL WHERE sender_id = $1`, [
          tables.senderId,
        ]);
        const jobId = await tables.addJob(1, { status: 'Scheduled' });
        const begins = [() => waits(), () => begin(jobId)] as const;
        const [one, other] = first === 'lane' ? begins : [begins[1], begins[0]];
        let proceed!: () => void;
        const isWritten = new Promise<void>((resolve) => (proceed = resolve));
        const undecided = database.transaction(async () => {
          await one();
          proceed();
          await new Promise((done) => setTimeout(done, 100));
        });
        await isWritten;
        await Promise.all([undecided, other()]);
        expect(await throttled()).toEqual([[jobId, outage]]);
      });
  });

  it('have the same body in every attempt, a list if the endpoint takes several, after those of an earlier version', async () => {
    const secrets = new WebhookSecrets(database, new SecretBox(randomBytes(32)));
    const store = new PostgresWebhookEndpointStore(database, secrets);
    const list = { id: uuidV7(), accountId: tables.accountId, url: 'https://example.com', events: ALL, maxEvents: 50 };
    await store.add(list, 'whsec_MQ==', 10);
    const jobId = await tables.addJob(1);
    const earlier = '{"type" : "job.started"}';
    await database.execute(
      `INSERT INTO webhook_outbox (endpoint_id, order_key, bodies, payload) VALUES ($1, $2, 1, $3)`,
      [...[endpointId, jobId, earlier]],
    );
    await set(jobId, `status = 'Cancelled'`);
    await store.change(tables.accountId, list.id, { maxEvents: 1 });
    const deliveries = new PostgresDeliveryStore(database, secrets);
    const due = async (id: string) => (await deliveries.due(id, [], null, 10)).rows;

    const [first] = (await due(endpointId)) as [DueRow];
    expect(first.payload).toBe(earlier);
    await deliveries.finish([{ id: first.id, endpointId, again: null, attempts: [], row: first }]);
    const [{ payload: single }] = (await due(endpointId)) as [DueRow];
    const [{ payload, createdAt }] = (await due(list.id)) as [DueRow];
    expect(JSON.parse(single)).toMatchObject({ type: 'job.cancelled', timestamp: expect.any(String) as string });
    expect(JSON.parse(payload)).toMatchObject({
      events: [{ type: 'job.cancelled', timestamp: createdAt.toISOString(), data: { jobId, status: 'Cancelled' } }],
    });
    await database.execute(`UPDATE bulk_jobs SET failed = 1 WHERE id = $1`, [jobId]);
    expect((await due(list.id)).map((row) => row.payload)).toEqual([payload]);
  });

  it('are not written if the change is rolled back', async () => {
    const jobId = await tables.addJob(1);
    const undone = database.transaction(async () => {
      await set(jobId, `status = 'Cancelled'`);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await written()).toEqual([]);
  });
});
