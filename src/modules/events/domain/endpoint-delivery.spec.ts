import { FakeClock } from '../../../../test/fakes/fake-clock';
import type { DueRow, RowResult } from './delivery-store.port';
import { type DeliveryParts, EndpointDelivery } from './endpoint-delivery';
import { type PostResult, type WebhookPost, WebhookSender } from './webhook-sender.port';

const ENDPOINT = {
  ...{ id: 'e1', accountId: 'a1', url: 'https://example.com', secrets: ['whsec_MQ=='] },
  ...{ failuresInRow: 0, failingSince: null, replay: null },
};
const OK: PostResult = { kind: 'answered', status: 204, retryAfterMs: null };
const answered = (status: number, retryAfterMs: number | null = null): PostResult => {
  return { kind: 'answered', status, retryAfterMs };
};

/** A sender whose responses are set by the test, immediately or later. */
class FakeSender extends WebhookSender {
  readonly posts: WebhookPost[] = [];
  most = 0;
  private underWay = 0;
  answer: (post: WebhookPost) => PostResult | Promise<PostResult> = () => OK;

  async post(post: WebhookPost): Promise<PostResult> {
    this.posts.push(post);
    this.most = Math.max(this.most, ++this.underWay);
    await Promise.resolve();
    const result = await this.answer(post);
    this.underWay--;
    return result;
  }

  refusal(): null {
    return null;
  }
}

