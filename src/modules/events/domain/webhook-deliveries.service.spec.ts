import { FakeClock } from '../../../../test/fakes/fake-clock';
import { ImmediateUnitOfWork } from '../../../../test/fakes/immediate-unit-of-work';
import type { AuditLogService } from '../../accounts/domain/audit-log.service';
import { DeliveryStore, type DueRows, type LeasedEndpoint, type Places, type RowResult } from './delivery-store.port';
import type { EventTelemetry } from './event-telemetry';
import { WebhookDeliveries } from './webhook-deliveries.service';
import { type PostResult, WebhookSender } from './webhook-sender.port';

const LEASE_MS = 6_000;

/** Endpoints with one event each, until its result is written; results are refused while `refuses`. */
class FakeStore extends DeliveryStore {
  refuses = false;
  renews = true;
  looks = 0;
  readonly leasedUntil = new Map<string, number>();
  readonly waiting = new Set<string>();
  /** What waits, and is not due. */
  readonly heldBack = new Set<string>();
  written: RowResult[] = [];

  constructor(private readonly clock: FakeClock) {
    super();
  }

  lease(_owner: string, leaseMs: number, { room }: Places): Promise<LeasedEndpoint[]> {
    const free = [...this.waiting].filter((id) => (this.leasedUntil.get(id) ?? 0) <= this.clock.monotonic());
    return Promise.resolve(this.prolong(free.slice(0, room), leaseMs));
  }

  renew(_owner: string, endpointIds: readonly string[], leaseMs: number): Promise<LeasedEndpoint[]> {
    if (!this.renews) return Promise.reject(new Error('connection lost'));
    return Promise.resolve(this.prolong(endpointIds, leaseMs));
  }

  private prolong(endpointIds: readonly string[], leaseMs: number): LeasedEndpoint[] {
    for (const id of endpointIds) this.leasedUntil.set(id, this.clock.monotonic() + leaseMs);
    const fields = { accountId: 'a', url: 'https://example.com', secrets: ['whsec_MQ=='] };
    return endpointIds.map((id) => ({ id, ...fields, failuresInRow: 0, failingSince: null, replay: null }));
  }

  release(_owner: string, endpointId: string, restMs: number): Promise<void> {
    this.leasedUntil.set(endpointId, this.clock.monotonic() + restMs);
    return Promise.resolve();
  }

  due(endpointId: string, taken: readonly string[]): Promise<DueRows> {
    this.looks++;
    if (!this.waiting.has(endpointId) || this.heldBack.has(endpointId) || taken.includes(endpointId))
      return Promise.resolve({ rows: [], lastKey: null });
    const row = { id: endpointId, key: endpointId, firstBody: 0, payload: '{"type":"job.paused"}', remaining: null };
    const place = { orderKey: null, place: endpointId, isReplay: false };
    return Promise.resolve({ rows: [{ ...row, ...place, attempt: 0, createdAt: this.clock.now() }], lastKey: null });
  }

  finish(results: readonly RowResult[]): Promise<void> {
    if (this.refuses) return Promise.reject(new Error('read-only transaction'));
    this.written.push(...results);
    for (const { id } of results) this.waiting.delete(id);
    return Promise.resolve();
  }

  succeeded = () => Promise.resolve();
  failed = () => Promise.resolve(new Date());
  disable = () => Promise.resolve(true);
  stepReplay = () => Promise.resolve(false);
  deleteLeftovers = () => Promise.resolve(0);
}

class FakeSender extends WebhookSender {
  posts = 0;
  answerAfterMs = 0;

  constructor(private readonly clock: FakeClock) {
    super();
  }

  async post(): Promise<PostResult> {
    this.posts++;
    if (this.answerAfterMs > 0) await this.clock.sleep(this.answerAfterMs);
    return { kind: 'answered', status: 204, retryAfterMs: null };
  }

  refusal(): null {
    return null;
  }
}

describe('The deliveries of a process', () => {
  let clock: FakeClock;
  let store: FakeStore;
  let sender: FakeSender;
  let deliveries: WebhookDeliveries;

  beforeEach(() => {
    clock = new FakeClock();
    store = new FakeStore(clock);
    sender = new FakeSender(clock);
    const silent = { attempted: () => undefined, failed: () => undefined } as unknown as EventTelemetry;
    const audit = null as unknown as AuditLogService;
    deliveries = new WebhookDeliveries(store, sender, audit, new ImmediateUnitOfWork(), clock, silent);
    deliveries.start();
  });
  afterEach(async () => {
    store.refuses = false;
    let over = false;
    const stopping = deliveries.stop().finally(() => (over = true));
    while (!over) await clock.advance(50);
    await stopping;
  });

  it('give their leases up while results cannot be written, and take no other endpoints', async () => {
    store.refuses = true;
    store.waiting.add('first');
    await clock.advance(500);
    store.waiting.add('second');
    await clock.advance(LEASE_MS + 500);
    expect(store.leasedUntil.get('first')).toBeLessThan(clock.monotonic());
    expect(store.leasedUntil.has('second')).toBe(false);
    expect(sender.posts).toBe(1);
  });

  it('go on when results can be written again, with one delivery to an endpoint at a time', async () => {
    store.refuses = true;
    store.waiting.add('first');
    await clock.advance(500);
    store.waiting.add('second');
    await clock.advance(2 * LEASE_MS);
    store.refuses = false;
    await clock.advance(3_000);
    expect(store.written.map(({ id }) => id)).toEqual(['first', 'second']);
    expect([store.waiting.size, deliveries.endpoints, sender.posts]).toEqual([0, 0, 2]);
  });

  it('begin no second delivery to an endpoint whose lease ended and was taken again during the first', async () => {
    store.renews = false;
    sender.answerAfterMs = 10_000;
    store.waiting.add('first');
    await clock.advance(LEASE_MS + 2_000);
    expect([sender.posts, deliveries.endpoints]).toEqual([1, 1]);
    store.renews = true;
    await clock.advance(5_000);
    expect([store.written.length, deliveries.endpoints, sender.posts]).toEqual([1, 0, 1]);
  });

  it('give a place to an endpoint that answers after 64 others have hung for 2 s', async () => {
    sender.answerAfterMs = 14_000;
    for (let n = 0; n < 70; n++) store.waiting.add(`hung ${n}`);
    await clock.advance(1_000);
    expect(sender.posts).toBe(64);
    await clock.advance(2_000);
    expect(sender.posts).toBe(70);
  });

  it('leave an endpoint alone for 5 s of which nothing is due after all', async () => {
    store.waiting.add('first');
    store.heldBack.add('first');
    await clock.advance(4_500);
    expect(store.looks).toBe(1);
    store.heldBack.clear();
    await clock.advance(2_000);
    expect(store.written).toHaveLength(1);
  });
});
