import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { uuidV7 } from '../../src/kernel/uuid';
import { SharedRedis } from '../../src/infra/redis/shared-redis';
import { SystemClock } from '../../src/infra/system-clock';
import { InProcessRateLimiter } from '../../src/modules/sending/adapters/in-process-rate-limiter';
import { RedisRateLimiter } from '../../src/modules/sending/adapters/redis-rate-limiter';
import type { PaceRequest } from '../../src/modules/sending/domain/outgoing-message';
import type { RateLimiter } from '../../src/modules/sending/domain/rate-limiter.port';

// Measures wall time: other load can only disturb a run, so one undisturbed run is sufficient.
jest.retryTimes(2, { logErrorsBeforeRetry: true });

Logger.overrideLogger(false);

const clock = new SystemClock();
const PREFIX = `mta-test:${uuidV7()}:`;

const alone = (): InProcessRateLimiter =>
  new InProcessRateLimiter(clock, { alone: true, requestLane: () => undefined, laneWaitMs: 0 });
const request = (changes: Partial<PaceRequest> = {}): PaceRequest => {
  return { senderId: 'sender', perSecond: 80, count: 1, use: 'job', ...changes };
};

describe('The pace in this process', () => {
  keepsThePace(() => Promise.resolve(alone()));
});

const redisUrl = process.env.REDIS_URL;
if (redisUrl !== undefined) describeInRedis(redisUrl);

function describeInRedis(url: string): void {
  describe('The pace in Redis', () => {
    const opened: SharedRedis[] = [];
    const redis = new Redis(url);

    const open = async (prefix = `${PREFIX}${uuidV7()}:`, ownLanes = alone()): Promise<RedisRateLimiter> => {
      const shared = new SharedRedis(url, clock);
      opened.push(shared);
      while (!(await shared.check()).ok) await wait(5);
      return new RedisRateLimiter(shared, ownLanes, clock, prefix);
    };

    afterAll(async () => {
      for (const shared of opened) shared.onApplicationShutdown();
      const keys = await redis.keys(`${PREFIX}*`);
      if (keys.length > 0) await redis.del(...keys);
      redis.disconnect();
    });

    keepsThePace(() => open());

    it('is one pace for all processes', async () => {
      const prefix = `${PREFIX}${uuidV7()}:`;
      const [one, two] = [await open(prefix), await open(prefix)];
      await one.reserve(request({ perSecond: 10, count: 10 }));
      const second = await two.reserve(request({ perSecond: 10 }));
      expect(second!.waitMs).toBeGreaterThan(900);
    });

    it('is cut for all processes', async () => {
      const prefix = `${PREFIX}${uuidV7()}:`;
      const [one, two] = [await open(prefix), await open(prefix)];
      await one.cut('sender', 80, 0);
      expect((await two.reserve(request()))!.intervalMs).toBeGreaterThan(1000 / 80 / 0.98);
    });

    it('continues immediately after the Redis clock was set back', async () => {
      const prefix = `${PREFIX}${uuidV7()}:`;
      const pace = await open(prefix);
      await pace.reserve(request({ use: 'single' }));
      const hour = (time: string | null) => String(Number(time) + 3_600_000);
      const key = `${prefix}sender`;
      for (const field of ['next', 'at', 'single']) await redis.hset(key, field, hour(await redis.hget(key, field)));
      await redis.hset(key, 'cut', hour(await redis.hget(key, 'at')));

      const { waitMs, intervalMs } = (await pace.reserve(request()))!;
      expect(waitMs).toBeLessThan(30);
      expect(intervalMs).toBeCloseTo(12.5, 1);
      await pace.cut('sender', 80, 0);
      expect((await pace.reserve(request()))!.intervalMs).toBeGreaterThan(12.7);
    });

    it('leaves nothing behind once it is full again', async () => {
      const prefix = `${PREFIX}${uuidV7()}:`;
      await (await open(prefix)).reserve(request());
      expect(await redis.pttl(`${prefix}sender`)).toBeGreaterThan(50_000);
      expect(await redis.pttl(`${prefix}sender`)).toBeLessThan(70_000);
    });
  });
}

describe('The pace without Redis', () => {
  const shared = new SharedRedis('redis://127.0.0.1:1', clock);
  afterAll(() => shared.onApplicationShutdown());

  it('is kept only by the owner of the lane', async () => {
    const ownLanes = new InProcessRateLimiter(clock, { alone: false, requestLane: () => undefined, laneWaitMs: 0 });
    const pace = new RedisRateLimiter(shared, ownLanes, clock);
    expect(await pace.reserve(request())).toBeNull();
    pace.laneAcquired('sender');
    expect(await pace.reserve(request())).not.toBeNull();
    pace.laneReleased('sender');
    expect(await pace.reserve(request())).toBeNull();
  });
});

