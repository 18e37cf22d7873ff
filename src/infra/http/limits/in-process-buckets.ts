import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Clock } from '../../../kernel/clock';
import { type Taken, type ThrottlerRecord, throttlerRecord } from './request-buckets';
import { type BucketSize, filled, type TokenBucket } from './token-bucket';

const MAX_BUCKETS = 100_000;

/** Token buckets in memory: each API process grants the whole rate on its own. */
export class InProcessBuckets implements ThrottlerStorage {
  private readonly buckets = new Map<string, TokenBucket>();

  constructor(private readonly clock: Clock) {}

  /** Takes one token from a bucket that holds `limit` tokens and fills up in `ttl` milliseconds. */
  increment(key: string, ttl: number, limit: number): Promise<ThrottlerRecord> {
    const size = { capacity: limit, fillMs: ttl };
    return Promise.resolve(throttlerRecord(this.take(key, size), size));
  }

  /** Takes `cost` tokens, or all that are left, from a bucket with at least one. */
  take(key: string, size: BucketSize, cost = 1): Taken {
    const bucket = this.peek(key, size);
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens = Math.max(0, bucket.tokens - cost);
    // Reinserted, so that the map is ordered by use and the least recently used bucket is evicted first.
    this.buckets.delete(key);
    this.buckets.set(key, bucket);
    if (this.buckets.size > MAX_BUCKETS) this.dropOldest();
    return { allowed, tokens: bucket.tokens };
  }

  /** The current state of the bucket; takes no token. */
  peek(key: string, size: BucketSize): TokenBucket {
    return filled(this.buckets.get(key), size, this.clock.monotonic());
  }

  /** Refills the bucket. */
  refill(key: string): void {
    this.buckets.delete(key);
  }

  private dropOldest(): void {
    const [oldest] = this.buckets.keys();
    if (oldest !== undefined) this.buckets.delete(oldest);
  }
}
