import { randomBytes } from 'node:crypto';
import type { Database } from '../../src/infra/database/database';
import { SecretBox } from '../../src/infra/secrets/secret-box';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { DeliveryLogPartitions } from '../../src/modules/events/adapters/delivery-log-partitions';
import { PostgresDeliveryStore } from '../../src/modules/events/adapters/postgres-delivery-store';
import { PostgresEventOutbox } from '../../src/modules/events/adapters/postgres-event-outbox';
import { PostgresWebhookEndpointStore } from '../../src/modules/events/adapters/postgres-webhook-endpoint-store';
import { WebhookSecrets } from '../../src/modules/events/adapters/webhook-secrets';
import type { DeliveryStore, DueRow, RowResult } from '../../src/modules/events/domain/delivery-store.port';
import type { AccountEvent, EventType } from '../../src/modules/events/domain/event';
import { eventText } from '../../src/modules/events/domain/event-outbox';
import { EventOutbox } from '../../src/modules/events/domain/event-outbox';
import type { WebhookEndpointStore } from '../../src/modules/events/domain/webhook-endpoint-store.port';
import { DeliveriesInMemory } from '../fakes/deliveries-in-memory';
import { EndpointsInMemory, WebhooksInMemory } from '../fakes/webhooks-in-memory';
import { describeOnDatabase } from './databases';
import { numberOf, recordJobEvent } from './waiting-events';

/** The webhook stores on one database, with test helpers. */
export abstract class WebhookBench {
  abstract readonly outbox: EventOutbox;
  abstract readonly endpoints: WebhookEndpointStore;
  abstract readonly deliveries: DeliveryStore;
  /** The account of a test. */
  accountId = '';

  /** Deletes the endpoints and rows of earlier tests. */
  abstract clear(): Promise<void>;
  abstract addAccount(id: string): Promise<void>;
  /** Adds an event of a job. */
  abstract addOrdered(orderKey: string, n: number): Promise<void>;
  /** Adds a row of this age. */
  abstract addOld(endpointId: string, ageMs: number): Promise<void>;
  /** The endpoints of all waiting rows. */
  abstract waiting(): Promise<string[]>;
  /** Makes the next step of every replay due now. */
  abstract letStep(): Promise<void>;
  /** Backdates the logged attempts of a key. */
  abstract ageLog(key: string, ageMs: number): Promise<void>;

  async begin(): Promise<void> {
    await this.clear();
    this.accountId = uuidV7();
    await this.addAccount(this.accountId);
  }

  async endpoint(events: EventType[] = ['job.completed'], maxEvents = 1): Promise<string> {
    const id = uuidV7();
    const fields = { url: 'https://example.com/hook', events, maxEvents };
    if (!(await this.endpoints.add({ id, accountId: this.accountId, ...fields }, 'whsec_MQ==', 100)))
      throw new Error('The endpoint was not added');
    return id;
  }

  event(n: number, type: EventType = 'job.completed'): AccountEvent {
    // The stores do not inspect the bodies.
    return { accountId: this.accountId, type, at: new Date(), data: { n } as object } as AccountEvent;
  }

  async due(endpointId: string, taken: string[] = [], limit = 10): Promise<DueRow[]> {
    return (await this.deliveries.due(endpointId, taken, null, limit)).rows;
  }
}

/** A successful attempt of one body of a row. */
export function attemptOf(row: DueRow, endpointId: string, body = 0): RowResult['attempts'][number] {
  return {
    ...{ id: uuidV7(), endpointId, key: row.key, body, events: ['job.completed'], attempt: row.attempt + 1 },
    ...{ status: 'Delivered', httpStatus: 204, error: null, durationMs: 3, at: new Date(), nextAttemptAt: null },
    payload: row.payload.split('\n')[body]!,
  };
}

/** A delivered row of one body. */
export function done(row: DueRow, endpointId: string): RowResult {
  return { id: row.id, endpointId, again: null, attempts: [attemptOf(row, endpointId)], row };
}

/** The numbers of the events in rows of one body each. */
export function numbersOf(rows: readonly DueRow[]): number[] {
  return rows.map(({ payload }) => numberOf(payload));
}

