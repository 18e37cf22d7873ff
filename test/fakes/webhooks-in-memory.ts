import type { Page, PageRequest, Slice, SliceRequest } from '../../src/kernel/page';
import { EventOutboxStore, type EventText } from '../../src/modules/events/domain/event-outbox.port';
import type { LoggedDelivery } from '../../src/modules/events/domain/webhook-delivery';
import type { EndpointFields, WebhookEndpoint, WebhookReplay } from '../../src/modules/events/domain/webhook-endpoint';
import { type EndpointChange, WebhookEndpointStore } from '../../src/modules/events/domain/webhook-endpoint-store.port';

/** A row of `webhook_endpoints`; times in ms. */
export interface EndpointRow extends Omit<WebhookEndpoint, 'replay' | 'previousSecretValidUntil'> {
  secret: string;
  previousSecret: string | null;
  previousUntil: number;
  failuresInRow: number;
  blockedUntil: number;
  countedAfter: number;
  leaseOwner: string | null;
  leaseUntil: number;
}

/** A row of `webhook_outbox`; times in ms. */
export interface WaitingRow {
  id: number;
  endpointId: string;
  orderKey: string | null;
  key: string;
  firstBody: number;
  payload: string;
  remaining: readonly number[] | null;
  attempt: number;
  createdAt: number;
  nextAt: number;
  /** The row whose body it replays, 0: unknown; null: not a replay. */
  replayOf: number | null;
}

/** A row of `webhook_deliveries` with its body; `place` in the log. */
export interface LogRow extends Omit<LoggedDelivery, 'payload'> {
  payload: string;
  place: number;
  orderKey: string | null;
  rowId: number | null;
  replayed: boolean;
  loggedAt: number;
}

/** A row of `webhook_replays`; positions are places in the log. */
export interface ReplayRow {
  since: number;
  startedAt: number;
  perSecond: number;
  inOrder: boolean;
  after: number;
  last: number | null;
  walkedFrom: number | null;
  steppedAt: number;
  replayed: number;
}

/** Endpoints, their waiting events, and the log; `now` in ms. */
export class WebhooksInMemory extends EventOutboxStore {
  readonly endpoints = new Map<string, EndpointRow>();
  /** By endpoint, ordered by id. */
  readonly outbox = new Map<string, Map<number, WaitingRow>>();
  readonly log = new Map<string, LogRow>();
  readonly replays = new Map<string, ReplayRow>();
  /** Whether this database delivers events: not after a restore. */
  mayDeliver = true;
  lastId = 0;
  upkeepDueAt = -Infinity;

  constructor(readonly now: () => number) {
    super();
  }

  add(accountId: string, events: readonly EventText[]): Promise<void> {
    for (const endpoint of this.subscribers(accountId)) {
      const chosen = events.filter(({ type }) => endpoint.events.includes(type)).map(({ text }) => text);
      this.put(endpoint.id, bodiesOf(chosen, endpoint.maxEvents), null);
    }
    return Promise.resolve();
  }

  /** Adds an event for its subscribed endpoints, ordered by `orderKey`. */
  addOrdered(accountId: string, { type, text }: EventText, orderKey: string): void {
    for (const { id, events, maxEvents } of this.subscribers(accountId)) {
      if (events.includes(type)) this.put(id, bodiesOf([text], maxEvents), orderKey);
    }
  }

