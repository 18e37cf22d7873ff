import { uuidV7 } from '../../../src/kernel/uuid';
import { SendersService } from '../../../src/modules/accounts/domain/senders.service';
import { EVENT_TYPES } from '../../../src/modules/events/domain/event';
import { WebhookEndpointStore } from '../../../src/modules/events/domain/webhook-endpoint-store.port';
import { SqlSendingTables } from '../sending-tables';
import { waitingBodies } from '../waiting-events';
import type { SteppedService } from './stepped-service';

/** Work for one round of some loops. */
export interface Scenario {
  /** The loops, in the order of their rounds. */
  loops: readonly string[];
  /** Writers outside the loops that retry failed writes. */
  writers?: readonly string[];
  /** Prepares the work of one trial, independent of earlier trials. */
  prepare(service: SteppedService): Promise<Trial>;
}

/** One trial of a scenario. */
export interface Trial {
  /** Work outside the loops; the test repeats it until it succeeds. */
  work?(): Promise<void>;
  /** Resolves when the work started by the rounds has ended. */
  ended?(): Promise<void>;
  /** Expires the leases; called between two rounds. */
  expire?(): Promise<void>;
  /** Rounds after the one with the loss, by default 2: an interrupted task may need another round. */
  laterRounds?: number;
  /** The result, equal for each trial without a loss. */
  outcome(): Promise<unknown>;
}

/** An account with a sender, a template, and an endpoint for all events. */
export async function newTables(service: SteppedService): Promise<SqlSendingTables> {
  const tables = new SqlSendingTables(service.database);
  await tables.addSender();
  const fields = { url: 'http://127.0.0.1:9', events: EVENT_TYPES, maxEvents: 1 };
  const endpoint = { id: uuidV7(), accountId: tables.accountId, ...fields };
  await service.get(WebhookEndpointStore).add(endpoint, 'whsec_MQ==', 10);
  return tables;
}

/** The types of the events waiting for the account's endpoints. */
export async function eventsOf({ database }: SteppedService, { accountId }: SqlSendingTables): Promise<string[]> {
  const waiting = await waitingBodies(database, accountId);
  return waiting.map(({ body }) => (JSON.parse(body) as { type: string }).type).sort();
}

/** Removes every account but the first with its data, because some loops visit all accounts. */
export async function removeOthers(service: SteppedService): Promise<void> {
  const { database } = service;
  for (const table of ['webhook_endpoints', 'webhook_outbox', 'job_recipients', 'job_status_deltas', 'bulk_jobs']) {
    await database.execute(`DELETE FROM ${table}`);
  }
  await database.execute('DELETE FROM accounts WHERE id <> (SELECT id FROM accounts ORDER BY created_at LIMIT 1)');
  service.get(SendersService).forget();
}

/** A new account whose sender and business account the platform knows. */
export async function newPlatformAccount(service: SteppedService): Promise<SqlSendingTables> {
  await removeOthers(service);
  const tables = await newTables(service);
  const id = String(Date.now());
  await service.database.execute('UPDATE senders SET phone_number_id = $2, business_account_id = $3 WHERE id = $1', [
    ...[tables.senderId, `10${id}`, `20${id}`],
  ]);
  service.get(SendersService).forget();
  return tables;
}