/** Runs a suite on the in-memory stores and on a database. */
export function describeWebhookStores(name: string, suite: (open: () => Promise<WebhookBench>) => void): void {
  describe(`${name} in memory`, () => suite(() => Promise.resolve(new MemoryBench())));
  describeOnDatabase(name, (open) => suite(async () => new SqlBench(await open())));
}

class MemoryBench extends WebhookBench {
  private moment = Date.now();
  /** Every statement has a later time than the previous one. */
  private readonly tables = new WebhooksInMemory(() => (this.moment = Math.max(this.moment + 0.001, Date.now())));
  readonly outbox = new EventOutbox(this.tables);
  readonly endpoints = new EndpointsInMemory(this.tables);
  readonly deliveries = new DeliveriesInMemory(this.tables);

  clear(): Promise<void> {
    for (const rows of [this.tables.endpoints, this.tables.outbox, this.tables.replays]) rows.clear();
    return Promise.resolve();
  }

  addAccount(): Promise<void> {
    return Promise.resolve();
  }

  addOrdered(orderKey: string, n: number): Promise<void> {
    const text = eventText('job.completed', new Date(), { n });
    this.tables.addOrdered(this.accountId, { type: 'job.completed', text }, orderKey);
    return Promise.resolve();
  }

  addOld(endpointId: string, ageMs: number): Promise<void> {
    const at = Date.now() - ageMs;
    this.tables.put(endpointId, ['{}'], null, { createdAt: at, nextAt: at });
    return Promise.resolve();
  }

  waiting(): Promise<string[]> {
    return Promise.resolve([...this.tables.outbox].flatMap(([id, rows]) => [...rows].map(() => id)));
  }

  letStep(): Promise<void> {
    for (const replay of this.tables.replays.values()) replay.steppedAt = -Infinity;
    return Promise.resolve();
  }

  ageLog(key: string, ageMs: number): Promise<void> {
    for (const row of this.tables.log.values()) if (row.key === key) row.loggedAt = Date.now() - ageMs;
    return Promise.resolve();
  }
}

class SqlBench extends WebhookBench {
  readonly outbox: EventOutbox;
  readonly endpoints: WebhookEndpointStore;
  readonly deliveries: DeliveryStore;
  private readonly partitions: DeliveryLogPartitions;

  constructor(private readonly database: Database) {
    super();
    const secrets = new WebhookSecrets(database, new SecretBox(randomBytes(32)));
    this.outbox = new EventOutbox(new PostgresEventOutbox(database));
    this.endpoints = new PostgresWebhookEndpointStore(database, secrets);
    this.deliveries = new PostgresDeliveryStore(database, secrets);
    this.partitions = new DeliveryLogPartitions(database, new SystemClock());
  }

  async clear(): Promise<void> {
    await this.partitions.keep();
    await this.database.execute('DELETE FROM webhook_endpoints');
    await this.database.execute('DELETE FROM webhook_outbox');
  }

  async addAccount(id: string): Promise<void> {
    await this.database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'A', 'Pro')`, [id]);
  }

  addOrdered(orderKey: string, n: number): Promise<void> {
    return recordJobEvent(this.database, this.accountId, orderKey, n);
  }

  async addOld(endpointId: string, ageMs: number): Promise<void> {
    await this.database.execute(
      `INSERT INTO webhook_outbox (endpoint_id, bodies, payload, created_at, next_at)
       SELECT $1, 1, '{}', at, at FROM (SELECT now() - $2::float8 * interval '1 ms' AS at) t`,
      [endpointId, ageMs],
    );
  }

  async waiting(): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>('SELECT endpoint_id AS id FROM webhook_outbox');
    return rows.map(({ id }) => id);
  }

  async letStep(): Promise<void> {
    await this.database.execute(`UPDATE webhook_replays SET stepped_at = '-infinity'`);
  }

  async ageLog(key: string, ageMs: number): Promise<void> {
    await this.database.execute(
      `UPDATE webhook_deliveries SET logged_at = now() - $2::float8 * interval '1 ms' WHERE key = $1`,
      [key, ageMs],
    );
  }
}
