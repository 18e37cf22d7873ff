import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { GroupCommit } from '../../../kernel/group-commit';
import { Loop } from '../../../kernel/loop';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLogService, serviceIn } from '../../accounts/domain/audit-log.service';
import { Plans } from '../../accounts/domain/plans';
import { DeliveryStore, type LeasedEndpoint, type LeaseLimits, type RowResult } from './delivery-store.port';
import { EndpointDelivery } from './endpoint-delivery';
import { EventTelemetry } from './event-telemetry';
import { DISABLED_AFTER_MS, FAILURES_TO_PROBING } from './retry-schedule';
import type { DisabledReason } from './webhook-endpoint';
import { WebhookSender } from './webhook-sender.port';

const POLL_EVERY_MS = 250;
const RENEW_EVERY_MS = 1000;
const LEASE_MS = 6000;
/** Requests start at most this long after the last renewal: the rest of the lease covers clock differences and slow connections. */
const VALID_MS = 4000;
const UPKEEP_EVERY_MS = 60_000;
const CLEANUP_BATCH = 5000;
/** Maximum number of endpoints a process delivers to: with recent progress, in total, and per account. */
const MAX_PROGRESSING = 64;
const MAX_ENDPOINTS = 512;
const MAX_PER_ACCOUNT = 8;
const RECENT_MS = 2000;
const ROWS_AT_ONCE = 200;
const RESULTS_AT_ONCE = 200;
/** Pause of an endpoint whose due rows all wait for earlier ones in their order. */
const REST_MS = 5000;
/** How long a stop waits for requests in flight. */
const STOP_TIMEOUT_MS = 3000;

interface Held {
  accountId: string;
  delivery: EndpointDelivery;
  validUntil: number;
  ended: Promise<void>;
}

/** Delivers the outbox: polls for endpoints with something due, and delivers to each under its lease. */
@Injectable()
export class WebhookDeliveries {
  private readonly owner = randomUUID();
  private readonly held = new Map<string, Held>();
  private readonly results: GroupCommit<RowResult>;
  private readonly loops: Loop[];
  private polledAt: number | null = null;
  /** Endpoints being released now, and those released at any time since the last poll began. */
  private readonly releasing = new Map<string, Promise<void>>();
  private released = new Set<string>();

  constructor(
    private readonly store: DeliveryStore,
    private readonly sender: WebhookSender,
    private readonly audit: AuditLogService,
    private readonly plans: Plans,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly telemetry: EventTelemetry,
  ) {
    const failed = (error: unknown): void => telemetry.failed(error as Error);
    const write = async (results: RowResult[]): Promise<void[]> => {
      await store.finish(results);
      return results.map(() => undefined);
    };
    const options = { maxItems: RESULTS_AT_ONCE, gatherMs: 0, clock, onError: failed };
    this.results = new GroupCommit(write, { ...options, retryAs: 'webhook_results' });
    this.loops = [
      new Loop({ name: 'webhook_deliveries', clock, everyMs: POLL_EVERY_MS, round: () => this.poll(), failed }),
      new Loop({ name: 'webhook_leases', clock, everyMs: RENEW_EVERY_MS, round: () => this.renew(), failed }),
      new Loop({
        ...{ name: 'webhook_upkeep', clock, everyMs: UPKEEP_EVERY_MS, jitterMs: UPKEEP_EVERY_MS },
        round: (end) => this.keepUp(end),
        failed,
      }),
    ];
  }

  /** Milliseconds since the last poll of this process; null: it does not deliver. */
  get polledAgoMs(): number | null {
    return this.polledAt === null ? null : this.clock.monotonic() - this.polledAt;
  }

  /** Number of endpoints that this process is delivering to. */
  get endpoints(): number {
    return this.held.size;
  }

  start(): void {
    this.polledAt = this.clock.monotonic();
    for (const loop of this.loops) loop.start();
  }

  /** Starts no more requests, waits for those in flight, and releases the leases. */
  async stop(): Promise<void> {
    const [polling, renewing, ...others] = this.loops as [Loop, Loop, ...Loop[]];
    await Promise.all([polling, ...others].map((loop) => loop.stop()));
    const all = [...this.held.values()];
    for (const { delivery } of all) delivery.end();
    const ended = Promise.all(all.map((one) => one.ended));
    await this.clock.atMost(STOP_TIMEOUT_MS, ended);
    for (const { delivery } of all) delivery.abort();
    await this.clock.atMost(STOP_TIMEOUT_MS, ended);
    await renewing.stop();
    this.polledAt = null;
  }

  /** Takes endpoints with something due and starts delivering to them; none while results cannot be written. */
  async poll(): Promise<void> {
    const before = this.clock.monotonic();
    const limits = this.leaseLimits(before);
    this.released = new Set(this.releasing.keys());
    const leased = limits.room > 0 ? await this.store.lease(this.owner, LEASE_MS, limits) : [];
    this.polledAt = this.clock.monotonic();
    const again: Promise<void>[] = [];
    for (const endpoint of leased) {
      // A lease may expire and be taken again before its delivery has ended.
      const held = this.held.get(endpoint.id);
      if (held) applyRenewal(held, endpoint, before);
      // The release may reach the database after the lease and end it: the next poll takes the endpoint.
      else if (this.released.has(endpoint.id)) again.push(this.release(endpoint.id, 0));
      else this.begin(endpoint, before + VALID_MS);
    }
    await Promise.all(again);
  }

