import type { ThrottlerStorage } from '@nestjs/throttler';
import type { SharedRedis } from '../../../infra/redis/shared-redis';
import type { InProcessBuckets } from '../../../infra/http/limits/in-process-buckets';
import { type ThrottlerRecord, throttlerRecord } from '../../../infra/http/limits/request-buckets';

/** KEYS[1]: the bucket; ARGV[1]: capacity; ARGV[2]: milliseconds to fill up. Returns whether a token was taken and how many are left. */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local capacity, fill = tonumber(ARGV[1]), tonumber(ARGV[2])
local state = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens, at = tonumber(state[1]) or capacity, tonumber(state[2]) or now
tokens = math.min(capacity, tokens + math.max(0, now - at) * capacity / fill)
local allowed = 0
if tokens >= 1 then
  tokens = tokens - 1
  allowed = 1
end
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(fill) + 1000)
return { allowed, tostring(tokens) }`;

/** Token buckets shared by all processes, on Redis time. While Redis is unavailable each process counts on its own, so no request fails. */
export class RedisBuckets implements ThrottlerStorage {
  constructor(
    private readonly redis: SharedRedis,
    private readonly fallback: InProcessBuckets,
    private readonly keyPrefix = 'mta:requests:',
  ) {}

  /** Takes one token from a bucket that holds `limit` tokens and fills up in `ttl` milliseconds. */
  async increment(key: string, ttl: number, limit: number): Promise<ThrottlerRecord> {
    const size = { capacity: limit, fillMs: ttl };
    const shared = await this.redis.run<[number, string]>(TAKE, this.keyPrefix + key, limit, ttl);
    const taken = shared ? { allowed: shared[0] === 1, tokens: Number(shared[1]) } : this.fallback.take(key, size);
    return throttlerRecord(taken, size);
  }
}
