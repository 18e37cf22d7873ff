import type { ThrottlerStorage } from '@nestjs/throttler';
import type { BucketSize } from '../../../infra/http/limits/token-bucket';
import { CallCoalescer } from '../../../infra/redis/call-coalescer';
import type { SharedRedis } from '../../../infra/redis/shared-redis';
import type { Clock } from '../../../kernel/clock';
import type { InProcessBuckets } from '../../../infra/http/limits/in-process-buckets';
import { type Taken, type ThrottlerRecord, throttlerRecord } from '../../../infra/http/limits/request-buckets';

/**
 * KEYS[1]: bucket; ARGV[1]: capacity; ARGV[2]: milliseconds to fill up; ARGV[3]: tokens to take. Returns the tokens taken and the
 * tokens left.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local capacity, fill = tonumber(ARGV[1]), tonumber(ARGV[2])
local state = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens, at = tonumber(state[1]) or capacity, tonumber(state[2]) or now
tokens = math.min(capacity, tokens + math.max(0, now - at) * capacity / fill)
local taken = math.min(tonumber(ARGV[3]), math.floor(tokens))
tokens = tokens - taken
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(fill) + 1000)
return { taken, tostring(tokens) }`;

/**
 * Token buckets shared by all processes, on Redis time; concurrent requests take their tokens with one call. While Redis is
 * unavailable, each process counts separately, so no request fails.
 */
export class RedisBuckets implements ThrottlerStorage {
  private readonly calls: CallCoalescer<{ key: string; size: BucketSize }, Taken>;

  constructor(
    private readonly redis: SharedRedis,
    private readonly fallback: InProcessBuckets,
    clock: Clock,
    private readonly keyPrefix = 'mta:requests:',
  ) {
    this.calls = new CallCoalescer(({ key, size }, count) => this.take(key, size, count), clock);
  }

  /** Takes one token from a bucket that holds `limit` tokens and fills up in `ttl` milliseconds. */
  async increment(key: string, ttl: number, limit: number): Promise<ThrottlerRecord> {
    const size = { capacity: limit, fillMs: ttl };
    return throttlerRecord(await this.calls.call(`${key} ${limit} ${ttl}`, { key, size }), size);
  }

  private async take(key: string, size: BucketSize, count: number): Promise<Taken[]> {
    const { capacity, fillMs } = size;
    const shared = await this.redis.run<[number, string]>(TAKE, this.keyPrefix + key, capacity, fillMs, count);
    if (!shared) return Array.from({ length: count }, () => this.fallback.take(key, size));
    const [taken, left] = [shared[0], Number(shared[1])];
    return Array.from({ length: count }, (_, index) => ({
      allowed: index < taken,
      tokens: left + Math.max(0, taken - 1 - index),
    }));
  }
}
