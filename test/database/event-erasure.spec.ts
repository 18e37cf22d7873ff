import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '../../src/infra/database/database';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { DeliveryLogPartitions } from '../../src/modules/events/adapters/delivery-log-partitions';
import { PostgresDeliveryStore } from '../../src/modules/events/adapters/postgres-delivery-store';
import { PostgresEventErasureStore } from '../../src/modules/events/adapters/postgres-event-erasure-store';
import { PostgresEventOutbox } from '../../src/modules/events/adapters/postgres-event-outbox';
import { PostgresWebhookEndpointStore } from '../../src/modules/events/adapters/postgres-webhook-endpoint-store';
import { WebhookSecrets } from '../../src/modules/events/adapters/webhook-secrets';
import { EventErasure } from '../../src/modules/events/domain/event-erasure';
import { EventOutbox } from '../../src/modules/events/domain/event-outbox';
import { describeOnDatabase } from '../support/databases';

const ANNA = '4915112345678';
const ANNA_ID = 'DE.13491208655302741918';
const BEN = '4915112345679';
const REPLY_TO = { messageId: 'm', reference: 'order-1' };

describeOnDatabase('The erasure of a person from events', (open) => {
  let database: Database;
  let endpoints: PostgresWebhookEndpointStore;
  let deliveries: PostgresDeliveryStore;
  let outbox: EventOutbox;
  let erasure: EventErasure;
  let accountId: string;

  beforeAll(async () => {
    database = await open();
    const secrets = new WebhookSecrets(database, new SecretBox(randomBytes(32)));
    endpoints = new PostgresWebhookEndpointStore(database, secrets);
    deliveries = new PostgresDeliveryStore(database, secrets);
    outbox = new EventOutbox(new PostgresEventOutbox(database));
    erasure = new EventErasure(new PostgresEventErasureStore(database));
    await new DeliveryLogPartitions(database, new SystemClock()).keep();
  });
  beforeEach(async () => {
    accountId = await newAccount();
  });

  async function newAccount(): Promise<string> {
    const id = uuidV7();
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'A', 'Pro')`, [id]);
    return id;
  }

  async function subscribed(of = accountId, maxEvents = 1): Promise<string> {
    const id = uuidV7();
    const fields = { url: 'https://example.com', events: ['message.received'], maxEvents } as const;
    await endpoints.add({ id, accountId: of, ...fields }, 'whsec_MQ==', 10);
    return id;
  }
  const write = (texts: readonly [phone: string | null, userId: string | null, text: string][], of = accountId) =>
    outbox.write(
      texts.map(([phone, userId, text]) => ({
        ...({ accountId: of, type: 'message.received', at: new Date() } as const),
        data: {
          ...{ messageId: 'm', conversationId: 'c', phone, userId, type: 'Text', text },
          ...{ buttonPayload: text, replyTo: REPLY_TO, flowResponse: { answer: text } },
        },
      })),
    );
  const due = async (endpointId: string) => (await deliveries.due(endpointId, [], null, 100)).rows;
  /** Delivers what waits for the endpoint. */
  async function deliver(endpointId: string): Promise<void> {
    for (const row of await due(endpointId)) {
      const attempts = row.payload.split('\n').map((payload, body) => ({
        ...{ id: uuidV7(), endpointId, key: row.key, body, events: ['message.received'], attempt: 1, payload },
        ...{ status: 'Delivered', httpStatus: 204, error: null, durationMs: 3, at: new Date(), nextAttemptAt: null },
      })) as Parameters<PostgresDeliveryStore['finish']>[0][0]['attempts'];
      await deliveries.finish([{ id: row.id, endpointId, again: null, attempts, row }]);
    }
  }
  const waiting = async (endpointId: string) => (await due(endpointId)).flatMap(({ payload }) => payload.split('\n'));
  const logged = async (endpointId: string) =>
    (
      await database.rows<{ body: string }>(
        `SELECT b.body FROM webhook_bodies b JOIN webhook_deliveries d USING (id) WHERE d.endpoint_id = $1 ORDER BY d.body`,
        [endpointId],
      )
    ).map(({ body }) => body);
  async function erase(person: { phone: string | null; userId: string | null }, of = accountId): Promise<void> {
    let step: { done: boolean; position?: string } = { done: false };
    for (let n = 0; n < 100 && !step.done; n++) {
      step = await erasure.erase({ accountId: of, ...person }, step.position ?? null);
    }
    expect(step.done).toBe(true);
  }

  it('covers waiting events and the log, and leaves others unchanged', async () => {
    const endpoint = await subscribed();
    await write([
      [ANNA, null, 'mine'],
      [BEN, null, 'not mine'],
      [null, ANNA_ID, 'mine too'],
    ]);
    await deliver(endpoint);
    await write([
      [ANNA, ANNA_ID, 'still waits'],
      [BEN, null, `I know ${ANNA}`],
    ]);
    const [before, stays] = [(await logged(endpoint))[1], (await waiting(endpoint))[1]];
    await erase({ phone: ANNA, userId: ANNA_ID });
    const [log, rows] = [await logged(endpoint), await waiting(endpoint)];
    expect([log[1], rows[1]]).toEqual([before, stays]);
    const noRecipient = {
      ...{ messageId: 'm', conversationId: 'c', phone: null, userId: null, type: 'Text', text: null },
      ...{ buttonPayload: null, replyTo: REPLY_TO, flowResponse: null },
    };
    for (const body of [log[0]!, log[2]!, rows[0]!]) {
      expect(JSON.parse(body)).toEqual({ type: 'message.received', timestamp: expect.any(String), data: noRecipient });
    }
  });

  it('covers one event of many in a body, and the log of a deleted endpoint', async () => {
    const endpoint = await subscribed(accountId, 10);
    await write([
      [ANNA, null, 'mine'],
      [BEN, null, 'not mine'],
    ]);
    await deliver(endpoint);
    await endpoints.remove(accountId, endpoint);
    await erase({ phone: ANNA, userId: null });
    const [body] = await logged(endpoint);
    const { events } = JSON.parse(body!) as { events: { data: object }[] };
    expect(events.map(({ data }) => data)).toMatchObject([
      { phone: null, text: null },
      { phone: BEN, text: 'not mine' },
    ]);
  });

  it("leaves another account's events about the same person", async () => {
    const otherPerson = await newAccount();
    const [own, foreign] = [await subscribed(), await subscribed(otherPerson)];
    for (const account of [accountId, otherPerson]) await write([[ANNA, null, 'mine']], account);
    await erase({ phone: ANNA, userId: null });
    expect((await waiting(own))[0]).not.toContain(ANNA);
    expect((await waiting(foreign))[0]).toContain(ANNA);
    await erase({ phone: randomUUID(), userId: null }, otherPerson);
    expect((await waiting(foreign))[0]).toContain(ANNA);
  });
});
