import { uuidV7 } from '../../../src/kernel/uuid';
import { EVENT_TYPES } from '../../../src/modules/events/domain/event';
import { WebhookEndpointStore } from '../../../src/modules/events/domain/webhook-endpoint-store.port';
import { SqlSendingTables } from '../sending-tables';
import type { SteppedService } from './stepped-service';

/** Work for one round of some loops. */
export interface Scenario {
  /** The loops, in the order of their rounds. */
  loops: readonly string[];
  /** Prepares the work of one trial, beside that of the trials before it. */
  prepare(service: SteppedService): Promise<Trial>;
}

/** One trial of a scenario. */
export interface Trial {
  /** Resolves when the work that the rounds began has ended. */
  ended?(): Promise<void>;
  /** Lets the leases of what was taken run out; called between two rounds. */
  expire?(): Promise<void>;
  /** The result, equal for each trial without a loss. */
  outcome(): Promise<unknown>;
}

/** An account with a sender, a template, and an endpoint that takes every event. */
export async function newTables(service: SteppedService): Promise<SqlSendingTables> {
  const tables = new SqlSendingTables(service.database);
  await tables.addSender();
  const fields = { url: 'http://127.0.0.1:9', events: EVENT_TYPES, maxEvents: 1 };
  const endpoint = { id: uuidV7(), accountId: tables.accountId, ...fields };
  await service.get(WebhookEndpointStore).add(endpoint, 'whsec_MQ==', 10);
  return tables;
}

/** The types of the events that wait for the account's endpoints. */
export async function eventsOf({ database }: SteppedService, { accountId }: SqlSendingTables): Promise<string[]> {
  const rows = await database.rows<{ payload: string }>(
    `SELECT o.payload FROM webhook_outbox o JOIN webhook_endpoints e ON e.id = o.endpoint_id WHERE e.account_id = $1`,
    [accountId],
  );
  return rows
    .flatMap(({ payload }) => payload.split('\n').map((line) => (JSON.parse(line) as { type: string }).type))
    .sort();
}
