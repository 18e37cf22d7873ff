import { FakeClock } from '../../../../test/fakes/fake-clock';
import type { PaceRequest } from '../domain/outgoing-message';
import { InProcessRateLimiter } from './in-process-rate-limiter';

describe('The pace in one process', () => {
  let clock: FakeClock;
  let pace: InProcessRateLimiter;
  let wanted: string[];

  beforeEach(() => {
    clock = new FakeClock();
    wanted = [];
    pace = newPace(true);
  });

  function newPace(alone: boolean): InProcessRateLimiter {
    return new InProcessRateLimiter(clock, { alone, laneWaitMs: 500, wantLane: (senderId) => wanted.push(senderId) });
  }

  const request = (changes: Partial<PaceRequest> = {}): PaceRequest => {
    return { senderId: 'a', perSecond: 80, count: 1, use: 'job', ...changes };
  };

  /** Reserves batch after batch like a lane; the moments at which messages left. */
  async function reservations(ms: number, changes: Partial<PaceRequest> = {}): Promise<number[]> {
    const left: number[] = [];
    const until = clock.monotonic() + ms;
    while (clock.monotonic() < until) {
      const wish = request(changes);
      const reservation = await pace.reserve(wish);
      await clock.advance(reservation!.waitMs);
      for (let n = 0; n < wish.count; n++) left.push(clock.monotonic() + n * reservation!.intervalMs);
      await clock.advance(1);
    }
    return left.filter((at) => at < until);
  }

  function mostInOneSecond(left: readonly number[]): number {
    return Math.max(...left.map((from) => left.filter((at) => at >= from && at < from + 1000).length));
  }

  it.each([
    [1, 1],
    [3, 1],
    [80, 4],
    [500, 25],
  ])(
    'lets at most %i and a burst of 12.5 ms leave in any second, and wastes less than 3 %%',
    async (perSecond, count) => {
      const left = await reservations(4000, { perSecond, count });

      expect(mostInOneSecond(left)).toBeLessThanOrEqual(perSecond + Math.max(1, perSecond * 0.0125));
      expect(left.length).toBeGreaterThanOrEqual(Math.floor(4 * perSecond * 0.97) - 1);
    },
  );

  it('begins without a burst', async () => {
    const first = await pace.reserve(request());
    expect(first!.waitMs).toBeCloseTo(12.5);
  });

  it('does not save up what was not used', async () => {
    await pace.reserve(request());
    await clock.advance(60_000);

    expect(mostInOneSecond(await reservations(2000, { count: 4 }))).toBeLessThanOrEqual(82);
  });

  it('keeps the senders apart', async () => {
    await pace.reserve(request({ count: 80 }));

    expect((await pace.reserve(request({ senderId: 'b' })))!.waitMs).toBeLessThan(25);
  });

  it('reserves nothing where the wait would be too long', async () => {
    await pace.reserve(request({ count: 160 }));
    const impatient = request({ use: 'single', maxWaitMs: 1000 });
    expect(await pace.reserve(impatient)).toBeNull();
    expect(await pace.reserve(impatient)).toBeNull();

    await clock.advance(1100);
    expect((await pace.reserve(impatient))!.waitMs).toBeLessThanOrEqual(925);
  });

  it('leaves a tenth of the pace free of jobs for 10 s after a single send', async () => {
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

    it('falls by 3 % once for all requests that left before the fall', async () => {
      await clock.advance(1000);
      await pace.cut('a', 80, 200);
      await clock.advance(10);
      await pace.cut('a', 80, 200);
      await pace.cut('a', 80, 11);
      expect(await current()).toBeCloseTo(80 * 0.97 + 0.04);
    });

    it('falls by 3 % once more, then by 15 % as long as each fall comes within 500 ms', async () => {
      const left: number[] = [];
      for (const afterMs of [0, 10, 10, 499, 499, 500]) {
        await clock.advance(afterMs);
        const before = await current();
        await pace.cut('a', 80, 5);
        left.push((await current()) / before);
      }
      expect(left.map((share) => share.toFixed(2))).toEqual(['0.97', '0.97', '0.85', '0.85', '0.85', '0.97']);
    });

    it('climbs by 5 % of the nominal pace a second, and not above it', async () => {
      await clock.advance(1000);
      await pace.cut('a', 80, 0);
      await clock.advance(1);
      await pace.cut('a', 80, 0);
      await clock.advance(1000);
      expect(await current()).toBeCloseTo((80 * 0.97 + 0.004) * 0.97 + 4);
      await clock.advance(60_000);
      expect(await current()).toBeCloseTo(80);
    });

    it('never falls below one a second', async () => {
      for (let n = 0; n < 60; n++) {
        await clock.advance(1);
        await pace.cut('a', 80, 0);
      }
      expect(await current()).toBeCloseTo(1);
    });
  });

  describe('beside other processes', () => {
    beforeEach(() => {
      pace = newPace(false);
    });

    it('is reserved at once by the owner of the lane, until it gives it back', async () => {
      pace.laneTaken('a');
      expect(await pace.reserve(request())).not.toBeNull();

      pace.laneGivenBack('a');
      const refused = pace.reserve(request());
      await clock.advance(500);
      expect(await refused).toBeNull();
    });

    it('asks for the lane and goes on as soon as it is there', async () => {
      const reserved = pace.reserve(request());
      await clock.advance(100);
      pace.laneTaken('a');
      await clock.advance(20);

      expect(await reserved).not.toBeNull();
      expect(wanted).toEqual(['a']);
    });
  });
});
