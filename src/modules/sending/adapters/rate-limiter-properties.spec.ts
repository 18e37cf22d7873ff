import { BURST_MS, CLIMB_PER_SECOND } from '../domain/rate-limiter.port';
import fc from 'fast-check';
import { ManualClock } from '../../../../test/fakes/manual-clock';
import type { SendPriority } from '../domain/outgoing-message';
import { InProcessRateLimiter } from './in-process-rate-limiter';

interface Step {
  /** Time until the step, in ms. */
  after: number;
  /** Messages to reserve room for; none: the platform throttles instead. */
  count: number;
  use: SendPriority;
  /** How long the first message may wait; absent: as long as it takes. */
  maxWaitMs: number | undefined;
}

const paces = fc.integer({ min: 1, max: 1000 });
const steps = fc.array(
  fc.record<Step>({
    after: fc.integer({ min: 0, max: 400 }),
    count: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60 })),
    use: fc.constantFrom('job', 'single'),
    maxWaitMs: fc.option(fc.integer({ min: 0, max: 1000 }), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 120 },
);

/** Room for rounding where moments are sums of many intervals. */
const ROUNDING_MS = 1e-6;

describe('Whatever is asked of it and however often the platform throttles, the pace', () => {
  let clock: ManualClock;
  let pace: InProcessRateLimiter;

  function begin(): void {
    clock = new ManualClock();
    pace = new InProcessRateLimiter(clock, { alone: true, laneWaitMs: 0, wantLane: () => undefined });
  }

  /** The moments at which messages may leave. */
  async function live(perSecond: number, life: readonly Step[]): Promise<number[]> {
    const left: number[] = [];
    for (const { after, count, use, maxWaitMs } of life) {
      clock.advance(after);
      if (count === 0) {
        await pace.cut('sender', perSecond, 0);
        continue;
      }
      const now = clock.monotonic();
      const reservation = await pace.reserve({ senderId: 'sender', perSecond, count, use, maxWaitMs });
      if (!reservation) continue;
      expect(reservation.waitMs).toBeLessThanOrEqual(maxWaitMs ?? Infinity);
      for (let n = 0; n < count; n++) left.push(now + reservation.waitMs + n * reservation.intervalMs);
    }
    return left.sort((a, b) => a - b);
  }

  it('lets no more leave in any second than its messages and a burst', async () => {
    await fc.assert(
      fc.asyncProperty(paces, steps, async (perSecond, life) => {
        begin();
        const left = await live(perSecond, life);
        const most = perSecond + Math.max(1, (perSecond * BURST_MS) / 1000);
        let first = 0;
        left.forEach((at, index) => {
          while (left[first]! <= at - 1000 + ROUNDING_MS) first++;
          expect(index - first + 1).toBeLessThanOrEqual(Math.ceil(most));
        });
      }),
      { numRuns: 300 },
    );
  });

  it('keeps nobody waiting for longer than what was reserved before takes at its lowest pace', async () => {
    await fc.assert(
      fc.asyncProperty(paces, steps, async (perSecond, life) => {
        begin();
        await live(
          perSecond,
          life.filter(({ count }) => count > 0),
        );
        const reserved = life.reduce((sum, { count }) => sum + count, 0);
        const { waitMs } = (await pace.reserve({ senderId: 'sender', perSecond, count: 1, use: 'single' }))!;
        expect(waitMs).toBeLessThanOrEqual(BURST_MS + (reserved * 1000) / (perSecond * 0.9) + ROUNDING_MS);
      }),
      { numRuns: 300 },
    );
  });

  it('is the nominal one again within 20 s of the last throttle', async () => {
    await fc.assert(
      fc.asyncProperty(paces, steps, async (perSecond, life) => {
        begin();
        await live(perSecond, life);
        clock.advance(1000 / CLIMB_PER_SECOND);
        const { intervalMs } = (await pace.reserve({ senderId: 'sender', perSecond, count: 1, use: 'single' }))!;
        expect(intervalMs).toBeCloseTo(1000 / perSecond, 6);
      }),
      { numRuns: 300 },
    );
  });
});
