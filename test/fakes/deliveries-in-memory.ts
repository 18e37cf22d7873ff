import {
  DeliveryStore,
  type DueRow,
  type DueRows,
  type EndpointWithBacklog,
  type LeasedEndpoint,
  type LeaseLimits,
  type RowResult,
} from '../../src/modules/events/domain/delivery-store.port';
import { contentsOf } from '../../src/modules/events/domain/event';
import {
  type EndpointRow,
  type LogRow,
  type ReplayRow,
  repeat,
  secretsOf,
  type WaitingRow,
  type WebhooksInMemory,
} from './webhooks-in-memory';

const STEP_APART_MS = 1000;
const BYTES_AT_ONCE = 512 * 1024;
const LOGGED_AT_ONCE = 5000;
const MOST_WAITING = 5000;

/** The statements of the real store, executed immediately. */
export class DeliveriesInMemory extends DeliveryStore {
  protected readonly keptWhileDisabledMs: number = 3 * 86_400_000;

  constructor(protected readonly tables: WebhooksInMemory) {
    super();
  }

  lease(owner: string, leaseMs: number, { room, perAccount, held }: LeaseLimits): Promise<LeasedEndpoint[]> {
    const now = this.tables.now();
    const free = [...this.tables.endpoints.values()]
      .filter((row) => this.tables.mayDeliver && this.isFree(row, now) && this.hasWork(row.id, now))
      .sort((a, b) => a.leaseUntil - b.leaseUntil || (a.id < b.id ? -1 : 1));
    const places = new Map(held);
    const ranked = free.map((row) => {
      const place = (places.get(row.accountId) ?? 0) + 1;
      places.set(row.accountId, place);
      return { row, place };
    });
    const taken = ranked
      .filter(({ place }) => place <= perAccount)
      .sort((a, b) => a.place - b.place)
      .slice(0, room);
    for (const { row } of taken) Object.assign(row, { leaseOwner: owner, leaseUntil: now + leaseMs });
    return Promise.resolve(taken.map(({ row }) => this.leased(row)));
  }

  renew(owner: string, endpointIds: readonly string[], leaseMs: number): Promise<LeasedEndpoint[]> {
    const rows = endpointIds
      .flatMap((id) => this.tables.endpoints.get(id) ?? [])
      .filter((row) => this.isRenewable(row, owner));
    for (const row of rows) row.leaseUntil = this.tables.now() + leaseMs;
    return Promise.resolve(rows.map((row) => this.leased(row)));
  }

  release(owner: string, endpointId: string, restMs: number): Promise<void> {
    const row = this.tables.endpoints.get(endpointId);
    if (row?.leaseOwner === owner) Object.assign(row, { leaseOwner: null, leaseUntil: this.tables.now() + restMs });
    return Promise.resolve();
  }

  due(endpointId: string, taken: readonly string[], afterKey: string | null, limit: number): Promise<DueRows> {
    const waiting = this.tables.waiting(endpointId);
    const heads = this.heads(waiting).filter(({ orderKey }) => afterKey === null || orderKey! > afterKey);
    const isWalked = this.tables.replays.get(endpointId)?.inOrder === true;
    const now = this.tables.now();
    const found = [
      ...heads.slice(0, limit).filter(({ replayOf }) => replayOf !== null || !isWalked),
      ...waiting.filter(({ orderKey }) => orderKey === null),
    ]
      .filter((row) => row.nextAt <= now && !taken.includes(String(row.id)))
      .sort((a, b) => a.nextAt - b.nextAt || a.id - b.id)
      .slice(0, limit);
    let bytes = 0;
    const rows = found.filter(({ payload }) => {
      const fits = bytes < BYTES_AT_ONCE;
      bytes += Buffer.byteLength(payload);
      return fits;
    });
    return Promise.resolve({ rows: rows.map(dueRow), lastKey: heads[limit - 1]?.orderKey ?? null });
  }

