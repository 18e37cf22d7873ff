import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { RateLimitedError } from '../domain/accounts.errors';
import { InProcessBuckets } from './in-process-buckets';
import { secondsToNext } from './token-bucket';

/** 300 failures at once, 5 more each second. */
const SIZE = { capacity: 300, fillMs: 60_000 };

/** Counts the keys that failed, by client address and in this process. */
@Injectable()
export class FailedKeys {
  private readonly buckets: InProcessBuckets;

  constructor(clock: Clock) {
    this.buckets = new InProcessBuckets(clock);
  }

  count(client: string): void {
    this.buckets.take(client, SIZE);
  }

  /** Throws RateLimitedError for a client that may fail no more at the moment. */
  refuseIfTooMany(client: string): void {
    const { tokens } = this.buckets.peek(client, SIZE);
    if (tokens >= 1) return;
    const seconds = secondsToNext(tokens, SIZE);
    throw new RateLimitedError(`Too many invalid API keys came from your address. Try again in ${seconds} s.`, seconds);
  }
}
