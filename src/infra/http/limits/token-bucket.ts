/** The state of a token bucket at a time in milliseconds. */
export interface TokenBucket {
  tokens: number;
  at: number;
}

/** The capacity of a bucket, and how long an empty one takes to fill up. */
export interface BucketSize {
  capacity: number;
  fillMs: number;
}

/** The bucket at a later time; an unknown bucket is full. */
export function filled(bucket: TokenBucket | undefined, { capacity, fillMs }: BucketSize, now: number): TokenBucket {
  if (!bucket) return { tokens: capacity, at: now };
  const grown = (Math.max(0, now - bucket.at) * capacity) / fillMs;
  return { tokens: Math.min(capacity, bucket.tokens + grown), at: now };
}

/** Whole seconds until a bucket with this many tokens holds one, at least 1. */
export function secondsToNext(tokens: number, { capacity, fillMs }: BucketSize): number {
  return Math.max(1, Math.ceil((((1 - tokens) / capacity) * fillMs) / 1000));
}

/** Whole seconds until a bucket with this many tokens is full. */
export function secondsToFull(tokens: number, { capacity, fillMs }: BucketSize): number {
  return Math.ceil((((capacity - tokens) / capacity) * fillMs) / 1000);
}
