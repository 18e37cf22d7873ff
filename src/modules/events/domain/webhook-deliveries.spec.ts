import { FakeClock } from '../../../../test/fakes/fake-clock';
import { ImmediateUnitOfWork } from '../../../../test/fakes/immediate-unit-of-work';
import type { AuditLogService } from '../../accounts/domain/audit-log.service';
import { Plans } from '../../accounts/domain/plans';
import {
  DeliveryStore,
  type DueRows,
  type LeasedEndpoint,
  type LeaseLimits,
  type RowResult,
} from './delivery-store.port';
import type { EventTelemetry } from './event-telemetry';
import { WebhookDeliveries } from './webhook-deliveries';
import { type PostResult, WebhookSender } from './webhook-sender.port';

const LEASE_MS = 6_000;

/** Endpoints with one event each, until its result is written; writing results fails while `refuses`. */
class FakeStore extends DeliveryStore {
  refuses = false;
  renews = true;
  looks = 0;
  releases = 0;
  releaseTakesMs = 0;
  readonly leasedUntil = new Map<string, number>();
  readonly waiting = new Set<string>();
  /** Waiting rows that are not due. */
  readonly heldBack = new Set<string>();
  /** Enabled endpoints and their number of waiting bodies. */
  readonly backlogOf = new Map<string, number>();
  isKeptUpElsewhere = false;
  written: RowResult[] = [];

  constructor(private readonly clock: FakeClock) {
    super();
  }

  lease(_owner: string, leaseMs: number, { room }: LeaseLimits): Promise<LeasedEndpoint[]> {
    const free = [...this.waiting].filter((id) => (this.leasedUntil.get(id) ?? 0) <= this.clock.monotonic());
    return Promise.resolve(this.applyRenewal(free.slice(0, room), leaseMs));
  }

  renew(_owner: string, endpointIds: readonly string[], leaseMs: number): Promise<LeasedEndpoint[]> {
    if (!this.renews) return Promise.reject(new Error('connection lost'));
    return Promise.resolve(this.applyRenewal(endpointIds, leaseMs));
  }

  private applyRenewal(endpointIds: readonly string[], leaseMs: number): LeasedEndpoint[] {
    for (const id of endpointIds) this.leasedUntil.set(id, this.clock.monotonic() + leaseMs);
    const fields = { accountId: 'a', url: 'https://example.com', secrets: ['whsec_MQ=='] };
    return endpointIds.map((id) => ({ id, ...fields, failuresInRow: 0, failingSince: null, replay: null }));
  }

  async release(_owner: string, endpointId: string, restMs: number): Promise<void> {
    this.releases++;
    if (this.releaseTakesMs > 0) await this.clock.sleep(this.releaseTakesMs);
    this.leasedUntil.set(endpointId, this.clock.monotonic() + restMs);
  }

  due(endpointId: string, taken: readonly string[]): Promise<DueRows> {
    this.looks++;
    if (!this.waiting.has(endpointId) || this.heldBack.has(endpointId) || taken.includes(endpointId))
      return Promise.resolve({ rows: [], lastKey: null });
    const row = { id: endpointId, key: endpointId, firstBody: 0, payload: '{"type":"job.paused"}', remaining: null };
    const place = { orderKey: null, place: endpointId, isReplay: false };
    const facts = [{ types: ['job.paused'], trace: null }];
    return Promise.resolve({
      rows: [{ ...row, ...place, facts, attempt: 0, createdAt: this.clock.now() }],
      lastKey: null,
    });
  }

  finish(results: readonly RowResult[]): Promise<void> {
    if (this.refuses) return Promise.reject(new Error('read-only transaction'));
    this.written.push(...results);
    for (const { id } of results) this.waiting.delete(id);
    return Promise.resolve();
  }

  succeeded = () => Promise.resolve();
  failed = () => Promise.resolve(new Date());
  takeUpkeep = () => Promise.resolve(!this.isKeptUpElsewhere);
  backlogs = () => Promise.resolve([...this.backlogOf.keys()].map((id) => ({ id, accountId: 'a', plan: 'Small' })));
  isBacklogFull = (id: string, most: number) => Promise.resolve(this.backlogOf.get(id)! >= most);
  disable = (id: string) => Promise.resolve(this.backlogOf.delete(id));
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
  let told: string[];

