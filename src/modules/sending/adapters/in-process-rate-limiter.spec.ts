import { FakeClock } from '../../../../test/fakes/fake-clock';
import type { PaceRequest } from '../domain/outgoing-message';
import { InProcessRateLimiter } from './in-process-rate-limiter';

describe('The in-process rate limiter', () => {
  let clock: FakeClock;
  let pace: InProcessRateLimiter;
  let requestedLanes: string[];

  beforeEach(() => {
    clock = new FakeClock();
    requestedLanes = [];
    pace = newPace(true);
  });

  function newPace(alone: boolean): InProcessRateLimiter {
    return new InProcessRateLimiter(clock, {
      alone,
      laneWaitMs: 500,
      requestLane: (senderId) => requestedLanes.push(senderId),
    });
  }

  const request = (changes: Partial<PaceRequest> = {}): PaceRequest => {
    return { senderId: 'a', perSecond: 80, count: 1, use: 'job', ...changes };
  };

  /** Reserves batch after batch like a lane; returns the send times. */
  async function reservations(ms: number, changes: Partial<PaceRequest> = {}): Promise<number[]> {
    const sentAt: number[] = [];
    const until = clock.monotonic() + ms;
    while (clock.monotonic() < until) {
      const batch = request(changes);
      const reservation = await pace.reserve(batch);
      await clock.advance(reservation!.waitMs);
      for (let n = 0; n < batch.count; n++) sentAt.push(clock.monotonic() + n * reservation!.intervalMs);
      await clock.advance(1);
    }
    return sentAt.filter((at) => at < until);
  }

  function maxPerSecond(sentAt: readonly number[]): number {
    return Math.max(...sentAt.map((from) => sentAt.filter((at) => at >= from && at < from + 1000).length));
  }

  it.each([
    [1, 1],
    [3, 1],
    [80, 4],
    [500, 25],
  ])('allows at most %i plus a burst of 12.5 ms in any second, and wastes less than 3 %%', async (perSecond, count) => {
    const sentAt = await reservations(4000, { perSecond, count });

    expect(maxPerSecond(sentAt)).toBeLessThanOrEqual(perSecond + Math.max(1, perSecond * 0.0125));
    expect(sentAt.length).toBeGreaterThanOrEqual(Math.floor(4 * perSecond * 0.97) - 1);
  });

  it('starts without a burst', async () => {
    const first = await pace.reserve(request());
    expect(first!.waitMs).toBeCloseTo(12.5);
  });

  it('does not accumulate unused capacity', async () => {
    await pace.reserve(request());
    await clock.advance(60_000);

    expect(maxPerSecond(await reservations(2000, { count: 4 }))).toBeLessThanOrEqual(82);
  });

  it('keeps the senders apart', async () => {
    await pace.reserve(request({ count: 80 }));

    expect((await pace.reserve(request({ senderId: 'b' })))!.waitMs).toBeLessThan(25);
  });

  it('reserves nothing if the wait would be too long', async () => {
    await pace.reserve(request({ count: 160 }));
    const limitedWait = request({ use: 'single', maxWaitMs: 1000 });
    expect(await pace.reserve(limitedWait)).toBeNull();
    expect(await pace.reserve(limitedWait)).toBeNull();

    await clock.advance(1100);
    expect((await pace.reserve(limitedWait))!.waitMs).toBeLessThanOrEqual(925);
  });

  it('keeps a tenth of the pace free for single sends for 10 s after one', async () => {
    await pace.reserve(request({ use: 'single' }));
    expect((await pace.reserve(request()))!.intervalMs).toBeCloseTo(1000 / 72);
    expect((await pace.reserve(request({ use: 'single' })))!.intervalMs).toBeCloseTo(12.5);

    await clock.advance(9999);
    expect((await pace.reserve(request()))!.intervalMs).toBeCloseTo(1000 / 72);
    await clock.advance(1);
    expect((await pace.reserve(request()))!.intervalMs).toBeCloseTo(12.5);
  });

  describe('after a throttle', () => {
    const current = async (): Promise<number> => 1000 / (await pace.reserve(request()))!.intervalMs;

    it('is cut by 3 % once for all requests sent before the cut', async () => {
      await clock.advance(1000);
      await pace.cut('a', 80, 200);
      await clock.advance(10);
      await pace.cut('a', 80, 200);
      await pace.cut('a', 80, 11);
      expect(await current()).toBeCloseTo(80 * 0.97 + 0.04);
    });

    it('is cut by 3 % a second time, then by 15 % while cuts follow within 500 ms', async () => {
      const sentAt: number[] = [];
      for (const afterMs of [0, 10, 10, 499, 499, 500]) {
        await clock.advance(afterMs);
        const before = await current();
        await pace.cut('a', 80, 5);
        sentAt.push((await current()) / before);
      }
      expect(sentAt.map((share) => share.toFixed(2))).toEqual(['0.97', '0.97', '0.85', '0.85', '0.85', '0.97']);
    });

    it('recovers by 5 % of the nominal pace a second, up to it', async () => {
      await clock.advance(1000);
      await pace.cut('a', 80, 0);
      await clock.advance(1);
      await pace.cut('a', 80, 0);
      await clock.advance(1000);
      expect(await current()).toBeCloseTo((80 * 0.97 + 0.004) * 0.97 + 4);
      await clock.advance(60_000);
      expect(await current()).toBeCloseTo(80);
    });

    it('is never cut below one message a second', async () => {
      for (let n = 0; n < 60; n++) {
        await clock.advance(1);
        await pace.cut('a', 80, 0);
      }
      expect(await current()).toBeCloseTo(1);
    });
  });

  describe('with other processes', () => {
    beforeEach(() => {
      pace = newPace(false);
    });

    it('reserves immediately while this process owns the lane', async () => {
      pace.laneAcquired('a');
      expect(await pace.reserve(request())).not.toBeNull();

      pace.laneReleased('a');
      const refused = pace.reserve(request());
      await clock.advance(500);
      expect(await refused).toBeNull();
    });

    it('requests the lane and continues once it is acquired', async () => {
      const reserved = pace.reserve(request());
      await clock.advance(100);
      pace.laneAcquired('a');
      await clock.advance(20);

      expect(await reserved).not.toBeNull();
      expect(requestedLanes).toEqual(['a']);
    });
  });
});
