import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '../../src/infra/database/database';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { DeliveryLogPartitions } from '../../src/modules/events/adapters/delivery-log-partitions';
import { PostgresDeliveryStore } from '../../src/modules/events/adapters/postgres-delivery-store';
import { PostgresEventOutbox } from '../../src/modules/events/adapters/postgres-event-outbox';
import { PostgresWebhookEndpointStore } from '../../src/modules/events/adapters/postgres-webhook-endpoint-store';
import { WebhookSecrets } from '../../src/modules/events/adapters/webhook-secrets';
import type { DueRow, RowResult } from '../../src/modules/events/domain/delivery-store.port';
import type { AccountEvent } from '../../src/modules/events/domain/event';
import { EventOutbox } from '../../src/modules/events/domain/event-outbox.service';
import { describeOnDatabase } from '../support/databases';

describeOnDatabase('A replay of the events of an endpoint', (open) => {
  let database: Database;
  let outbox: EventOutbox;
  let endpoints: PostgresWebhookEndpointStore;
  let deliveries: PostgresDeliveryStore;
  let accountId: string;

  beforeAll(async () => {
    database = await open();
    const secrets = new WebhookSecrets(database, new SecretBox(randomBytes(32)));
    outbox = new EventOutbox(new PostgresEventOutbox(database));
    endpoints = new PostgresWebhookEndpointStore(database, secrets);
    deliveries = new PostgresDeliveryStore(database, secrets);
    await new DeliveryLogPartitions(database, new SystemClock()).keep();
  });
  beforeEach(async () => {
    accountId = uuidV7();
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'A', 'Pro')`, [accountId]);
  });

  async function endpoint(): Promise<string> {
    const id = uuidV7();
    const fields = { url: 'https://example.com/hook', events: ['job.completed' as const], maxEvents: 1 };
    await endpoints.add({ id, accountId, ...fields }, 'whsec_MQ==', 100);
    return id;
  }
  const event = (n: number) => {
    return { accountId, type: 'job.completed', at: new Date(), data: { n } as object } as unknown as AccountEvent;
  };
  const due = async (id: string) => (await deliveries.due(id, [], null, 10)).rows;
  function attemptOf(row: DueRow, endpointId: string, body = 0): RowResult['attempts'][number] {
    return {
      ...{ id: uuidV7(), endpointId, key: row.key, body, events: ['job.completed'], attempt: row.attempt + 1 },
      ...{ status: 'Delivered', httpStatus: 204, error: null, durationMs: 3, at: new Date(), nextAttemptAt: null },
      payload: row.payload.split('\n')[body]!,
    };
  }
  const done = (row: DueRow, id: string): RowResult => {
    return { id: row.id, endpointId: id, again: null, attempts: [attemptOf(row, id)], row };
  };
  const add = (jobId: string, n: number) =>
    database.execute(`SELECT webhook_outbox_add($1, 'job.completed', $2, $3::json)`, [
      ...[accountId, jobId, JSON.stringify({ n })],
    ]);
  const numbersOf = (rows: DueRow[]) =>
    rows.map(({ payload }) => (JSON.parse(payload) as { data: { n: number } }).data.n);
  const finish = (id: string, rows: DueRow[]) => deliveries.finish(rows.map((row) => done(row, id)));
  const since = () => new Date(Date.now() - 60_000);
  /** What the endpoint gets, in order, until nothing is due and no replay is under way. */
  async function delivered(id: string): Promise<DueRow[]> {
    const all: DueRow[] = [];
    for (;;) {
      await database.execute(`UPDATE webhook_replays SET stepped_at = '-infinity'`);
      const stepped = await deliveries.stepReplay(id);
      const rows = await due(id);
      await finish(id, rows);
      all.push(...rows);
      if (!stepped && rows.length === 0) return all;
    }
  }

  it('delivers each event since a moment again, once, whatever was replayed before', async () => {
    const id = await endpoint();
    for (const n of [1, 2, 3]) await outbox.write([event(n)]);
    const rows = await due(id);
    for (const row of rows) {
      const failed = { ...attemptOf(row, id), status: 'Retrying' } as const;
      const attempts = [failed, { ...attemptOf(row, id), attempt: 2 }];
      await deliveries.finish([{ id: row.id, endpointId: id, again: null, attempts, row }]);
    }
    for (let time = 0; time < 2; time++) {
      expect(await endpoints.startReplay(id, since(), 10)).toMatchObject({ since: expect.any(Date), replayed: 0 });
      const again = await delivered(id);
      expect(again.map(({ key }) => key)).toEqual(rows.map(({ key }) => key));
    }
    await endpoints.startReplay(id, new Date(Date.now() + 60_000), 10);
    expect(await delivered(id)).toEqual([]);
  });

  it('is one at a time for each endpoint, without a row before its first step', async () => {
    const [id, other] = [await endpoint(), await endpoint()];
    await outbox.write([event(1)]);
    await finish(id, await due(id));
    await endpoints.startReplay(id, since(), 10);
    expect(await endpoints.startReplay(id, since(), 10)).toBeNull();
    expect(await endpoints.startReplay(other, since(), 10)).not.toBeNull();
    expect(await due(id)).toEqual([]);
    expect((await endpoints.find(accountId, id))?.replay).toMatchObject({ replayed: 0 });
    await delivered(id);
    expect((await endpoints.find(accountId, id))?.replay).toBeNull();
    expect(await endpoints.startReplay(id, since(), 10)).not.toBeNull();
  });

  it('adds no more rows in a second than its rate, and none while those wait', async () => {
    const id = await endpoint();
    for (let n = 0; n < 7; n++) await outbox.write([event(n)]);
    await finish(id, await due(id));
    await endpoints.startReplay(id, since(), 3);
    const step = async (isLater = true) => {
      if (isLater) await database.execute(`UPDATE webhook_replays SET stepped_at = '-infinity'`);
      return deliveries.stepReplay(id);
    };
    // First a walk for what has an order.
    await step();
    await step();
    expect(await step(false)).toBe(false);
    expect(await due(id)).toHaveLength(3);
    expect(await step()).toBe(false);
    await finish(id, await due(id));
    await step();
    expect((await endpoints.find(accountId, id))?.replay).toMatchObject({ replayed: 6 });
    expect(await delivered(id)).toHaveLength(4);
  });

  it('delivers the events of a job in their order, and those that wait after them', async () => {
    const id = await endpoint();
    const jobId = randomUUID();
    await outbox.write([event(0)]);
    for (const n of [1, 2, 3, 4]) {
      await add(jobId, n);
      await finish(id, await due(id));
    }
    await add(jobId, 5);
    const [waiting] = (await due(id)) as [DueRow];
    const again = { remaining: [0], attempt: 1, afterMs: 0 };
    const attempts = [{ ...attemptOf(waiting, id), status: 'Retrying' as const }];
    await deliveries.finish([{ ...done(waiting, id), again, attempts }]);
    await add(jobId, 6);
    await endpoints.startReplay(id, since(), 2);
    // Although one of them is due, and the walk has not begun.
    expect(await due(id)).toEqual([]);
    expect(numbersOf(await delivered(id)).filter((n) => n > 0)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('delivers an event of a job in its place again after one of its events was replayed', async () => {
    const id = await endpoint();
    const jobId = randomUUID();
    for (const n of [1, 2]) await add(jobId, n);
    const [first] = (await due(id)) as [DueRow];
    const logged = done(first, id);
    await deliveries.finish([logged]);
    await finish(id, await due(id));
    // Alone, while a later one waits.
    await add(jobId, 3);
    expect(await endpoints.replay(logged.attempts[0]!.id)).toBe(true);
    expect(await endpoints.replay(logged.attempts[0]!.id)).toBe(true);
    expect(numbersOf(await delivered(id))).toEqual([1, 3]);
    await endpoints.startReplay(id, since(), 10);
    expect(numbersOf(await delivered(id))).toEqual([1, 2, 3]);
  });

  it('delivers nothing twice that waits for its next attempt', async () => {
    const id = await endpoint();
    await outbox.write([event(1), event(2)]);
    const [row] = (await due(id)) as [DueRow];
    const attempts = [attemptOf(row, id), { ...attemptOf(row, id, 1), status: 'Retrying' as const }];
    const again = { remaining: [1], attempt: 1, afterMs: 0 };
    await deliveries.finish([{ id: row.id, endpointId: id, again, attempts, row }]);
    expect(await endpoints.replay(attempts[1]!.id)).toBe(true);
    await endpoints.startReplay(id, since(), 10);
    expect((await delivered(id)).map(({ key, firstBody, remaining }) => [key, firstBody, remaining])).toEqual([
      [row.key, 0, [1]],
      [row.key, 0, null],
    ]);
  });

  it('begins at a moment of the database, whatever the clock of the process that delivered', async () => {
    const id = await endpoint();
    for (const n of [1, 2]) {
      await outbox.write([event(n)]);
      const [row] = (await due(id)) as [DueRow];
      const skewMs = n === 1 ? 300_000 : -300_000;
      const at = new Date(Date.now() + skewMs);
      await deliveries.finish([
        { ...done(row, id), attempts: [{ ...attemptOf(row, id), at, id: uuidV7(at.getTime()) }] },
      ]);
      await database.execute(
        `UPDATE webhook_deliveries SET logged_at = now() - interval '1 minute' WHERE key = $1 AND $2`,
        [row.key, n === 1],
      );
    }
    await endpoints.startReplay(id, new Date(Date.now() - 30_000), 10);
    expect(numbersOf(await delivered(id))).toEqual([2]);
  });
});
