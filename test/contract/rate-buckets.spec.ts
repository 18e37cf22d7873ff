import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { uuidV7 } from '../../src/kernel/uuid';
import { SharedRedis } from '../../src/infra/redis/shared-redis';
import { SystemClock } from '../../src/infra/system-clock';
import { InProcessBuckets } from '../../src/infra/http/limits/in-process-buckets';
import { RedisBuckets } from '../../src/modules/accounts/adapters/redis-buckets';

// Measures wall time: other load can only disturb a run, so one undisturbed run is sufficient.
jest.retryTimes(2, { logErrorsBeforeRetry: true });

interface Buckets {
  increment(
    key: string,
    ttl: number,
    limit: number,
  ): Promise<{ isBlocked: boolean; totalHits: number; timeToExpire: number; timeToBlockExpire: number }>;
}

const clock = new SystemClock();
const PREFIX = `mta-test:${uuidV7()}:`;

Logger.overrideLogger(false);

describe('Request buckets in this process', () => {
  holdRates(() => Promise.resolve(new InProcessBuckets(clock)));

  it('forget the longest unused bucket when there are too many', () => {
    const buckets = new InProcessBuckets(clock);
    const size = { capacity: 1, fillMs: 3_600_000 };
    for (const key of ['first', 'second']) buckets.take(key, size);
    for (let n = 0; n < 100_000; n++) buckets.take(`${n}`, size);
    expect(buckets.take('first', size).allowed).toBe(true);
    expect(buckets.take('99999', size).allowed).toBe(false);
  });
});

const redisUrl = process.env.REDIS_URL;
if (redisUrl !== undefined) describeInRedis(redisUrl);

function describeInRedis(url: string): void {
  describe('Request buckets in Redis', () => {
    const opened: SharedRedis[] = [];
    const open = async () => {
      const shared = new SharedRedis(url, clock);
      opened.push(shared);
      const buckets = new RedisBuckets(shared, new InProcessBuckets(clock), clock, PREFIX);
      // Until the connection stands, the process counts by itself.
      const redis = new Redis(url);
      await redis.ping();
      const probe = uuidV7();
      while (!(await redis.exists(PREFIX + probe))) {
        await buckets.increment(probe, 1_000, 10);
        await wait(5);
      }
      redis.disconnect();
      return buckets;
    };
    afterAll(async () => {
      for (const shared of opened) shared.onApplicationShutdown();
      const redis = new Redis(url);
      const keys = await redis.keys(`${PREFIX}*`);
      if (keys.length > 0) await redis.del(...keys);
      redis.disconnect();
    });

    holdRates(open);

    it('are shared by all processes', async () => {
      const [one, two] = [await open(), await open()];
      const key = uuidV7();
      const taken = await Promise.all(
        Array.from({ length: 30 }, (_, n) => (n % 2 ? one : two).increment(key, 60_000, 10)),
      );
      expect(taken.filter(({ isBlocked }) => !isBlocked)).toHaveLength(10);
    });

    it('leave nothing behind once they are full again', async () => {
      const buckets = await open();
      const redis = new Redis(url);
      const key = uuidV7();
      await buckets.increment(key, 5_000, 10);
      const ttl = await redis.pttl(PREFIX + key);
      redis.disconnect();
      expect(ttl).toBeGreaterThan(4_000);
      expect(ttl).toBeLessThanOrEqual(6_000);
    });
  });
}