  beforeEach(() => {
    clock = new FakeClock();
    store = new FakeStore(clock);
    sender = new FakeSender(clock);
    told = [];
    const telemetry = {
      ...{ attempted: () => undefined, failed: () => undefined },
      disabled: ({ id }: { id: string }, reason: string) => void told.push(`log: ${id} ${reason}`),
    } as unknown as EventTelemetry;
    const audit = {
      record: (_, { action, targetId, fields }) =>
        Promise.resolve(void told.push(`audit: ${action} ${targetId} ${fields?.join()}`)),
    } as Partial<AuditLogService> as AuditLogService;
    const plans = new Plans({ Small: { requestsPerSecond: 1, burst: 1, maxRowsPerFile: 1, maxWaitingEvents: 100 } });
    deliveries = new WebhookDeliveries(store, sender, audit, plans, new ImmediateUnitOfWork(), clock, telemetry);
    deliveries.start();
  });
  afterEach(async () => {
    store.refuses = false;
    let over = false;
    const stopping = deliveries.stop().finally(() => (over = true));
    while (!over) await clock.advance(50);
    await stopping;
  });

  it('give up their leases while results cannot be written, and take no other endpoints', async () => {
    store.refuses = true;
    store.waiting.add('first');
    await clock.advance(500);
    store.waiting.add('second');
    await clock.advance(LEASE_MS + 500);
    expect(store.leasedUntil.get('first')).toBeLessThan(clock.monotonic());
    expect(store.leasedUntil.has('second')).toBe(false);
    expect(sender.posts).toBe(1);
  });

  it('continue when results can be written again, with one delivery per endpoint at a time', async () => {
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

  it('start no second delivery to an endpoint whose lease expired and was taken again during the first', async () => {
    store.renews = false;
    sender.answerAfterMs = 10_000;
    store.waiting.add('first');
    await clock.advance(LEASE_MS + 2_000);
    expect([sender.posts, deliveries.endpoints]).toEqual([1, 1]);
    store.renews = true;
    await clock.advance(5_000);
    expect([store.written.length, deliveries.endpoints, sender.posts]).toEqual([1, 0, 1]);
  });

  it('start no delivery under a lease that a pending release may end', async () => {
    store.waiting.add('first');
    store.renews = false;
    store.releaseTakesMs = 1000;
    sender.answerAfterMs = LEASE_MS - 100;
    while (store.releases === 0) await clock.advance(50);
    store.waiting.add('first');

    await clock.advance(900);
    expect(store.leasedUntil.get('first')).toBeGreaterThan(clock.monotonic());
    expect(sender.posts).toBe(1);
    await clock.advance(2500);
    expect(sender.posts).toBe(2);
    expect(store.leasedUntil.get('first')).toBeGreaterThan(clock.monotonic());
  });

  it('include a responding endpoint after 64 others have hung for 2 s', async () => {
    sender.answerAfterMs = 14_000;
    for (let n = 0; n < 70; n++) store.waiting.add(`hung ${n}`);
    await clock.advance(1_000);
    expect(sender.posts).toBe(64);
    await clock.advance(2_000);
    expect(sender.posts).toBe(70);
  });

  it('disable an endpoint when its backlog reaches the limit of the plan', async () => {
    store.backlogOf.set('small', 99).set('full', 100);
    store.isKeptUpElsewhere = true;
    await clock.advance(121_000);
    expect(store.backlogOf.size).toBe(2);
    store.isKeptUpElsewhere = false;
    await clock.advance(121_000);
    expect([...store.backlogOf.keys()]).toEqual(['small']);
    expect(told).toEqual(['audit: webhook.disabled full backlog_full', 'log: full backlog_full']);
  });

  it('pause an endpoint for 5 s if nothing is deliverable', async () => {
    store.waiting.add('first');
    store.heldBack.add('first');
    await clock.advance(4_500);
    expect(store.looks).toBe(1);
    store.heldBack.clear();
    await clock.advance(2_000);
    expect(store.written).toHaveLength(1);
  });
});
