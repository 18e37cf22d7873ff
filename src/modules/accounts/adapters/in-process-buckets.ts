import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Clock } from '../../../kernel/clock';
import { type Taken, type ThrottlerRecord, throttlerRecord } from './request-buckets';
import { type BucketSize, filled, type TokenBucket } from './token-bucket';

const MOST_BUCKETS = 100_000;

/** Token buckets of this process: each process that serves the API grants the whole rate by itself. */
export class InProcessBuckets implements ThrottlerStorage {
  private readonly buckets = new Map<string, TokenBucket>();

  constructor(private readonly clock: Clock) {}

  /** Takes one token of a bucket that holds `limit` and fills in `ttl` milliseconds. */
  increment(key: string, ttl: number, limit: number): Promise<ThrottlerRecord> {
    const size = { capacity: limit, fillMs: ttl };
    return Promise.resolve(throttlerRecord(this.take(key, size), size));
  }

  take(key: string, size: BucketSize): Taken {
    const bucket = this.peek(key, size);
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    // Set anew, so that the map stays in the order of use and the longest unused bucket goes first.
    this.buckets.delete(key);
    this.buckets.set(key, bucket);
    if (this.buckets.size > MOST_BUCKETS) this.dropOldest();
    return { allowed, tokens: bucket.tokens };
  }

  /** The bucket as it is now; takes nothing. */
  peek(key: string, size: BucketSize): TokenBucket {
    return filled(this.buckets.get(key), size, this.clock.monotonic());
  }

  private dropOldest(): void {
    const [oldest] = this.buckets.keys();
    if (oldest !== undefined) this.buckets.delete(oldest);
  }
}