  stepReplay(endpointId: string): Promise<boolean> {
    const { now: clock, replays } = this.tables;
    const now = clock();
    const replay = replays.get(endpointId);
    const waiting = this.tables.waiting(endpointId).filter(({ replayOf }) => replayOf !== null);
    const isFull = (rows: readonly WaitingRow[], most: number): boolean => rows.length >= most;
    if (!replay || replay.steppedAt > now - STEP_APART_MS || isFull(waiting, MOST_WAITING))
      return Promise.resolve(false);
    const dueNow = waiting.filter(({ nextAt }) => nextAt <= now);
    if (isFull(dueNow, replay.perSecond)) return Promise.resolve(false);
    const log = [...this.tables.log.values()].filter((row) => row.endpointId === endpointId);
    const until = replay.walkedFrom ?? now;
    const last = replay.last ?? log.at(-1)?.place ?? 0;
    const looked = log.filter(({ place }) => place > replay.after && place <= last).slice(0, LOGGED_AT_ONCE);
    const taken = looked.filter((row) => fits(row, replay, until)).slice(0, replay.perSecond);
    const added = taken.filter((row) => this.repeat(row)).length;
    const isCutShort = taken.length === replay.perSecond;
    const goesOn = isCutShort || looked.length === LOGGED_AT_ONCE;
    if (!goesOn && !replay.inOrder) replays.delete(endpointId);
    Object.assign(replay, {
      walkedFrom: until,
      last,
      replayed: replay.replayed + added,
      inOrder: replay.inOrder && goesOn,
    });
    replay.after = goesOn ? (isCutShort ? taken : looked).at(-1)!.place : 0;
    replay.steppedAt = goesOn ? clock() : -Infinity;
    return Promise.resolve(true);
  }

  finish(results: readonly RowResult[]): Promise<void> {
    const { log, outbox } = this.tables;
    for (const { id, endpointId, again, attempts, row: attempted } of results) {
      const row = outbox.get(endpointId)?.get(Number(id));
      if (again === null) outbox.get(endpointId)?.delete(Number(id));
      else if (row && row.attempt <= again.attempt) {
        const { remaining, attempt, afterMs } = again;
        outbox.get(endpointId)!.set(row.id, { ...row, remaining, attempt, nextAt: this.tables.now() + afterMs });
      }
      for (const attempt of attempts) {
        if (log.has(attempt.id)) continue;
        log.set(attempt.id, {
          ...{ ...attempt, place: log.size + 1, orderKey: attempted?.orderKey ?? null },
          ...{ rowId: attempted ? Number(attempted.place) : null, replayed: attempted?.isReplay ?? false },
          loggedAt: this.tables.now(),
        });
      }
    }
    return Promise.resolve();
  }

  succeeded(endpointId: string): Promise<void> {
    this.change(endpointId, { failingSince: null, failuresInRow: 0, blockedUntil: -Infinity });
    return Promise.resolve();
  }

  failed(endpointId: string, failuresInRow: number, blockedMs: number): Promise<Date> {
    const now = this.tables.now();
    const failingSince = this.tables.endpoints.get(endpointId)?.failingSince ?? new Date(now);
    const blockedUntil = blockedMs > 0 ? now + blockedMs : -Infinity;
    this.change(endpointId, { failingSince, failuresInRow: Math.min(failuresInRow, 1000), blockedUntil });
    return Promise.resolve(failingSince);
  }

  disable(endpointId: string, reason: string): Promise<boolean> {
    const isEnabled = this.tables.endpoints.get(endpointId)?.status === 'Enabled';
    const disabledReason = reason as EndpointRow['disabledReason'];
    if (isEnabled) this.change(endpointId, { status: 'Disabled', disabledReason });
    return Promise.resolve(isEnabled);
  }

  takeUpkeep(forMs: number): Promise<boolean> {
    const now = this.tables.now();
    const isDue = this.tables.upkeepDueAt <= now;
    if (isDue) this.tables.upkeepDueAt = now + forMs;
    return Promise.resolve(isDue);
  }

  backlogs(least: number): Promise<EndpointWithBacklog[]> {
    const enabled = [...this.tables.endpoints.values()].filter(({ status }) => status === 'Enabled');
    const behind = enabled.filter(({ id, countedAfter }) => this.bodiesAfter(id, countedAfter) >= least);
    return Promise.resolve(behind.map(({ id, accountId }) => ({ id, accountId, plan: 'Pro' })));
  }

