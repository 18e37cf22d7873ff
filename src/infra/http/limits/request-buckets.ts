import type { ThrottlerStorage } from '@nestjs/throttler';
import { type BucketSize, secondsToFull, secondsToNext } from './token-bucket';

/** The result of a request for one token. */
export interface Taken {
  allowed: boolean;
  /** Tokens left, not rounded. */
  tokens: number;
}

/** The throttler's own result type; times are in seconds. */
export type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Converts a bucket to the throttler's record: hits are the tokens taken, and it expires when the bucket is full again. */
export function throttlerRecord({ allowed, tokens }: Taken, size: BucketSize): ThrottlerRecord {
  return {
    totalHits: size.capacity - Math.floor(tokens),
    timeToExpire: secondsToFull(tokens, size),
    isBlocked: !allowed,
    timeToBlockExpire: allowed ? 0 : secondsToNext(tokens, size),
  };
}
