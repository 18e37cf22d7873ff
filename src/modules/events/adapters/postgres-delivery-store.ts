import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import {
  DeliveryStore,
  type DueRow,
  type DueRows,
  type EndpointWithBacklog,
  type LeasedEndpoint,
  type LeaseLimits,
  type RowResult,
} from '../domain/delivery-store.port';
import { jobEventBody, type RecordedJobEvent } from './recorded-job-event';
import { bodyFactsOf } from './event-traces';
import { type SealedSecrets, WebhookSecrets } from './webhook-secrets';
import { STEP_REPLAY } from './webhook-replays.sql';
import * as sql from './webhooks.sql';

/** Maximum size of the bodies per read, which bounds the memory of a process. */
const MAX_BYTES = 512 * 1024;
/** Maximum number of attempts read per step of a replay. */
const REPLAY_BATCH = 5000;
/** Before every order key. */
const FIRST_KEY = '00000000-0000-0000-0000-000000000000';
/** Every 10 s. */
const POLLS_PER_SEARCH = 40;
/** Every 10 min among all endpoints with rows, otherwise among those with new rows. */
const SEARCHES_PER_FULL_SEARCH = 60;
/** Rows to add to the backlogs of their endpoints at once. */
const COUNTED_AT_ONCE = 50_000;
/** As long as an event is retried. */
const KEPT_WHILE_DISABLED_DAYS = 3;

/** A due row: either `payload` or `jobEvent` is set. */
type StoredRow = Omit<DueRow, 'payload' | 'facts'> & {
  payload: string | null;
  jobEvent: RecordedJobEvent | null;
  traceparent: string | null;
};
type LeasedRow = Omit<LeasedEndpoint, 'secrets'> & SealedSecrets;

/** Leases in `webhook_endpoints`, rows of `webhook_outbox`, and the delivery log. */
@Injectable()
export class PostgresDeliveryStore extends DeliveryStore {
  private polls = 0;
  private searches = 1;
  /** The newest rows of the last two searches. Transactions may commit rows of before the last one. */
  private searchedTo: [string | null, string | null] = [null, null];

  constructor(
    private readonly database: Database,
    private readonly secrets: WebhookSecrets,
  ) {
    super();
  }

  async lease(owner: string, leaseMs: number, { room, perAccount, held }: LeaseLimits): Promise<LeasedEndpoint[]> {
    if (this.polls++ % POLLS_PER_SEARCH === 0) await this.findOverlooked();
    return this.leased(sql.LEASE, [owner, leaseMs, room, [...held.keys()], [...held.values()], perAccount]);
  }

  renew(owner: string, endpointIds: readonly string[], leaseMs: number): Promise<LeasedEndpoint[]> {
    return this.leased(sql.RENEW, [owner, endpointIds, leaseMs]);
  }

  async release(owner: string, endpointId: string, restMs: number): Promise<void> {
    await this.database.execute(sql.RELEASE, [owner, endpointId, restMs]);
  }

  async due(endpointId: string, taken: readonly string[], afterKey: string | null, limit: number): Promise<DueRows> {
    const parameters = [endpointId, taken, limit, MAX_BYTES, afterKey ?? FIRST_KEY, limit];
    const found = await this.database.rows<{ lastKey: string | null } & (StoredRow | { id: null })>(
      sql.DUE,
      parameters,
    );
    const rows = found.flatMap(({ lastKey: _, ...row }) => (row.id === null ? [] : [dueRow(row)]));
    const facts = await bodyFactsOf(this.database, rows);
    return {
      rows: rows.map(({ traceparent: _, ...row }, n) => ({ ...row, facts: facts[n]! })),
      lastKey: found[0]?.lastKey ?? null,
    };
  }

  async stepReplay(endpointId: string): Promise<boolean> {
    return (await this.database.rows(STEP_REPLAY, [endpointId, REPLAY_BATCH])).length > 0;
  }