function keepsThePace(open: () => Promise<RateLimiter>): void {
  let pace: RateLimiter;
  beforeEach(async () => {
    pace = await open();
  });

  it('starts without a burst', async () => {
    expect((await pace.reserve(request()))!.waitMs).toBeGreaterThan(11);
  });

  it('delays the next by earlier reservations', async () => {
    await pace.reserve(request({ perSecond: 10, count: 5 }));
    const next = await pace.reserve(request({ perSecond: 10 }));
    expect(next!.waitMs).toBeGreaterThan(450);
    expect(next!.waitMs).toBeLessThan(530);
  });

  it('reserves nothing if the wait is too long', async () => {
    await pace.reserve(request({ perSecond: 10, count: 20 }));
    expect(await pace.reserve(request({ perSecond: 10, maxWaitMs: 1000 }))).toBeNull();
    expect(await pace.reserve(request({ perSecond: 10, count: 50, maxWaitMs: 1000 }))).toBeNull();
    expect((await pace.reserve(request({ perSecond: 10 })))!.waitMs).toBeLessThan(2100);
  });

  it('queues concurrent single sends, and refuses those that would wait too long', async () => {
    const single = request({ perSecond: 10, use: 'single', maxWaitMs: 1000 });
    const reserved = await Promise.all(Array.from({ length: 15 }, () => pace.reserve(single)));
    const waits = reserved.flatMap((reservation) => reservation?.waitMs ?? []);
    expect(waits).toHaveLength(10);
    waits.forEach((waitMs, index) => expect(Math.abs(waitMs - (12 + index * 100))).toBeLessThan(40));
    // The refused ones have used up nothing.
    expect((await pace.reserve(request({ perSecond: 10 })))!.waitMs).toBeLessThan(1030);
  });

  it('keeps senders apart', async () => {
    await pace.reserve(request({ perSecond: 10, count: 50 }));
    expect((await pace.reserve(request({ senderId: 'other' })))!.waitMs).toBeLessThan(30);
  });

  it('leaves a tenth of the pace free for single sends while there are any', async () => {
    expect((await pace.reserve(request()))!.intervalMs).toBeCloseTo(12.5, 1);
    await pace.reserve(request({ use: 'single' }));
    expect((await pace.reserve(request()))!.intervalMs).toBeCloseTo(12.5 / 0.9, 1);
    expect((await pace.reserve(request({ use: 'single' })))!.intervalMs).toBeCloseTo(12.5, 1);
  });

  it('is cut by 3 % once for all requests sent before the cut, and by 15 % at the third in a row', async () => {
    await pace.reserve(request());
    await pace.cut('sender', 80, 20);
    await pace.cut('sender', 80, 20);
    await pace.cut('sender', 80, 15);
    expect((await pace.reserve(request()))!.intervalMs).toBeCloseTo(12.5 / 0.97, 0);
    await wait(30);
    await pace.cut('sender', 80, 5);
    expect((await pace.reserve(request()))!.intervalMs).toBeCloseTo(12.5 / 0.97 / 0.97, 0);
    await wait(30);
    await pace.cut('sender', 80, 5);
    expect((await pace.reserve(request()))!.intervalMs).toBeGreaterThan(12.5 / 0.97 / 0.97 / 0.88);
  });

  it('recovers by 5 % of the nominal pace a second', async () => {
    for (let cut = 0; cut < 4; cut++) {
      await pace.cut('sender', 80, 0);
      await wait(2);
    }
    await wait(1000);
    const { intervalMs } = (await pace.reserve(request()))!;
    expect(1000 / intervalMs).toBeGreaterThan(57);
    expect(1000 / intervalMs).toBeLessThan(60);
  });

  it('returns the current pace: the full one until it is cut', async () => {
    expect(await pace.current('sender', 1000)).toBe(1000);
    await pace.cut('sender', 1000, 0);
    const after = await pace.current('sender', 1000);
    expect(after).toBeGreaterThanOrEqual(850);
    expect(after).toBeLessThan(1000);
  });

  it('is never cut below one message a second', async () => {
    for (let n = 0; n < 30; n++) {
      await pace.cut('sender', 2, 0);
      await wait(2);
    }
    expect((await pace.reserve(request({ perSecond: 2 })))!.intervalMs).toBeLessThanOrEqual(1000);
  });
}
