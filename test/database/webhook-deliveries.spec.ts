import { Webhook } from 'standardwebhooks';
import type { Database } from '../../src/infra/database/database';
import { DatabaseIdentity } from '../../src/infra/database/database-identity';
import { HealthChecks } from '../../src/infra/health/health-checks';
import { uuidV7 } from '../../src/kernel/uuid';
import { DELIVERIES_WITH } from '../../src/modules/events/adapters/webhooks.sql';
import type { AccountEvent } from '../../src/modules/events/domain/event';
import { EventOutbox } from '../../src/modules/events/domain/event-outbox';
import { newWebhookSecret } from '../../src/modules/events/domain/webhook-signature';
import type { DeliveryStatus } from '../../src/modules/events/domain/webhook-delivery';
import { WebhookDeliveries } from '../../src/modules/events/domain/webhook-deliveries';
import { WebhookEndpointStore } from '../../src/modules/events/domain/webhook-endpoint-store.port';
import { describeOnDatabase } from '../support/databases';
import { type PlanNode, readingOf } from '../support/explained-plans';
import { until } from '../support/process/service';
import { numberOf, recordJobEvent } from '../support/waiting-events';
import { WebhookReceiver } from '../support/webhook-receiver';
import { WebhooksApi } from '../support/webhooks-api';

const PATIENCE_MS = 30_000;