  async finish(results: readonly RowResult[]): Promise<void> {
    const done = results.filter(({ again }) => again === null).map(({ id }) => id);
    const again = results.flatMap(({ id, again: rest }) => (rest === null ? [] : [{ id, ...rest }]));
    const attempts = results.flatMap(({ row, attempts: of }) => of.map((attempt) => ({ ...attempt, row })));
    const column = <T>(of: (attempt: (typeof attempts)[number]) => T): T[] => attempts.map(of);
    await this.database.execute(sql.FINISH, [
      done,
      again.map(({ id }) => id),
      again.map(({ attempt }) => attempt),
      again.map(({ afterMs }) => afterMs),
      again.map(({ remaining }) => `{${remaining.join(',')}}`),
      column((a) => a.id),
      column((a) => a.endpointId),
      column((a) => a.key),
      column((a) => a.body),
      column((a) => a.events.join(',')),
      column((a) => a.attempt),
      column((a) => a.status),
      column((a) => a.httpStatus),
      column((a) => a.error),
      column((a) => a.durationMs),
      column((a) => a.at),
      column((a) => a.nextAttemptAt),
      column((a) => a.payload),
      column((a) => a.row?.orderKey ?? null),
      column((a) => a.row?.place ?? null),
      column((a) => a.row?.isReplay ?? false),
    ]);
  }

  async succeeded(endpointId: string): Promise<void> {
    await this.database.execute(sql.SUCCEEDED, [endpointId]);
  }

  async failed(endpointId: string, failuresInRow: number, blockedMs: number): Promise<Date> {
    const { rows } = await this.database.execute<{ since: Date }>(sql.FAILED, [endpointId, failuresInRow, blockedMs]);
    return rows[0]?.since ?? new Date();
  }

  async disable(endpointId: string, reason: string): Promise<boolean> {
    return (await this.database.execute(sql.DISABLE, [endpointId, reason])).affected > 0;
  }

  async takeUpkeep(forMs: number): Promise<boolean> {
    return (await this.database.execute(sql.TAKE_UPKEEP, [forMs])).affected > 0;
  }

  async backlogs(least: number): Promise<EndpointWithBacklog[]> {
    const count = async (): Promise<number> => {
      const { rows } = await this.database.execute<{ rows: number }>(sql.COUNT_WRITTEN, [COUNTED_AT_ONCE]);
      return rows[0]!.rows;
    };
    while ((await count()) === COUNTED_AT_ONCE);
    return this.database.rows<EndpointWithBacklog>(sql.BACKLOGS, [least]);
  }

  async isBacklogFull(endpointId: string, max: number): Promise<boolean> {
    return (await this.database.execute(sql.FULL_BACKLOG, [endpointId, max])).rows.length > 0;
  }

  async deleteLeftovers(limit: number): Promise<number> {
    return (await this.database.execute(sql.DELETE_LEFTOVERS, [limit, KEPT_WHILE_DISABLED_DAYS])).affected;
  }

  private async findOverlooked(): Promise<void> {
    const [since, last] = this.searchedTo;
    const isFull = since === null || this.searches++ % SEARCHES_PER_FULL_SEARCH === 0;
    const [statement, parameters] = isFull ? [sql.FIND_OVERLOOKED, []] : [sql.FIND_OVERLOOKED_SINCE, [since]];
    const { rows } = await this.database.execute<{ newest: string }>(statement, parameters);
    this.searchedTo = [last, rows[0]!.newest];
  }

  private async leased(statement: string, parameters: unknown[]): Promise<LeasedEndpoint[]> {
    const { rows } = await this.database.execute<LeasedRow>(statement, parameters);
    return rows.map(({ secret, previousSecret, ...endpoint }) => {
      return { ...endpoint, secrets: this.secrets.open(endpoint.id, { secret, previousSecret }) };
    });
  }
}

function dueRow({ payload, jobEvent, ...row }: StoredRow): Omit<DueRow, 'facts'> & Pick<StoredRow, 'traceparent'> {
  return { ...row, payload: payload ?? jobEventBody(jobEvent!, row.createdAt) };
}
