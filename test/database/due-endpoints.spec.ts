import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '../../src/infra/database/database';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresDeliveryStore } from '../../src/modules/events/adapters/postgres-delivery-store';
import { PostgresEventOutbox } from '../../src/modules/events/adapters/postgres-event-outbox';
import { PostgresWebhookEndpointStore } from '../../src/modules/events/adapters/postgres-webhook-endpoint-store';
import { WebhookSecrets } from '../../src/modules/events/adapters/webhook-secrets';
import { EventOutbox } from '../../src/modules/events/domain/event-outbox';
import { describeOnDatabase } from '../support/databases';

const OWNER = randomUUID();

describeOnDatabase('The endpoints that processes look at', (open, isShared) => {
  let database: Database;
  let deliveries: PostgresDeliveryStore;
  let outbox: EventOutbox;
  let accountId: string;
  let endpointId: string;

  beforeAll(async () => {
    database = await open();
    outbox = new EventOutbox(new PostgresEventOutbox(database));
  });
  beforeEach(async () => {
    await database.execute('DELETE FROM webhook_outbox');
    await database.execute('DELETE FROM webhook_endpoints');
    [accountId, endpointId] = [uuidV7(), uuidV7()];
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'A', 'Pro')`, [accountId]);
    const secrets = new WebhookSecrets(database, new SecretBox(randomBytes(32)));
    const fields = { url: 'https://example.com', events: ['contact.opted_in'], maxEvents: 1 } as const;
    const endpoints = new PostgresWebhookEndpointStore(database, secrets);
    await endpoints.add({ id: endpointId, accountId, ...fields }, 'whsec_MQ==', 10);
    deliveries = new PostgresDeliveryStore(database, secrets);
  });

  const write = () =>
    outbox.write([{ accountId, type: 'contact.opted_in', at: new Date(), data: { phone: '491511' } as never }]);
  const poll = async () => {
    const leased = await deliveries.lease(OWNER, 60_000, { room: 10, perAccount: 10, held: new Map() });
    return leased.length;
  };
  /** Seconds until the next look. */
  const nextLook = async () => {
    const [row] = await database.rows<{ seconds: number }>(
      `SELECT CASE WHEN isfinite(next_due_at) THEN extract(epoch FROM next_due_at - clock_timestamp())
         ELSE extract(epoch FROM next_due_at) END::float8 AS seconds FROM webhook_endpoints`,
    );
    return row!.seconds;
  };

  it('exclude those without events until one is written', async () => {
    expect([await poll(), await nextLook()]).toEqual([0, Infinity]);
    await write();
    expect([await nextLook(), await poll()]).toEqual([-Infinity, 1]);
    const [row] = (await deliveries.due(endpointId, [], null, 10)).rows;
    await deliveries.finish([{ id: row!.id, endpointId, again: null, attempts: [], row: row! }]);
    await deliveries.release(OWNER, endpointId, 0);
    // Once more: a row may be committed meanwhile.
    expect(await nextLook()).toBeCloseTo(2, 0);
    await database.execute(`UPDATE webhook_endpoints SET next_due_at = clock_timestamp()`);
    expect([await poll(), await nextLook()]).toEqual([0, Infinity]);
  });

  it('exclude an unreachable one between its tries, whatever is written', async () => {
    await write();
    await poll();
    await deliveries.failed(endpointId, 9, 60_000);
    await deliveries.release(OWNER, endpointId, 0);
    for (let n = 0; n < 3; n++) await write();
    expect([await poll(), await nextLook()]).toEqual([0, expect.closeTo(60, 0)]);
    await deliveries.failed(endpointId, 10, 0);
    expect(await poll()).toBe(1);
  });

  it('exclude one whose events wait for their next attempt', async () => {
    await write();
    await poll();
    const [row] = (await deliveries.due(endpointId, [], null, 10)).rows;
    const again = { remaining: [0], attempt: 1, afterMs: 300_000 };
    await deliveries.finish([{ id: row!.id, endpointId, again, attempts: [], row: row! }]);
    await deliveries.release(OWNER, endpointId, 0);
    await database.execute(`UPDATE webhook_endpoints SET next_due_at = clock_timestamp()`);
    expect([await poll(), await nextLook()]).toEqual([0, expect.closeTo(300, 0)]);
  });

  it('include one whose event was committed unseen, within 40 polls', async () => {
    // The first searches are those among all endpoints.
    for (let n = 0; n <= 80; n++) await poll();
    await write();
    await database.execute(`UPDATE webhook_endpoints SET next_due_at = 'infinity'`);
    let polls = 1;
    while ((await poll()) === 0) polls++;
    expect(polls).toBe(40);
  });

  // The embedded database has one connection.
  if (!isShared) return;
  it('make no writer wait for another one', async () => {
    await poll();
    await database.transaction(async () => {
      await write();
      const [row] = await database.rows<{ locked: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM webhook_endpoints WHERE next_due_at = '-infinity') AS locked`,
      );
      expect(row!.locked).toBe(true);
      const other = await outside(() => Promise.race([write().then(() => 'written'), patience()]));
      expect(other).toBe('written');
    });
    expect(await poll()).toBe(1);
  });
});

/** Not in the transaction that surrounds the caller. */
const outside = AsyncLocalStorage.snapshot();
const patience = () => new Promise<string>((resolve) => setTimeout(resolve, 5000, 'waits'));
