import { randomBytes } from 'node:crypto';
import type { Database } from '../../src/infra/database/database';
import { SystemClock } from '../../src/infra/system-clock';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { uuidV7 } from '../../src/kernel/uuid';
import { DeliveryLogPartitions } from '../../src/modules/events/adapters/delivery-log-partitions';
import { PostgresDeliveryStore } from '../../src/modules/events/adapters/postgres-delivery-store';
import { PostgresEventOutbox } from '../../src/modules/events/adapters/postgres-event-outbox';
import { PostgresWebhookEndpointStore } from '../../src/modules/events/adapters/postgres-webhook-endpoint-store';
import { WebhookSecrets } from '../../src/modules/events/adapters/webhook-secrets';
import type { DueRow } from '../../src/modules/events/domain/delivery-store.port';
import type { AccountEvent, EventType } from '../../src/modules/events/domain/event';
import { EventOutbox } from '../../src/modules/events/domain/event-outbox';
import { describeOnDatabase } from '../support/databases';
import { attemptOf } from '../support/webhook-stores';

describeOnDatabase('The stores of webhooks, their secrets and their log', (open) => {
  let database: Database;
  let box: SecretBox;
  let outboxStore: PostgresEventOutbox;
  let outbox: EventOutbox;
  let endpoints: PostgresWebhookEndpointStore;
  let deliveries: PostgresDeliveryStore;
  let partitions: DeliveryLogPartitions;
  let accountId: string;

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
    // The stores do not inspect the bodies.
    return { accountId, type, at: new Date(), data: { n } as object } as AccountEvent;
  };

  const due = async (endpointId: string, taken: string[] = [], limit = 10) =>
    (await deliveries.due(endpointId, taken, null, limit)).rows;

  it('store nothing of a rolled-back transaction, and nothing for disabled endpoints', async () => {
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

  it('return old and new secret while both are valid, stored encrypted', async () => {
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

  it('re-encrypt secrets with a new key, and disable endpoints with undecryptable ones', async () => {
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

  it('redeliver a logged body under its id, while it is stored', async () => {
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

  it('delete the log after 30 days and its bodies after 7', async () => {
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