  /**
   * Renews the leases; ends the deliveries to endpoints that were disabled, deleted or lost. Renews none while results cannot be
   * written, so that other processes deliver instead.
   */
  async renew(): Promise<void> {
    const ids = [...this.held.keys()];
    if (ids.length === 0 || this.results.failing) return;
    const before = this.clock.monotonic();
    const renewed = new Map((await this.store.renew(this.owner, ids, LEASE_MS)).map((one) => [one.id, one]));
    for (const id of ids) {
      const held = this.held.get(id);
      const endpoint = renewed.get(id);
      if (!held) continue;
      if (endpoint) applyRenewal(held, endpoint, before);
      else held.delivery.abort();
    }
  }

  /** A hanging endpoint counts towards the limit of its account, but not towards the limit of endpoints with recent progress. */
  private leaseLimits(now: number): LeaseLimits {
    const held = new Map<string, number>();
    let progressing = 0;
    for (const { accountId, delivery } of this.held.values()) {
      held.set(accountId, (held.get(accountId) ?? 0) + 1);
      if (now - delivery.progressedAt < RECENT_MS) progressing++;
    }
    const room = Math.min(MAX_PROGRESSING - progressing, MAX_ENDPOINTS - this.held.size);
    return { room: this.results.failing ? 0 : room, perAccount: MAX_PER_ACCOUNT, held };
  }

  /** In one process at a time. */
  private async keepUp(stopped: AbortSignal): Promise<void> {
    if (!(await this.store.takeUpkeep(UPKEEP_EVERY_MS))) return;
    await this.limitBacklogs(stopped);
    while ((await this.store.deleteLeftovers(CLEANUP_BATCH)) === CLEANUP_BATCH && !stopped.aborted);
  }

  private async limitBacklogs(stopped: AbortSignal): Promise<void> {
    const least = Math.min(...this.plans.names().map((name) => this.plans.of(name).maxWaitingEvents));
    for (const endpoint of await this.store.backlogs(least)) {
      if (stopped.aborted) return;
      const { maxWaitingEvents } = this.plans.of(endpoint.plan);
      if (await this.store.isBacklogFull(endpoint.id, maxWaitingEvents)) await this.disable(endpoint, 'backlog_full');
    }
  }

  private begin(endpoint: LeasedEndpoint, validUntil: number): void {
    const { store, clock, sender, telemetry } = this;
    const { id } = endpoint;
    const delivery: EndpointDelivery = new EndpointDelivery(endpoint, {
      clock,
      sender,
      due: (taken, afterKey) => store.due(id, taken, afterKey, ROWS_AT_ONCE),
      stepReplay: () => store.stepReplay(id),
      finish: (result) => this.results.submit(result),
      holdsLease: () => clock.monotonic() < (this.held.get(id)?.validUntil ?? 0),
      succeeded: async (wasProbing) => {
        if (wasProbing) telemetry.recovered(endpoint);
        await store.succeeded(id);
      },
      failed: async (failuresInRow, blockedMs, reason) => {
        const since = await store.failed(id, failuresInRow, blockedMs);
        if (failuresInRow === FAILURES_TO_PROBING) telemetry.unreachable(endpoint, reason);
        return clock.now().getTime() - since.getTime() >= DISABLED_AFTER_MS;
      },
      disable: (reason) => this.disable(endpoint, reason),
      attempted: (...attempt) => telemetry.attempted(...attempt),
    });
    // Before the run, which checks the lease in `held`.
    const held: Held = { accountId: endpoint.accountId, delivery, validUntil, ended: Promise.resolve() };
    this.held.set(id, held);
    held.ended = delivery
      .run()
      .catch((error: unknown) => telemetry.failed(error as Error))
      .then(() => this.endDelivery(id, delivery.wasActive ? 0 : REST_MS));
  }

  private async endDelivery(id: string, restMs: number): Promise<void> {
    this.held.delete(id);
    await this.release(id, restMs);
  }

  private async release(id: string, restMs: number): Promise<void> {
    const released = (this.releasing.get(id) ?? Promise.resolve())
      .then(() => this.store.release(this.owner, id, restMs))
      // If the release fails, the lease expires.
      .catch(() => undefined);
    this.releasing.set(id, released);
    this.released.add(id);
    await released;
    if (this.releasing.get(id) === released) this.releasing.delete(id);
  }

  private async disable(endpoint: Pick<LeasedEndpoint, 'id' | 'accountId'>, reason: DisabledReason): Promise<void> {
    const { id, accountId } = endpoint;
    const disabled = await this.unitOfWork.run(async () => {
      if (!(await this.store.disable(id, reason))) return false;
      await this.audit.record(serviceIn(accountId), { action: 'webhook.disabled', targetId: id, fields: [reason] });
      return true;
    });
    if (disabled) this.telemetry.disabled(endpoint, reason);
  }
}

/** Applies a renewal that began at `before`. */
function applyRenewal(held: Held, endpoint: LeasedEndpoint, before: number): void {
  held.validUntil = before + VALID_MS;
  held.delivery.endpoint = endpoint;
}