describe('Request buckets without Redis', () => {
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  const opened: SharedRedis[] = [];
  afterAll(() => {
    for (const shared of opened) shared.onApplicationShutdown();
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
  });

  /** A server that answers the client handshake like Redis, then as `onCommand` says. */
  const serve = async (answer: ((socket: Socket, command: string) => void) | null): Promise<string> => {
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        for (const [, name = ''] of bytes.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
          if (/^info$/i.test(name)) socket.write('$15\r\nredis_version:7\r\n');
          else if (/^client$/i.test(name)) socket.write('+OK\r\n');
          else answer?.(socket, name.toLowerCase());
        }
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const on = (url: string): RedisBuckets => {
    const shared = new SharedRedis(url, clock);
    opened.push(shared);
    return new RedisBuckets(shared, new InProcessBuckets(clock), clock);
  };

  it('send their script once, then only its hash, once for all concurrent requests', async () => {
    const commands: string[] = [];
    const url = await serve((socket, command) => {
      commands.push(command);
      socket.write('*2\r\n:1\r\n$1\r\n9\r\n');
    });
    const buckets = on(url);
    while (commands.length === 0) {
      await buckets.increment('a', 60_000, 10);
      await wait(5);
    }
    for (let n = 0; n < 3; n++) expect((await buckets.increment('a', 60_000, 10)).totalHits).toBe(1);
    expect(commands).toEqual(['eval', 'evalsha', 'evalsha', 'evalsha']);
    await Promise.all(Array.from({ length: 20 }, () => buckets.increment('a', 60_000, 10)));
    expect(commands).toHaveLength(5);
  });

  it('count in this process if nothing listens', async () => {
    const unreachable = on('redis://127.0.0.1:1');
    const started = performance.now();
    const taken = await Promise.all(Array.from({ length: 20 }, () => unreachable.increment('a', 60_000, 10)));
    expect(taken.filter(({ isBlocked }) => !isBlocked)).toHaveLength(10);
    expect(performance.now() - started).toBeLessThan(100);
  });

  it('count in this process if Redis hangs, and wait for it only once a second', async () => {
    const hanging = on(await serve(null));
    await wait(100);
    const started = performance.now();
    expect((await hanging.increment('a', 60_000, 10)).isBlocked).toBe(false);
    expect(performance.now() - started).toBeGreaterThan(200);
    for (let n = 0; n < 20; n++) await hanging.increment('a', 60_000, 10);
    expect((await hanging.increment('a', 60_000, 10)).isBlocked).toBe(true);
    expect(performance.now() - started).toBeLessThan(600);
  });

  it('count in this process if Redis returns an error', async () => {
    const failing = on(await serve((socket) => socket.write('-OOM command not allowed\r\n')));
    await wait(100);
    const taken = await Promise.all(Array.from({ length: 20 }, () => failing.increment('a', 60_000, 10)));
    expect(taken.filter(({ isBlocked }) => !isBlocked)).toHaveLength(10);
  });
});

function holdRates(open: () => Promise<Buckets>): void {
  let buckets: Buckets;
  beforeAll(async () => (buckets = await open()));

  it('grant the burst at once, then refuse with the time to retry', async () => {
    const key = uuidV7();
    const records = [];
    for (let n = 0; n < 11; n++) records.push(await buckets.increment(key, 20_000, 10));
    expect(records.slice(0, 10).map(({ isBlocked }) => isBlocked)).toEqual(Array(10).fill(false));
    expect(records[0]).toMatchObject({ totalHits: 1, timeToExpire: 2 });
    expect(records[9]).toMatchObject({ totalHits: 10, timeToExpire: 20 });
    expect(records[10]).toMatchObject({ isBlocked: true, totalHits: 10, timeToBlockExpire: 2 });
  });

  it('return at least one second', async () => {
    const key = uuidV7();
    await buckets.increment(key, 100, 1);
    expect((await buckets.increment(key, 100, 1)).timeToBlockExpire).toBe(1);
  });

  it('grant exactly the rate once the burst is used', async () => {
    const key = uuidV7();
    const started = performance.now();
    let granted = 0;
    // 100 a second, 20 at once.
    while (performance.now() - started < 1_000) {
      if (!(await buckets.increment(key, 200, 20)).isBlocked) granted += 1;
      await wait(1);
    }
    const possible = 20 + (performance.now() - started) / 10;
    expect(granted).toBeLessThanOrEqual(Math.ceil(possible));
    expect(granted).toBeGreaterThan(possible * 0.85);
  });

  it('distinguish concurrent requests', async () => {
    const key = uuidV7();
    const records = await Promise.all(Array.from({ length: 12 }, () => buckets.increment(key, 60_000, 10)));
    expect(records.map(({ totalHits }) => totalHits)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10]);
    expect(records.map(({ isBlocked }) => isBlocked)).toEqual([...Array<boolean>(10).fill(false), true, true]);
  });

  it('do not charge refused requests', async () => {
    const key = uuidV7();
    await buckets.increment(key, 300, 1);
    for (let n = 0; n < 20; n++) await buckets.increment(key, 300, 1);
    await wait(320);
    expect((await buckets.increment(key, 300, 1)).isBlocked).toBe(false);
  });

  it('keep callers apart', async () => {
    const [one, two] = [uuidV7(), uuidV7()];
    await buckets.increment(one, 60_000, 1);
    expect((await buckets.increment(two, 60_000, 1)).isBlocked).toBe(false);
  });
}