  isBacklogFull(endpointId: string, most: number): Promise<boolean> {
    return Promise.resolve(this.bodiesAfter(endpointId, this.tables.endpoints.get(endpointId)!.countedAfter) >= most);
  }

  deleteLeftovers(limit: number): Promise<number> {
    const before = this.tables.now() - this.keptWhileDisabledMs;
    const over = [...this.tables.outbox.keys()].flatMap((endpointId) => {
      const endpoint = this.tables.endpoints.get(endpointId);
      if (endpoint?.status === 'Enabled') return [];
      return this.tables.waiting(endpointId).filter((row) => !endpoint || row.nextAt < before);
    });
    const deleted = over.slice(0, limit);
    for (const { endpointId, id } of deleted) this.tables.outbox.get(endpointId)!.delete(id);
    return Promise.resolve(deleted.length);
  }

  /** Whether a process may lease the endpoint. */
  protected isFree({ status, leaseUntil, blockedUntil }: EndpointRow, now: number): boolean {
    return status === 'Enabled' && leaseUntil < now && blockedUntil <= now;
  }

  protected isRenewable({ leaseOwner, status }: EndpointRow, owner: string): boolean {
    return leaseOwner === owner && status === 'Enabled';
  }

  /** The first row of each order key. */
  protected heads(waiting: readonly WaitingRow[]): WaitingRow[] {
    const heads = new Map<string, WaitingRow>();
    for (const row of waiting) {
      if (row.orderKey === null) continue;
      const head = heads.get(row.orderKey);
      if (!head || placeOf(row) < placeOf(head)) heads.set(row.orderKey, row);
    }
    return [...heads.values()].sort((a, b) => (a.orderKey! < b.orderKey! ? -1 : 1));
  }

  protected repeat(row: LogRow): boolean {
    return repeat(this.tables, row);
  }

  private bodiesAfter(endpointId: string, rowId: number): number {
    const rows = this.tables.waiting(endpointId).filter(({ id }) => id > rowId);
    return rows.reduce((sum, { payload }) => sum + payload.split('\n').length, 0);
  }

  private hasWork(endpointId: string, now: number): boolean {
    const replay = this.tables.replays.get(endpointId);
    if (replay && replay.steppedAt <= now - STEP_APART_MS) return true;
    for (const { nextAt } of this.tables.outbox.get(endpointId)?.values() ?? []) if (nextAt <= now) return true;
    return false;
  }

  private change(endpointId: string, change: Partial<EndpointRow>): void {
    const row = this.tables.endpoints.get(endpointId);
    if (row) Object.assign(row, change);
  }

  private leased(row: EndpointRow): LeasedEndpoint {
    const { id, accountId, url, failuresInRow, failingSince } = row;
    const replay = this.tables.replays.get(id);
    return {
      ...{ id, accountId, url, secrets: secretsOf(row, this.tables.now()), failuresInRow, failingSince },
      replay: replay ? (replay.last === null ? 'Requested' : 'Walking') : null,
    };
  }
}

function fits(row: LogRow, { since, inOrder }: ReplayRow, until: number): boolean {
  const isEnd = row.status !== 'Retrying' && row.attempt > 0 && !row.replayed;
  return isEnd && row.loggedAt >= since && row.loggedAt <= until && (row.orderKey !== null) === inOrder;
}

function placeOf({ id, replayOf }: WaitingRow): number {
  return replayOf ?? id;
}

function dueRow(row: WaitingRow): DueRow {
  const { id, key, firstBody, payload, remaining, attempt, orderKey, replayOf, createdAt } = row;
  return {
    ...{ id: String(id), key, firstBody, payload, remaining, attempt, orderKey, place: String(placeOf(row)) },
    ...{ isReplay: replayOf !== null, createdAt: new Date(createdAt) },
    facts: payload.split('\n').map((body) => ({ types: contentsOf(body).types, trace: null })),
  };
}
