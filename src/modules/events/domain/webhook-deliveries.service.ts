import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { GroupCommit } from '../../../kernel/group-commit';
import { Loop } from '../../../kernel/loop';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLogService } from '../../accounts/domain/audit-log.service';
import { DeliveryStore, type LeasedEndpoint, type Places, type RowResult } from './delivery-store.port';
import { EndpointDelivery } from './endpoint-delivery';
import { EventTelemetry } from './event-telemetry';
import { DISABLED_AFTER_MS, FAILURES_TO_PROBING } from './retry-schedule';
import type { DisabledReason } from './webhook-endpoint';
import { WebhookSender } from './webhook-sender.port';

const LOOK_EVERY_MS = 250;
const RENEW_EVERY_MS = 1000;
const LEASE_MS = 6000;
/** A delivery begins only so long after the last renewal: the rest of the lease is for clocks and slow connections. */
const VALID_MS = 4000;
const CLEAN_EVERY_MS = 60_000;
const CLEANED_AT_ONCE = 5000;
/** Endpoints that a process delivers to at once: those at which something has ended lately, all, and of one account. */
const MOST_MOVING = 64;
const MOST_ENDPOINTS = 512;
const MOST_OF_ACCOUNT = 8;
const LATELY_MS = 2000;
const ROWS_AT_ONCE = 200;
const RESULTS_AT_ONCE = 200;
/** An endpoint for which something seemed due and nothing was: its rows wait for others in their order. */
const REST_MS = 5000;
/** A stop waits so long for the deliveries under way. */
const STOP_PATIENCE_MS = 3000;

interface Held {
  accountId: string;
  delivery: EndpointDelivery;
  validUntil: number;
  ended: Promise<void>;
}

/** Delivers what stands in the outbox: looks for endpoints with something due, and delivers to each under its lease. */
@Injectable()
export class WebhookDeliveries {
  private readonly owner = randomUUID();
  private readonly held = new Map<string, Held>();
  private readonly results: GroupCommit<RowResult>;
  private readonly loops: Loop[];
  private lookedAt: number | null = null;

  constructor(
    private readonly store: DeliveryStore,
    private readonly sender: WebhookSender,
    private readonly audit: AuditLogService,
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
    this.results = new GroupCommit(write, { ...options, repeatAs: 'webhook_results' });
    this.loops = [
      new Loop({ name: 'webhook_deliveries', clock, everyMs: LOOK_EVERY_MS, round: () => this.look(), failed }),
      new Loop({ name: 'webhook_leases', clock, everyMs: RENEW_EVERY_MS, round: () => this.renew(), failed }),
      new Loop({
        ...{ name: 'webhook_leftovers', clock, everyMs: CLEAN_EVERY_MS, jitterMs: CLEAN_EVERY_MS },
        round: (end) => this.clean(end),
        failed,
      }),
    ];
  }

  /** Milliseconds since this process last looked for something to deliver; null: it does not deliver. */
  get lookedAgoMs(): number | null {
    return this.lookedAt === null ? null : this.clock.monotonic() - this.lookedAt;
  }

  /** Endpoints that this process delivers to now. */
  get endpoints(): number {
    return this.held.size;
  }

  start(): void {
    this.lookedAt = this.clock.monotonic();
    for (const loop of this.loops) loop.start();
  }

  /** Begins nothing more, waits for what is under way, and gives the leases back. */
  async stop(): Promise<void> {
    const [looking, renewing, cleaning] = this.loops as [Loop, Loop, Loop];
    await Promise.all([looking.stop(), cleaning.stop()]);
    const all = [...this.held.values()];
    for (const { delivery } of all) delivery.end();
    const ended = Promise.all(all.map((one) => one.ended));
    await this.clock.atMost(STOP_PATIENCE_MS, ended);
    for (const { delivery } of all) delivery.abort();
    await this.clock.atMost(STOP_PATIENCE_MS, ended);
    await renewing.stop();
    this.lookedAt = null;
  }

  /** Takes endpoints with something due, and begins to deliver to them; none while results cannot be written. */
  async look(): Promise<void> {
    const before = this.clock.monotonic();
    const places = this.places(before);
    const leased = places.room > 0 ? await this.store.lease(this.owner, LEASE_MS, places) : [];
    this.lookedAt = this.clock.monotonic();
    for (const endpoint of leased) {
      // A lease may have ended and be taken again before its delivery has ended.
      const held = this.held.get(endpoint.id);
      if (held) prolong(held, endpoint, before);
      else this.begin(endpoint, before + VALID_MS);
    }
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
      if (endpoint) prolong(held, endpoint, before);
      else held.delivery.abort();
    }
  }

  /** An endpoint that hangs takes up a place of its account, and none that others wait for. */
  private places(now: number): Places {
    const held = new Map<string, number>();
    let moving = 0;
    for (const { accountId, delivery } of this.held.values()) {
      held.set(accountId, (held.get(accountId) ?? 0) + 1);
      if (now - delivery.progressedAt < LATELY_MS) moving++;
    }
    const room = Math.min(MOST_MOVING - moving, MOST_ENDPOINTS - this.held.size);
    return { room: this.results.failing ? 0 : room, ofAccount: MOST_OF_ACCOUNT, held };
  }

  private async clean(stopped: AbortSignal): Promise<void> {
    while ((await this.store.deleteLeftovers(CLEANED_AT_ONCE)) === CLEANED_AT_ONCE && !stopped.aborted);
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
        if (wasProbing) telemetry.back(endpoint);
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
    // Only afterwards: it asks whether the lease is held.
    const held: Held = { accountId: endpoint.accountId, delivery, validUntil, ended: Promise.resolve() };
    this.held.set(id, held);
    held.ended = delivery
      .run()
      .catch((error: unknown) => telemetry.failed(error as Error))
      .then(() => this.giveBack(id, delivery.tried ? 0 : REST_MS));
  }

  private async giveBack(id: string, restMs: number): Promise<void> {
    this.held.delete(id);
    // Otherwise it ends by itself.
    await this.store.release(this.owner, id, restMs).catch(() => undefined);
  }

  private async disable(endpoint: LeasedEndpoint, reason: DisabledReason): Promise<void> {
    const { id, accountId } = endpoint;
    const disabled = await this.unitOfWork.run(async () => {
      if (!(await this.store.disable(id, reason))) return false;
      const byItself = { accountId, keyPrefix: null };
      await this.audit.record(byItself, { action: 'webhook.disabled', targetId: id, fields: [reason] });
      return true;
    });
    if (disabled) this.telemetry.disabled(endpoint, reason);
  }
}

/** Notes a renewal that began at `before`. */
function prolong(held: Held, endpoint: LeasedEndpoint, before: number): void {
  held.validUntil = before + VALID_MS;
  held.delivery.endpoint = endpoint;
}