  /** Adds a row that is due now. */
  put(
    endpointId: string,
    bodies: readonly string[],
    orderKey: string | null,
    more: Partial<WaitingRow> = {},
  ): WaitingRow | null {
    if (bodies.length === 0) return null;
    const id = ++this.lastId;
    const key = `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
    const now = this.now();
    const rows = this.outbox.get(endpointId) ?? new Map<number, WaitingRow>();
    this.outbox.set(endpointId, rows);
    const row: WaitingRow = {
      ...{ id, endpointId, orderKey, key, firstBody: 0, payload: bodies.join('\n'), remaining: null },
      ...{ attempt: 0, createdAt: now, nextAt: now, replayOf: null, ...more },
    };
    rows.set(id, row);
    return row;
  }

  waiting(endpointId: string): WaitingRow[] {
    return [...(this.outbox.get(endpointId)?.values() ?? [])];
  }

  private subscribers(accountId: string): EndpointRow[] {
    return [...this.endpoints.values()].filter((one) => one.accountId === accountId && one.status === 'Enabled');
  }
}

function bodiesOf(events: readonly string[], most: number): string[] {
  if (most === 1) return [...events];
  const chunks = Array.from({ length: Math.ceil(events.length / most) }, (_, n) =>
    events.slice(n * most, (n + 1) * most),
  );
  return chunks.map((chunk) => `{"events":[${chunk.join(',')}]}`);
}

/** The endpoints of accounts and their delivery log. */
export class EndpointsInMemory extends WebhookEndpointStore {
  constructor(private readonly tables: WebhooksInMemory) {
    super();
  }

  add(
    { id, accountId, url, events, maxEvents }: Pick<WebhookEndpoint, 'id' | 'accountId'> & EndpointFields,
    secret: string,
    limit: number,
  ): Promise<boolean> {
    if (this.of(accountId).length >= limit) return Promise.resolve(false);
    this.tables.endpoints.set(id, {
      ...{ id, accountId, url, events, maxEvents, status: 'Enabled', disabledReason: null, failingSince: null, secret },
      ...{ previousSecret: null, previousUntil: -Infinity, failuresInRow: 0, blockedUntil: -Infinity },
      ...{ countedAfter: 0, leaseOwner: null, leaseUntil: -Infinity, createdAt: new Date(this.tables.now()) },
    });
    return Promise.resolve(true);
  }

  page(accountId: string, { page, pageSize }: PageRequest): Promise<Page<WebhookEndpoint>> {
    const all = this.of(accountId).reverse();
    const items = all.slice((page - 1) * pageSize, page * pageSize).map((row) => this.shown(row));
    return Promise.resolve({ items, page, pageSize, totalCount: all.length });
  }

  find(accountId: string, id: string): Promise<WebhookEndpoint | null> {
    const row = this.row(accountId, id);
    return Promise.resolve(row ? this.shown(row) : null);
  }

  change(accountId: string, id: string, { status, ...fields }: EndpointChange): Promise<boolean> {
    const row = this.row(accountId, id);
    if (!row) return Promise.resolve(false);
    if (status === 'Enabled' && row.status === 'Disabled') Object.assign(row, { failingSince: null, failuresInRow: 0 });
    if (status === 'Enabled' && row.disabledReason === 'backlog_full') row.countedAfter = this.tables.lastId;
    if (status === 'Enabled') row.disabledReason = null;
    if (status === 'Disabled') row.disabledReason ??= 'disabled_by_client';
    if (status === 'Enabled' || fields.url !== undefined) row.blockedUntil = -Infinity;
    const given = Object.entries({ ...fields, status }).filter(([, value]) => value !== undefined);
    Object.assign(row, Object.fromEntries(given));
    return Promise.resolve(true);
  }

  replaceSecret(accountId: string, id: string, secret: string, overlapSeconds: number): Promise<boolean> {
    const row = this.row(accountId, id);
    if (!row) return Promise.resolve(false);
    const previousUntil = overlapSeconds > 0 ? this.tables.now() + overlapSeconds * 1000 : -Infinity;
    Object.assign(row, { secret, previousSecret: row.secret, previousUntil });
    return Promise.resolve(true);
  }

  remove(accountId: string, id: string): Promise<boolean> {
    if (!this.row(accountId, id)) return Promise.resolve(false);
    this.tables.endpoints.delete(id);
    this.tables.replays.delete(id);
    return Promise.resolve(true);
  }

  secretsOf(id: string): Promise<string[]> {
    const row = this.tables.endpoints.get(id);
    return Promise.resolve(row ? secretsOf(row, this.tables.now()) : []);
  }

  deliveries(endpointId: string, { cursor, limit }: SliceRequest): Promise<Slice<LoggedDelivery>> {
    const all = [...this.tables.log.values()].filter((row) => row.endpointId === endpointId).reverse();
    const from = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1;
    const items = all.slice(from, from + limit).map(logged);
    return Promise.resolve({ items, nextCursor: from + limit < all.length ? items.at(-1)!.id : null });
  }

  delivery(accountId: string, id: string): Promise<LoggedDelivery | null> {
    const row = this.tables.log.get(id);
    return Promise.resolve(row && this.row(accountId, row.endpointId) ? logged(row) : null);
  }

  replay(deliveryId: string): Promise<boolean> {
    const row = this.tables.log.get(deliveryId);
    if (row) repeat(this.tables, row);
    return Promise.resolve(row !== undefined);
  }

  startReplay(endpointId: string, since: Date, perSecond: number): Promise<WebhookReplay | null> {
    const { replays } = this.tables;
    if (replays.has(endpointId)) return Promise.resolve(null);
    const startedAt = this.tables.now();
    replays.set(endpointId, {
      ...{ since: since.getTime(), startedAt, perSecond, inOrder: true, after: 0, last: null, walkedFrom: null },
      ...{ steppedAt: -Infinity, replayed: 0 },
    });
    return Promise.resolve({ since, startedAt: new Date(startedAt), replayed: 0 });
  }

  private of(accountId: string): EndpointRow[] {
    return [...this.tables.endpoints.values()].filter((row) => row.accountId === accountId);
  }

  private row(accountId: string, id: string): EndpointRow | undefined {
    return this.of(accountId).find((row) => row.id === id);
  }

  private shown(row: EndpointRow): WebhookEndpoint {
    const { id, accountId, url, events, maxEvents, status, disabledReason, failingSince, createdAt } = row;
    const previousSecretValidUntil = row.previousUntil > this.tables.now() ? new Date(row.previousUntil) : null;
    const replay = this.tables.replays.get(id);
    return {
      ...{ id, accountId, url, events, maxEvents, status, disabledReason, failingSince, createdAt },
      previousSecretValidUntil,
      replay: replay
        ? { since: new Date(replay.since), startedAt: new Date(replay.startedAt), replayed: replay.replayed }
        : null,
    };
  }
}

/** The valid secrets of an endpoint, the newest first. */
export function secretsOf({ secret, previousSecret, previousUntil }: EndpointRow, now: number): string[] {
  return previousSecret !== null && previousUntil > now ? [secret, previousSecret] : [secret];
}

/** Enqueues the body of a logged attempt unless it is already waiting; returns whether it did. */
export function repeat(tables: WebhooksInMemory, { endpointId, orderKey, key, body, rowId, payload }: LogRow): boolean {
  const waiting = tables.waiting(endpointId);
  const isOpen = waiting.some(
    (row) => row.id === rowId && (row.remaining === null || row.remaining.includes(body - row.firstBody)),
  );
  const isRepeated = waiting.some((row) => row.replayOf !== null && row.key === key && row.firstBody === body);
  if (isOpen || isRepeated) return false;
  tables.put(endpointId, [payload], orderKey, { key, firstBody: body, replayOf: rowId ?? 0 });
  return true;
}

function logged({
  place: _place,
  orderKey: _order,
  rowId: _row,
  replayed: _replayed,
  loggedAt: _at,
  ...rest
}: LogRow): LoggedDelivery {
  return rest;
}