describeOnDatabase('Deliveries to webhook endpoints', (open) => {
  let database: Database;
  let api: WebhooksApi;
  let receiver: WebhookReceiver;
  let accountId: string;

  beforeAll(async () => {
    database = await open();
    api = new WebhooksApi(database);
    await api.start({ allowPrivate: true, role: 'all' });
  });
  beforeEach(async () => {
    accountId = await api.newAccount();
    receiver = await new WebhookReceiver().start();
  });
  afterEach(async () => {
    await database.execute(`DELETE FROM webhook_endpoints`);
    await receiver.close();
  });
  afterAll(() => api?.app.close());

  const create = async (fields: object = {}): Promise<{ id: string; secret: string }> => {
    const body = { url: receiver.url, events: ['message.received', 'job.completed'], ...fields };
    return (await api.http('post', '/webhook-endpoints', body).expect(201)).body as { id: string; secret: string };
  };
  const event = (n: number) => {
    return { accountId, type: 'message.received', at: new Date(), data: { n } as object } as AccountEvent;
  };
  const happen = (...numbers: number[]) => api.app.get(EventOutbox).write(numbers.map(event));
  const numbers = () => receiver.received.map(({ body }) => numberOf(body));
  const arrived = (count: number) =>
    until(() => Promise.resolve(receiver.received.length >= count), PATIENCE_MS, `${count} events arrived`);
  const waiting = async (id: string) =>
    (await database.rows('SELECT id FROM webhook_outbox WHERE endpoint_id = $1', [id])).length;
  const delivered = (id: string) => until(async () => (await waiting(id)) === 0, PATIENCE_MS, 'nothing waits');
  const due = (id: string) =>
    database.execute('UPDATE webhook_outbox SET next_at = now() WHERE endpoint_id = $1', [id]);
  const unblocked = (id: string) =>
    database.execute('UPDATE webhook_endpoints SET blocked_until = NULL WHERE id = $1', [id]);

  it('deliver every committed event once, signed', async () => {
    const { id, secret } = await create();
    await happen(1, 2, 3);
    const undone = database.transaction(async () => {
      await happen(4);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await happen(5);
    await delivered(id);
    expect(numbers().sort()).toEqual([1, 2, 3, 5]);
    for (const { body, headers } of receiver.received) {
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'message.received' });
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(4);
  });

  it('deliver nothing of a restored database until a person confirms it, and degrade its health', async () => {
    const { id } = await create();
    const check = async () => {
      const { checks } = await api.app.get(HealthChecks).run();
      return checks.find(({ name }) => name === 'events_after_restore')?.health;
    };
    expect(await check()).toEqual({ ok: true });
    await database.execute('UPDATE database_identity SET restored_at = clock_timestamp()');
    await happen(1, 2, 3);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(receiver.received).toEqual([]);
    expect(await check()).toEqual({ ok: false, reason: expect.stringContaining('EVENTS_AFTER_RESTORE') as string });

    await api.app.get(DatabaseIdentity).confirmOriginal();
    await delivered(id);
    expect(numbers().sort()).toEqual([1, 2, 3]);
    expect(await check()).toEqual({ ok: true });
  });

  it('contain up to maxEvents events per body', async () => {
    const { id } = await create({ maxEvents: 2 });
    await happen(1, 2, 3);
    await delivered(id);
    const bodies = receiver.received.map(({ body }) => (JSON.parse(body) as { events: object[] }).events.length);
    expect(bodies.sort()).toEqual([1, 2]);
  });

  it('are repeated under the same id with the same bytes until delivered', async () => {
    const { id } = await create();
    receiver.status = 500;
    await happen(1);
    await arrived(1);
    await until(
      async () => (await database.rows('SELECT 1 FROM webhook_outbox WHERE attempt = 1')).length > 0,
      PATIENCE_MS,
      'it is retried',
    );
    receiver.status = 200;
    await due(id);
    await delivered(id);
    const [first, second] = receiver.received;
    expect(second!.body).toBe(first!.body);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    const { body } = await api.http('get', `/webhook-endpoints/${id}/deliveries`).expect(200);
    expect(body.items).toMatchObject([
      { attempt: 2, status: 'Delivered', httpStatus: 200, nextAttemptAt: null },
      { attempt: 1, status: 'Retrying', httpStatus: 500, error: 'HTTP 500', nextAttemptAt: expect.any(String) },
    ]);
  });

  it('deliver events of one job one after the other', async () => {
    const { id } = await create();
    const jobId = uuidV7();
    for (let n = 0; n < 20; n++) await recordJobEvent(database, accountId, jobId, n);
    await delivered(id);
    expect(numbers()).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('stop for a disabled endpoint, and continue when it is enabled', async () => {
    const { id } = await create();
    await api.http('patch', `/webhook-endpoints/${id}`, { status: 'Disabled' }).expect(200);
    await happen(1);
    expect(await waiting(id)).toBe(0);
    await api.http('patch', `/webhook-endpoints/${id}`, { status: 'Enabled' }).expect(200);
    await happen(2);
    await delivered(id);
    expect(numbers()).toEqual([2]);
  });

  it('stop for an endpoint deleted during its response', async () => {
    const { id } = await create();
    await happen(...Array.from({ length: 200 }, (_, n) => n));
    await arrived(1);
    await api.http('delete', `/webhook-endpoints/${id}`).expect(204);
    await until(
      () => Promise.resolve(api.app.get(WebhookDeliveries).endpoints === 0),
      PATIENCE_MS,
      'it is no longer called',
    );
    const count = receiver.received.length;
    await happen(1);
    expect(receiver.received).toHaveLength(count);
  });

  it('probe a failing endpoint, and deliver the rest when it recovers', async () => {
    const { id } = await create();
    receiver.status = 503;
    await happen(...Array.from({ length: 30 }, (_, n) => n));
    const wasBlocked = async () =>
      (await database.rows('SELECT 1 FROM webhook_endpoints WHERE id = $1 AND blocked_until IS NOT NULL', [id]))
        .length > 0;
    await until(wasBlocked, PATIENCE_MS, 'it is blocked');
    // Those in flight and a few probes, as this may be observed late.
    expect(new Set(numbers()).size).toBeLessThan(30);
    const { body } = await api.http('get', `/webhook-endpoints/${id}`).expect(200);
    expect(body).toMatchObject({ status: 'Enabled', failingSince: expect.any(String) });
    receiver.status = 204;
    // A concurrent probe may fail once more and postpone the next attempt.
    const isDelivered = async () => {
      await due(id);
      await unblocked(id);
      return (await waiting(id)) === 0;
    };
    await until(isDelivered, PATIENCE_MS, 'nothing waits');
    expect(new Set(numbers()).size).toBe(30);
    expect((await api.http('get', `/webhook-endpoints/${id}`).expect(200)).body.failingSince).toBeNull();
  });

  it('disable an endpoint that responds with 410, with an audit log entry', async () => {
    const { id } = await create();
    receiver.status = 410;
    await happen(1);
    const read = async () => (await api.http('get', `/webhook-endpoints/${id}`).expect(200)).body as { status: string };
    await until(async () => (await read()).status === 'Disabled', PATIENCE_MS, 'it is disabled');
    expect(await read()).toMatchObject({ disabledReason: 'endpoint_gone' });
    const entries = await database.rows(
      `SELECT action, key_prefix AS key, fields FROM audit_log WHERE target_id = $1 AND action = 'webhook.disabled'`,
      [id],
    );
    expect(entries).toEqual([{ action: 'webhook.disabled', key: null, fields: ['endpoint_gone'] }]);
  });

  it('disable an endpoint that has failed for five days', async () => {
    const { id } = await create();
    await database.execute(
      `UPDATE webhook_endpoints SET failures_in_row = 20, failing_since = now() - interval '5 days' WHERE id = $1`,
      [id],
    );
    receiver.status = 500;
    await happen(1, 2);
    const read = async () => (await api.http('get', `/webhook-endpoints/${id}`).expect(200)).body as { status: string };
    await until(async () => (await read()).status === 'Disabled', PATIENCE_MS, 'it is disabled');
    expect(await read()).toMatchObject({ disabledReason: 'endpoint_failing' });
    expect(receiver.received).toHaveLength(1);
  });

  it('repeat replayed events', async () => {
    const { id } = await create();
    const since = new Date().toISOString();
    await happen(1, 2);
    await delivered(id);
    const { body } = await api.http('post', `/webhook-endpoints/${id}/replay`, { since }).expect(202);
    expect(body).toEqual({ since, startedAt: expect.any(String), replayed: 0 });
    await arrived(4);
    expect(numbers().sort()).toEqual([1, 1, 2, 2]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });

  it.each([
    ['disabled', (id: string) => api.http('patch', `/webhook-endpoints/${id}`, { status: 'Disabled' }).expect(200)],
    ['deleted', (id: string) => api.http('delete', `/webhook-endpoints/${id}`).expect(204)],
  ])('are aborted for a hanging endpoint that is %s', async (_, change) => {
    const { id } = await create();
    receiver.status = 0;
    await happen(...Array.from({ length: 40 }, (_event, n) => n));
    await arrived(16);
    await change(id);
    // Long before their timeout.
    const isOver = () => Promise.resolve(api.app.get(WebhookDeliveries).endpoints === 0);
    await until(isOver, PATIENCE_MS / 3, 'nothing is delivered to it');
    expect(receiver.received).toHaveLength(16);
  });

  describe('with hanging endpoints', () => {
    jest.retryTimes(2);
    let hanging: WebhookReceiver;
    beforeEach(async () => {
      hanging = await new WebhookReceiver().start();
    });
    afterEach(() => hanging.close());

    /** Adds endpoints of a new account with more waiting events than its plan allows. */
    async function hang(endpoints: number): Promise<void> {
      const hungId = await api.newAccount();
      const fields = { url: hanging.url, events: ['message.received' as const], maxEvents: 1 };
      for (let n = 0; n < endpoints; n++) {
        const endpoint = { id: uuidV7(), accountId: hungId, ...fields };
        await api.app.get(WebhookEndpointStore).add(endpoint, newWebhookSecret(), endpoints);
      }
      const events = Array.from({ length: 50 }, (_, n) => ({ ...event(n), accountId: hungId }));
      await api.app.get(EventOutbox).write(events);
    }

    /** Milliseconds until an event of another account's healthy endpoint has arrived. */
    async function healthy(): Promise<number> {
      accountId = await api.newAccount();
      await create();
      const waits: number[] = [];
      for (let n = 0; n < 5; n++) {
        const start = performance.now();
        await happen(n);
        await arrived(n + 1);
        waits.push(performance.now() - start);
      }
      return Math.max(...waits);
    }

    it('of one account, 200 of them, arrive in time', async () => {
      hanging.status = 0;
      await hang(200);
      await until(() => Promise.resolve(hanging.received.length > 0), PATIENCE_MS, 'they hang');
      expect(await healthy()).toBeLessThan(8000);
    });

    it('of four accounts, which answer one request in five, arrive in time', async () => {
      hanging.answer = () => (hanging.received.length % 5 === 0 ? 204 : 0);
      for (let account = 0; account < 4; account++) await hang(20);
      await until(() => Promise.resolve(hanging.received.length > 300), PATIENCE_MS, 'they hang');
      expect(await healthy()).toBeLessThan(8000);
    });
  });

  it('are listed by their failures without reading the delivered ones', async () => {
    const { id } = await create();
    const ids = Array.from({ length: 5_000 }, () => uuidV7());
    await database.execute(
      `INSERT INTO webhook_deliveries (id, endpoint_id, key, body, events, attempt, status, duration_ms, at)
       SELECT d.id, $2, d.id, 0, '{}', 1, CASE WHEN n % 1000 = 0 THEN 'Failed' WHEN n % 100 = 0 THEN 'Retrying' ELSE 'Delivered' END, 1, now()
       FROM unnest($1::uuid[]) WITH ORDINALITY d (id, n)`,
      [ids, id],
    );
    await database.execute('ANALYZE webhook_deliveries');
    for (const [status, count] of Object.entries({ Failed: 5, Retrying: 45, Delivered: 51 })) {
      const statement = DELIVERIES_WITH[status as DeliveryStatus];
      const [row] = await database.rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
        [id, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 51],
      );
      const { rows } = readingOf(row!['QUERY PLAN'][0].Plan);
      const found = await api.app
        .get(WebhookEndpointStore)
        .deliveries(id, { limit: 100, status: status as DeliveryStatus });
      expect([status, found.items.length]).toEqual([status, status === 'Delivered' ? 100 : count]);
      expect(rows).toBeLessThan(2 * count + 5);
    }
  });

  it('do not delay other endpoints behind a hanging one', async () => {
    const slow = await new WebhookReceiver().start();
    slow.status = 0;
    await create({ url: slow.url });
    const { id } = await create();
    await happen(...Array.from({ length: 40 }, (_, n) => n));
    await delivered(id);
    expect(receiver.received).toHaveLength(40);
    await slow.close();
  });
});
