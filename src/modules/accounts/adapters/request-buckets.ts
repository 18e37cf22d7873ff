import type { ThrottlerStorage } from '@nestjs/throttler';
import { type BucketSize, secondsToFull, secondsToNext } from './token-bucket';

/** What became of a request for one token. */
export interface Taken {
  allowed: boolean;
  /** Tokens left, not rounded. */
  tokens: number;
}

/** What the throttler is told, in its own words: times in seconds. */
export type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** The throttler's record for a bucket: hits are what is gone of it, and it expires when it is full again. */
export function throttlerRecord({ allowed, tokens }: Taken, size: BucketSize): ThrottlerRecord {
  return {
    totalHits: size.capacity - Math.floor(tokens),
    timeToExpire: secondsToFull(tokens, size),
    isBlocked: !allowed,
    timeToBlockExpire: allowed ? 0 : secondsToNext(tokens, size),
  };
}
