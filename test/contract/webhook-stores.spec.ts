import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '../../src/infra/database/database';
import { SystemClock } from '../../src/infra/system-clock';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { uuidV7 } from '../../src/kernel/uuid';
import { DeliveryLogPartitions } from '../../src/modules/events/adapters/delivery-log-partitions';
import { PostgresDeliveryStore } from '../../src/modules/events/adapters/postgres-delivery-store';
import { PostgresEventOutbox } from '../../src/modules/events/adapters/postgres-event-outbox';
import { PostgresWebhookEndpointStore } from '../../src/modules/events/adapters/postgres-webhook-endpoint-store';
import { WebhookSecrets } from '../../src/modules/events/adapters/webhook-secrets';
import type { DueRow, RowResult } from '../../src/modules/events/domain/delivery-store.port';
import type { AccountEvent, EventType } from '../../src/modules/events/domain/event';
import { EventOutbox } from '../../src/modules/events/domain/event-outbox.service';
import { describeOnDatabase } from '../support/databases';

const LEASE_MS = 60_000;
const PLACES = { room: 10, ofAccount: 10, held: new Map<string, number>() };

describeOnDatabase('The stores of webhooks', (open) => {
  let database: Database;
  let box: SecretBox;
  let outboxStore: PostgresEventOutbox;
  let outbox: EventOutbox;
  let endpoints: PostgresWebhookEndpointStore;
  let deliveries: PostgresDeliveryStore;
  let partitions: DeliveryLogPartitions;
  let accountId: string;
  let owner: string;

  beforeAll(async () => {
    database = await open();
    box = new SecretBox(randomBytes(32));
    const secrets = new WebhookSecrets(database, box);
    outboxStore = new PostgresEventOutbox(database);
    outbox = new EventOutbox(outboxStore);
    endpoints = new PostgresWebhookEndpointStore(database, secrets);
    deliveries = new PostgresDeliveryStore(database, secrets);
    partitions = new DeliveryLogPartitions(database, new SystemClock());
    await partitions.keep();
  });
  beforeEach(async () => {
    accountId = uuidV7();
    owner = randomUUID();
    await database.execute('DELETE FROM webhook_endpoints');
    await database.execute('DELETE FROM webhook_outbox');
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'A', 'Pro')`, [accountId]);
  });

  async function endpoint(events: EventType[] = ['job.completed'], maxEvents = 1): Promise<string> {
    const id = uuidV7();
    const fields = { url: 'https://example.com/hook', events, maxEvents };
    expect(await endpoints.add({ id, accountId, ...fields }, 'whsec_MQ==', 100)).toBe(true);
    return id;
  }

  const event = (n: number, type: EventType = 'job.completed') => {
    // The stores do not look into what they keep.
    return { accountId, type, at: new Date(), data: { n } as object } as AccountEvent;
  };

  function attemptOf(row: DueRow, endpointId: string, body = 0): RowResult['attempts'][number] {
    return {
      ...{ id: uuidV7(), endpointId, key: row.key, body, events: ['job.completed'], attempt: row.attempt + 1 },
      ...{ status: 'Delivered', httpStatus: 204, error: null, durationMs: 3, at: new Date(), nextAttemptAt: null },
      payload: row.payload.split('\n')[body]!,
    };
  }

  const done = (row: DueRow, endpointId: string): RowResult => {
    return { id: row.id, endpointId, again: null, attempts: [attemptOf(row, endpointId)], row };
  };
  const due = async (endpointId: string, taken: string[] = [], limit = 10) =>
    (await deliveries.due(endpointId, taken, null, limit)).rows;

  it('keep one row for each endpoint and commit, with the events that it chose, in bodies of its size', async () => {
    const one = await endpoint(['job.completed', 'message.sent']);
    const other = await endpoint(['job.completed'], 2);
    await endpoint(['contact.opted_in']);
    await outbox.write([event(1), event(2, 'message.sent'), event(3), event(4)]);
    const rowsOf = async (id: string) =>
      (await due(id, [], 10)).map(({ payload }) =>
        payload.split('\n').map((body) => JSON.parse(body) as { events?: { data: object }[]; data: object }),
      );
    expect((await rowsOf(one)).map((bodies) => bodies.map(({ data }) => data))).toEqual([
      [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }],
    ]);
    expect((await rowsOf(other)).map((bodies) => bodies.map(({ events }) => events?.map(({ data }) => data)))).toEqual([
      [[{ n: 1 }, { n: 3 }], [{ n: 4 }]],
    ]);
    const [{ count }] = (await database.rows<{ count: number }>('SELECT count(*)::int FROM webhook_outbox')) as [
      { count: number },
    ];
    expect(count).toBe(2);
  });

  it('keep nothing of a transaction that is undone, and nothing for disabled endpoints', async () => {
    const id = await endpoint();
    const undone = database.transaction(async () => {
      await outbox.write([event(1)]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await endpoints.change(accountId, id, { status: 'Disabled' });
    await outbox.write([event(2)]);
    expect(await due(id, [], 10)).toEqual([]);
  });

  it('give an endpoint to one process at a time, and only while something is due', async () => {
    const id = await endpoint();
    expect(await deliveries.lease(owner, LEASE_MS, PLACES)).toEqual([]);
    await outbox.write([event(1)]);
    const leased = await deliveries.lease(owner, LEASE_MS, PLACES);
    expect(leased).toEqual([
      {
        ...{ id, accountId, url: 'https://example.com/hook', secrets: ['whsec_MQ=='] },
        ...{ failuresInRow: 0, failingSince: null, replay: null },
      },
    ]);
    const other = randomUUID();
    expect(await deliveries.lease(other, LEASE_MS, PLACES)).toEqual([]);
    expect(await deliveries.renew(other, [id], LEASE_MS)).toEqual([]);
    expect(await deliveries.renew(owner, [id], LEASE_MS)).toEqual(leased);
    await deliveries.release(other, id, 0);
    expect(await deliveries.lease(other, LEASE_MS, PLACES)).toEqual([]);
    await deliveries.release(owner, id, 0);
    expect(await deliveries.lease(other, LEASE_MS, PLACES)).toEqual(leased);
  });

  it('let a released endpoint rest for as long as that is asked', async () => {
    const id = await endpoint();
    await outbox.write([event(1)]);
    await deliveries.lease(owner, LEASE_MS, PLACES);
    await deliveries.release(owner, id, 60_000);
    expect(await deliveries.lease(owner, LEASE_MS, PLACES)).toEqual([]);
  });

  it('give accounts their places in turns, and no account more than its own', async () => {
    const ofAccounts = [accountId, uuidV7(), uuidV7()];
    const fields = { url: 'https://example.com', events: ['job.completed' as const], maxEvents: 1 };
    for (const [n, account] of ofAccounts.entries()) {
      if (n > 0) await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'A', 'Pro')`, [account]);
      for (let count = 0; count < 4; count++) {
        await endpoints.add({ id: uuidV7(), accountId: account, ...fields }, 'whsec_MQ==', 100);
      }
      await outbox.write([{ ...event(n), accountId: account }]);
    }
    const taken = async (room: number, held: [string, number][] = []) => {
      const leased = await deliveries.lease(owner, LEASE_MS, { room, ofAccount: 3, held: new Map(held) });
      const counts = ofAccounts.map((account) => leased.filter((one) => one.accountId === account).length);
      for (const { id } of leased) await deliveries.release(owner, id, 0);
      return counts;
    };
    expect(await taken(3)).toEqual([1, 1, 1]);
    expect(await taken(2, [[accountId, 1]])).toEqual([0, 1, 1]);
    expect(await taken(100)).toEqual([3, 3, 3]);
    expect(
      await taken(100, [
        [accountId, 2],
        [ofAccounts[1]!, 3],
      ]),
    ).toEqual([1, 0, 3]);
  });

  it('give a lease that is over to another process', async () => {
    await endpoint();
    await outbox.write([event(1)]);
    await deliveries.lease(owner, -1, PLACES);
    expect(await deliveries.lease(randomUUID(), LEASE_MS, PLACES)).toHaveLength(1);
  });

  it('find what is due without what is taken, and no more bytes than fit', async () => {
    const id = await endpoint();
    for (const n of [1, 2, 3]) await outbox.write([event(n)]);
    const all = await due(id, [], 10);
    expect(all.map(({ payload }) => (JSON.parse(payload) as { data: { n: number } }).data.n)).toEqual([1, 2, 3]);
    expect((await due(id, [all[0]!.id], 10)).map((row) => row.id)).toEqual([all[1]!.id, all[2]!.id]);
    expect(await due(id, [], 2)).toHaveLength(2);
    const large = { ...event(4), data: { text: 'x'.repeat(400_000) } as object } as AccountEvent;
    for (let n = 0; n < 3; n++) await outbox.write([large]);
    expect(await due(id, [], 10)).toHaveLength(5);
  });

  it('deliver rows with the same order key one after the other', async () => {
    const id = await endpoint();
    const key = randomUUID();
    const add = `SELECT webhook_outbox_add($1, 'job.completed', $2, $3::json)`;
    for (const n of [1, 2]) await database.execute(add, [accountId, key, JSON.stringify({ n })]);
    await database.execute(add, [accountId, randomUUID(), '{"n":3}']);
    const first = await due(id, [], 10);
    const numbers = (rows: DueRow[]) => rows.map(({ payload }) => (JSON.parse(payload) as { data: object }).data);
    expect(numbers(first)).toEqual([{ n: 1 }, { n: 3 }]);
    expect(first[0]).toMatchObject({ orderKey: key });
    expect(JSON.parse(first[0]!.payload)).toEqual({
      type: 'job.completed',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { n: 1 },
    });
    // What waits for its next attempt holds back what comes after it.
    const again = { remaining: [0], attempt: 1, afterMs: 60_000 };
    await deliveries.finish([{ ...done(first[0]!, id), again }, done(first[1]!, id)]);
    expect(await due(id, [], 10)).toEqual([]);
    await deliveries.finish([done(first[0]!, id)]);
    expect(numbers(await due(id, [], 10))).toEqual([{ n: 2 }]);
  });

  it('delete what is done, keep what remains for its time, and log both in one statement', async () => {
    const id = await endpoint();
    await outbox.write([event(1), event(2), event(3)]);
    await outbox.write([event(4)]);
    const [many, single] = (await due(id, [], 10)) as [DueRow, DueRow];
    const retrying = { status: 'Retrying', httpStatus: 500, error: 'HTTP 500', nextAttemptAt: new Date() } as const;
    await deliveries.finish([
      {
        ...{ id: many.id, endpointId: id, again: { remaining: [1, 2], attempt: 1, afterMs: 0 }, row: many },
        attempts: [attemptOf(many, id), { ...attemptOf(many, id, 1), ...retrying }],
      },
      done(single, id),
    ]);
    expect(await due(id, [], 10)).toEqual([{ ...many, remaining: [1, 2], attempt: 1 }]);
    const { items, nextCursor } = await endpoints.deliveries(id, { limit: 2 });
    expect(items.map(({ status, payload }) => [status, (JSON.parse(payload!) as { data: object }).data])).toEqual([
      ['Delivered', { n: 4 }],
      ['Retrying', { n: 2 }],
    ]);
    expect(items[1]).toMatchObject({ ...retrying, key: many.key, body: 1, attempt: 1, events: ['job.completed'] });
    const rest = await endpoints.deliveries(id, { limit: 2, cursor: nextCursor! });
    expect(rest).toMatchObject({ items: [{ body: 0, key: many.key }], nextCursor: null });
  });

  it('take the same results twice, as when the answer to the first writing was lost', async () => {
    const id = await endpoint();
    await outbox.write([event(1), event(2)]);
    await outbox.write([event(3)]);
    const [many, single] = (await due(id)) as [DueRow, DueRow];
    const again = { remaining: [1], attempt: 1, afterMs: 0 };
    const results = [{ ...done(many, id), again }, done(single, id)];
    await deliveries.finish(results);
    await deliveries.finish(results);
    expect(await due(id)).toEqual([{ ...many, remaining: [1], attempt: 1 }]);
    const { items } = await endpoints.deliveries(id, { limit: 10 });
    expect(items.map(({ key }) => key).sort()).toEqual([many.key, single.key].sort());
    expect(items.every(({ payload }) => payload !== null)).toBe(true);
  });

  it('keep what was tried more often meanwhile when an old result comes late', async () => {
    const id = await endpoint();
    await outbox.write([event(1), event(2)]);
    const [row] = (await due(id)) as [DueRow];
    const result = (attempt: number, remaining: number[]): RowResult => {
      return { ...done(row, id), again: { remaining, attempt, afterMs: 0 } };
    };
    await deliveries.finish([result(2, [1])]);
    await deliveries.finish([result(1, [0, 1])]);
    expect(await due(id)).toMatchObject([{ attempt: 2, remaining: [1] }]);
  });

  it('remember failures in a row and since when, and block the endpoint for a while', async () => {
    const id = await endpoint();
    await outbox.write([event(1)]);
    const since = await deliveries.failed(id, 1, 0);
    expect(await deliveries.failed(id, 5, 60_000)).toEqual(since);
    expect(await deliveries.lease(owner, LEASE_MS, PLACES)).toEqual([]);
    expect((await endpoints.find(accountId, id))?.failingSince).toEqual(since);
    await deliveries.succeeded(id);
    expect(await deliveries.lease(owner, LEASE_MS, PLACES)).toMatchObject([{ failuresInRow: 0, failingSince: null }]);
  });

  it('take the endpoint from its process once it is disabled or deleted', async () => {
    const id = await endpoint();
    await outbox.write([event(1)]);
    await deliveries.lease(owner, LEASE_MS, PLACES);
    expect(await deliveries.disable(id, 'endpoint_gone')).toBe(true);
    expect(await deliveries.disable(id, 'endpoint_gone')).toBe(false);
    expect(await deliveries.renew(owner, [id], LEASE_MS)).toEqual([]);
    expect(await endpoints.find(accountId, id)).toMatchObject({ status: 'Disabled', disabledReason: 'endpoint_gone' });
    await endpoints.change(accountId, id, { status: 'Enabled' });
    expect(await endpoints.find(accountId, id)).toMatchObject({ status: 'Enabled', disabledReason: null });
    expect(await deliveries.renew(owner, [id], LEASE_MS)).toHaveLength(1);
    expect(await endpoints.remove(accountId, id)).toBe(true);
    expect(await deliveries.renew(owner, [id], LEASE_MS)).toEqual([]);
  });

  it('delete what nobody will take', async () => {
    const [gone, disabled, live] = [await endpoint(), await endpoint(), await endpoint()];
    await outbox.write([event(1)]);
    await database.execute(
      `INSERT INTO webhook_outbox (endpoint_id, bodies, payload, created_at)
       SELECT e, 1, '{}', now() - interval '4 days' FROM unnest($1::uuid[]) AS e`,
      [[disabled, live]],
    );
    await database.execute(
      `INSERT INTO webhook_outbox (endpoint_id, bodies, payload, created_at)
       SELECT $1, 1, '{}', now() - age FROM unnest('{1 minute,71 hours}'::interval[]) AS age`,
      [disabled],
    );
    await endpoints.remove(accountId, gone);
    await endpoints.change(accountId, disabled, { status: 'Disabled' });
    expect(await deliveries.deleteLeftovers(100)).toBe(2);
    const left = await database.rows<{ id: string }>('SELECT endpoint_id AS id FROM webhook_outbox');
    expect(left.map(({ id }) => id).sort()).toEqual([disabled, disabled, disabled, live, live].sort());
  });

  it('give the old secret beside the new one while it is valid, encrypted both', async () => {
    const id = await endpoint();
    expect(await endpoints.replaceSecret(accountId, id, 'whsec_Mg==', 60)).toBe(true);
    expect(await endpoints.secretsOf(id)).toEqual(['whsec_Mg==', 'whsec_MQ==']);
    await database.execute(`UPDATE webhook_endpoints SET previous_until = now() WHERE id = $1`, [id]);
    expect(await endpoints.secretsOf(id)).toEqual(['whsec_Mg==']);
    await endpoints.replaceSecret(accountId, id, 'whsec_Mw==', 0);
    expect(await endpoints.secretsOf(id)).toEqual(['whsec_Mw==']);
    const [row] = await database.rows<{ row: string }>(
      'SELECT to_json(e)::text AS row FROM webhook_endpoints e WHERE id = $1',
      [id],
    );
    expect(row!.row).not.toContain('whsec_');
  });

  it('encrypt secrets with a new key, and disable the endpoint of one that no key decrypts', async () => {
    const [one, two] = [await endpoint(), await endpoint()];
    await endpoints.replaceSecret(accountId, one, 'whsec_Mg==', 60);
    const lost = new WebhookSecrets(database, new SecretBox(randomBytes(32))).seal(two, 'whsec_NA==');
    await database.execute('UPDATE webhook_endpoints SET secret_encrypted = $2 WHERE id = $1', [two, lost]);
    const key = randomBytes(32);
    const next = new SecretBox(key, [(box as unknown as { key: Buffer }).key]);
    const resealing = new WebhookSecrets(database, next);
    expect(await resealing.reseal(false)).toEqual({ resealed: 2, current: 0, unreadable: [accountId] });
    const after = new PostgresWebhookEndpointStore(database, new WebhookSecrets(database, new SecretBox(key)));
    expect(await after.secretsOf(one)).toEqual(['whsec_Mg==', 'whsec_MQ==']);
    expect(await after.find(accountId, two)).toMatchObject({ status: 'Enabled' });
    await resealing.reseal(true);
    expect(await after.find(accountId, two)).toMatchObject({
      status: 'Disabled',
      disabledReason: 'secret_unreadable',
    });
  });

  it('deliver a logged body again under its id, as long as it is kept', async () => {
    const id = await endpoint();
    await outbox.write([event(1), event(2)]);
    const [row] = (await due(id, [], 10)) as [DueRow];
    const attempts = [attemptOf(row, id), attemptOf(row, id, 1)];
    await deliveries.finish([{ id: row.id, endpointId: id, again: null, attempts, row }]);
    expect(await endpoints.delivery(uuidV7(), attempts[1]!.id)).toBeNull();
    expect(await endpoints.delivery(accountId, attempts[1]!.id)).toMatchObject({ key: row.key, body: 1 });
    expect(await endpoints.replay(attempts[1]!.id)).toBe(true);
    expect(await due(id, [], 10)).toMatchObject([
      { key: row.key, firstBody: 1, payload: attempts[1]!.payload, attempt: 0 },
    ]);
    await database.execute('DELETE FROM webhook_bodies WHERE id = $1', [attempts[1]!.id]);
    expect(await endpoints.replay(attempts[1]!.id)).toBe(false);
    expect((await endpoints.deliveries(id, { limit: 1 })).items[0]).toMatchObject({ payload: null });
  });

  it('refuse one endpoint more than the account may have', async () => {
    await endpoint();
    const fields = { url: 'https://example.com', events: ['job.failed'] as EventType[], maxEvents: 1 };
    expect(await endpoints.add({ id: uuidV7(), accountId, ...fields }, 'whsec_MQ==', 1)).toBe(false);
  });

  it('drop the log after 30 days and its bodies after 7', async () => {
    const days = async (table: string) => {
      const rows = await database.rows<{ name: string }>(
        `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = $1::regclass ORDER BY 1`,
        [table],
      );
      return rows.length;
    };
    const clock = new SystemClock();
    expect([await days('webhook_deliveries'), await days('webhook_bodies')]).toEqual([9, 9]);
    clock.now = () => new Date(Date.now() + 20 * 86_400_000);
    await new DeliveryLogPartitions(database, clock).keep();
    expect([await days('webhook_deliveries'), await days('webhook_bodies')]).toEqual([18, 9]);
    clock.now = () => new Date(Date.now() + 45 * 86_400_000);
    await new DeliveryLogPartitions(database, clock).keep();
    expect([await days('webhook_deliveries'), await days('webhook_bodies')]).toEqual([18, 9]);
    await partitions.keep();
  });
});