describe('The delivery to an endpoint', () => {
  let clock: FakeClock;
  let sender: FakeSender;
  let rows: DueRow[];
  let results: RowResult[];
  let said: unknown[][];
  let lease: boolean;
  let tooLong: boolean;
  let parts: DeliveryParts;

  beforeEach(() => {
    clock = new FakeClock();
    clock.jitter = () => 0.5;
    sender = new FakeSender();
    [rows, results, said, lease, tooLong] = [[], [], [], true, false];
    const say =
      (what: string) =>
      (...more: unknown[]) => {
        said.push([what, ...more]);
        return Promise.resolve();
      };
    parts = {
      clock,
      sender,
      due: (taken) => Promise.resolve({ rows: rows.filter(({ id }) => !taken.includes(id)), lastKey: null }),
      stepReplay: () => Promise.resolve(false),
      finish: (result) => {
        results.push(result);
        rows = rows.filter(({ id }) => id !== result.id);
        return Promise.resolve();
      },
      holdsLease: () => lease,
      succeeded: say('succeeded'),
      failed: async (...failure) => {
        await say('failed')(...failure);
        return tooLong;
      },
      disable: say('disable'),
      attempted: () => undefined,
    };
  });

  const row = (id: string, bodies: number, more: Partial<DueRow> = {}): DueRow => ({
    ...{ id, key: `k${id}`, firstBody: 0, remaining: null, attempt: 0, createdAt: clock.now() },
    ...{ orderKey: null, place: id, isReplay: false },
    payload: Array.from({ length: bodies }, (_, n) => `{"type":"job.paused","data":"${id}.${n}"}`).join('\n'),
    facts: Array.from({ length: bodies }, () => ({ types: ['job.paused'], trace: null })),
    ...more,
  });
  const sent = () => sender.posts.map(({ headers }) => headers['webhook-id']);

  async function run(endpoint: typeof ENDPOINT | object = ENDPOINT): Promise<void> {
    let over = false;
    const running = new EndpointDelivery({ ...ENDPOINT, ...endpoint }, parts).run().finally(() => (over = true));
    // A rejection before the end of the wait comes from `running`.
    running.catch(() => undefined);
    while (!over) await clock.advance(50);
    await running;
  }

  it('sends every body once under its own id and reports rows when all their bodies have arrived', async () => {
    rows = [row('1', 2), row('2', 1, { firstBody: 7 })];
    await run();
    expect(sent()).toEqual(['msg_k1_0', 'msg_k1_1', 'msg_k2_7']);
    const [first, second] = ['1', '2'].map((id) => results.find((result) => result.id === id));
    expect(first).toMatchObject({ again: null, attempts: [{ body: 0 }, { body: 1 }] });
    expect(second).toMatchObject({
      again: null,
      attempts: [{ status: 'Delivered', body: 7, attempt: 1, events: ['job.paused'] }],
    });
    expect(said).toEqual([]);
  });

  it('sends the bytes of a body without reading them', async () => {
    rows = [row('1', 1, { payload: 'not JSON' })];
    await run();
    expect(results[0]!.attempts).toMatchObject([{ status: 'Delivered', events: ['job.paused'], payload: 'not JSON' }]);
  });

  it('sends only the remaining bodies of a row', async () => {
    rows = [row('1', 5, { remaining: [1, 4], attempt: 2 })];
    await run();
    expect(sent()).toEqual(['msg_k1_1', 'msg_k1_4']);
    expect(results[0]!.attempts.map(({ attempt }) => attempt)).toEqual([3, 3]);
  });

  it('has up to 16 requests in flight, and reads new rows meanwhile', async () => {
    rows = [row('1', 40)];
    sender.answer = async () => {
      await clock.sleep(100);
      if (sender.posts.length === 20) rows.push(row('2', 1));
      return OK;
    };
    await run();
    expect(sender.most).toBe(16);
    expect(sent()).toHaveLength(41);
  });

  it('sends the bodies of an ordered row one at a time, and none after a failure', async () => {
    rows = [row('1', 3, { orderKey: 'j1' })];
    sender.answer = ({ body }) => (body.includes('1.1') ? answered(500) : OK);
    await run();
    expect(sender.most).toBe(1);
    expect(sent()).toEqual(['msg_k1_0', 'msg_k1_1']);
    expect(results).toMatchObject([{ again: { remaining: [1, 2], attempt: 1, afterMs: 5_000 } }]);
  });

  it('retries failed bodies by the schedule', async () => {
    rows = [row('1', 3, { attempt: 1 })];
    sender.answer = ({ body }) => (body.includes('1.1') ? { kind: 'failed', reason: 'ECONNREFUSED' } : OK);
    await run();
    expect(results).toMatchObject([{ again: { remaining: [1], attempt: 2, afterMs: 60_000 } }]);
    const failed = results[0]!.attempts.find(({ body }) => body === 1);
    expect(failed).toMatchObject({ status: 'Retrying', httpStatus: null, error: 'ECONNREFUSED', attempt: 2 });
    expect(failed!.nextAttemptAt!.getTime() - failed!.at.getTime()).toBe(60_000);
    expect(said[0]).toEqual(['failed', 1, 0, 'ECONNREFUSED']);
  });

  it('waits 15 s for a response', async () => {
    rows = [row('1', 1)];
    sender.answer = ({ signal }) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve({ kind: 'failed', reason: 'no answer' }), { once: true }),
      );
    await run();
    expect(results[0]!.attempts).toMatchObject([{ status: 'Retrying', error: 'no answer', durationMs: 15_000 }]);
  });

  it('gives up after the last attempt', async () => {
    rows = [row('1', 1, { attempt: 10 })];
    sender.answer = () => answered(500);
    await run();
    expect(results).toMatchObject([
      { again: null, attempts: [{ status: 'Failed', nextAttemptAt: null, error: 'HTTP 500' }] },
    ]);
  });

  it('waits for the delay requested by the endpoint, and sends it nothing else meanwhile', async () => {
    rows = [row('1', 1), ...Array.from({ length: 30 }, (_, n) => row(`x${n}`, 1))];
    sender.answer = () => answered(429, 120_000);
    await run();
    expect(sent().length).toBeLessThanOrEqual(16);
    expect(results[0]).toMatchObject({ again: { afterMs: 120_000 } });
    expect(said).toContainEqual(['failed', 1, 120_000, 'HTTP 429']);
  });

  it('limits the delay requested by the endpoint to an hour', async () => {
    rows = [row('1', 1)];
    sender.answer = () => answered(429, 999_999_999_000);
    await run();
    expect(results[0]).toMatchObject({ again: { afterMs: 3_600_000 } });
    expect(said).toEqual([['failed', 1, 3_600_000, 'HTTP 429']]);
  });

  it('starts the walk of a replay only when no ordered row is being delivered', async () => {
    rows = [row('1', 1, { orderKey: 'j1' })];
    let steps = 0;
    parts.stepReplay = () => Promise.resolve(++steps);
    sender.answer = async () => {
      await clock.sleep(1_000);
      return OK;
    };
    const delivery = new EndpointDelivery(ENDPOINT, parts);
    let over = false;
    const running = delivery.run().finally(() => (over = true));
    await clock.advance(100);
    const requested = { ...ENDPOINT, replay: 'Requested' as const };
    delivery.endpoint = requested;
    await clock.advance(800);
    expect([steps, results.length]).toEqual([0, 0]);
    while (!over) await clock.advance(50);
    await running;
    await run(requested);
    expect(steps).toBeGreaterThan(0);
  });

  it.each(['Walking', null])('is active without a due row only during a replay: %s', async (replay) => {
    const delivery = new EndpointDelivery({ ...ENDPOINT, replay: replay as 'Walking' | null }, parts);
    await delivery.run();
    expect(delivery.wasActive).toBe(replay !== null);
  });

  it('stops after five consecutive failures, and leaves the rest unchanged', async () => {
    rows = [row('1', 100)];
    sender.answer = () => answered(503);
    await run();
    expect(sent().length).toBeLessThanOrEqual(16);
    expect(said.at(-1)).toEqual(['failed', 5, 5_000, 'HTTP 503']);
    expect(results).toHaveLength(1);
    expect(results[0]!.again!.remaining).toHaveLength(100);
  });

  it('sends a single body to a failing endpoint, and the others once it is accepted', async () => {
    rows = [row('1', 1), row('2', 30)];
    let held: () => void = () => undefined;
    sender.answer = async () => {
      if (sender.posts.length > 1) return OK;
      await new Promise<void>((resolve) => (held = resolve));
      return OK;
    };
    const running = new EndpointDelivery({ ...ENDPOINT, failuresInRow: 9, failingSince: clock.now() }, parts).run();
    await clock.advance(1000);
    expect(sent()).toHaveLength(1);
    held();
    let over = false;
    void running.finally(() => (over = true));
    while (!over) await clock.advance(50);
    expect(sent()).toHaveLength(31);
    expect(said).toEqual([['succeeded', true]]);
  });

  it('probes an endpoint that fails one event a second, with one failure per turn', async () => {
    const stored = { failuresInRow: 0, failingSince: null as Date | null, blockedUntil: 0 };
    parts.failed = (failuresInRow, blockedMs) => {
      const failingSince = stored.failingSince ?? clock.now();
      Object.assign(stored, { failuresInRow, failingSince, blockedUntil: clock.monotonic() + blockedMs });
      return Promise.resolve(false);
    };
    sender.answer = () => answered(500);
    const sentAt: number[] = [];
    for (let second = 0; second < 60; second++) {
      rows.push(row(`${second}`, 1));
      const start = clock.monotonic();
      if (start >= stored.blockedUntil) {
        await run(stored);
        while (sentAt.length < sent().length) sentAt.push(start / 1000);
      }
      await clock.advance(second * 1000 + 1000 - clock.monotonic());
    }
    // Five failures, then single deliveries after 5, 10, 20 and 40 s.
    expect(sentAt).toEqual([0, 1, 2, 3, 4, 9, 19, 39]);
  });

  it('waits longer after each failed probe', async () => {
    rows = [row('1', 1), row('2', 30)];
    sender.answer = () => answered(500);
    await run({ failuresInRow: 7, failingSince: clock.now() });
    expect(sent()).toHaveLength(1);
    expect(said).toEqual([['failed', 8, 40_000, 'HTTP 500']]);
  });

  it('disables an endpoint that responds 410, and sends nothing more', async () => {
    rows = [row('1', 100)];
    sender.answer = () => answered(410);
    await run();
    expect(sent().length).toBeLessThanOrEqual(16);
    expect(said).toEqual([['disable', 'endpoint_gone']]);
  });

  it('disables an endpoint that has failed for too long', async () => {
    rows = [row('1', 1)];
    tooLong = true;
    sender.answer = () => answered(500);
    await run({ failuresInRow: 20, failingSince: clock.now() });
    expect(said.at(-1)).toEqual(['disable', 'endpoint_failing']);
  });

  it('sends nothing without a lease', async () => {
    rows = [row('1', 3)];
    lease = false;
    await run();
    expect([sent(), results]).toEqual([[], []]);
  });

  it('waits for requests in flight if it cannot read more rows, and reports them before it rejects', async () => {
    rows = [row('1', 1)];
    sender.answer = async () => {
      await clock.sleep(1_000);
      return OK;
    };
    const { due } = parts;
    parts.due = (taken, afterKey) =>
      taken.length === 0 ? due(taken, afterKey) : Promise.reject(new Error('connection lost'));
    const failure = await run().catch((error: unknown) => error);
    expect(failure).toEqual(new Error('connection lost'));
    expect(results).toMatchObject([{ again: null, attempts: [{ status: 'Delivered' }] }]);
  });

  it('aborts for a disabled endpoint, and reports nothing about requests in flight', async () => {
    rows = [row('1', 40)];
    sender.answer = async ({ signal }) => {
      await clock.sleep(10_000, signal);
      return OK;
    };
    const delivery = new EndpointDelivery(ENDPOINT, parts);
    let over = false;
    const running = delivery.run().finally(() => (over = true));
    await clock.advance(100);
    delivery.abort();
    while (!over) await clock.advance(50);
    await running;
    expect(sent()).toHaveLength(16);
    expect(results).toEqual([]);
  });

  it('ends after requests in flight when requested, and reports the remaining bodies', async () => {
    rows = [row('1', 40)];
    sender.answer = async () => {
      await clock.sleep(1_000);
      return OK;
    };
    const delivery = new EndpointDelivery(ENDPOINT, parts);
    let over = false;
    const running = delivery.run().finally(() => (over = true));
    await clock.advance(100);
    delivery.end();
    while (!over) await clock.advance(50);
    await running;
    expect(results).toHaveLength(1);
    expect(results[0]!.attempts).toHaveLength(16);
    expect(results[0]!.again).toMatchObject({ attempt: 0, afterMs: 0 });
    expect(results[0]!.again!.remaining).toHaveLength(24);
  });
});
