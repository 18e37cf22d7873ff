import { BURST_MS, CLIMB_PER_SECOND } from '../domain/rate-limiter.port';
import fc from 'fast-check';
import { ManualClock } from '../../../../test/fakes/manual-clock';
import type { SendPriority } from '../domain/outgoing-message';
import { InProcessRateLimiter } from './in-process-rate-limiter';

interface Step {
  /** Time until the step, in ms. */
  after: number;
  /** Messages to reserve; 0: the platform throttles instead. */
  count: number;
  use: SendPriority;
  /** Longest wait of the first message; absent: unlimited. */
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

/** Rounding tolerance for sums of many intervals. */
const ROUNDING_MS = 1e-6;

describe('The pace, for any requests and throttles', () => {
  let clock: ManualClock;
  let pace: InProcessRateLimiter;

  function reset(): void {
    clock = new ManualClock();
    pace = new InProcessRateLimiter(clock, { alone: true, laneWaitMs: 0, requestLane: () => undefined });
  }

  /** The send times. */
  async function run(perSecond: number, history: readonly Step[]): Promise<number[]> {
    const sentAt: number[] = [];
    for (const { after, count, use, maxWaitMs } of history) {
      clock.advance(after);
      if (count === 0) {
        await pace.cut('sender', perSecond, 0);
        continue;
      }
      const now = clock.monotonic();
      const reservation = await pace.reserve({ senderId: 'sender', perSecond, count, use, maxWaitMs });
      if (!reservation) continue;
      expect(reservation.waitMs).toBeLessThanOrEqual(maxWaitMs ?? Infinity);
      for (let n = 0; n < count; n++) sentAt.push(now + reservation.waitMs + n * reservation.intervalMs);
    }
    return sentAt.sort((a, b) => a - b);
  }

  it('never exceeds its limit plus a burst in any second', async () => {
    await fc.assert(
      fc.asyncProperty(paces, steps, async (perSecond, history) => {
        reset();
        const sentAt = await run(perSecond, history);
        const limit = perSecond + Math.max(1, (perSecond * BURST_MS) / 1000);
        let first = 0;
        sentAt.forEach((at, index) => {
          while (sentAt[first]! <= at - 1000 + ROUNDING_MS) first++;
          expect(index - first + 1).toBeLessThanOrEqual(Math.ceil(limit));
        });
      }),
      { numRuns: 300 },
    );
  });

  it('delays no message for longer than the earlier reservations take at the lowest pace', async () => {
    await fc.assert(
      fc.asyncProperty(paces, steps, async (perSecond, history) => {
        reset();
        await run(
          perSecond,
          history.filter(({ count }) => count > 0),
        );
        const reserved = history.reduce((sum, { count }) => sum + count, 0);
        const { waitMs } = (await pace.reserve({ senderId: 'sender', perSecond, count: 1, use: 'single' }))!;
        expect(waitMs).toBeLessThanOrEqual(BURST_MS + (reserved * 1000) / (perSecond * 0.9) + ROUNDING_MS);
      }),
      { numRuns: 300 },
    );
  });

  it('recovers fully within 20 s of the last throttle', async () => {
    await fc.assert(
      fc.asyncProperty(paces, steps, async (perSecond, history) => {
        reset();
        await run(perSecond, history);
        clock.advance(1000 / CLIMB_PER_SECOND);
        const { intervalMs } = (await pace.reserve({ senderId: 'sender', perSecond, count: 1, use: 'single' }))!;
        expect(intervalMs).toBeCloseTo(1000 / perSecond, 6);
      }),
      { numRuns: 300 },
    );
  });
});
