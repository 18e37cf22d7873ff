import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { RateLimitedError } from '../../../kernel/access.errors';
import { InProcessBuckets } from './in-process-buckets';
import { secondsToNext } from './token-bucket';

/** A burst of 300 failures, refilled by 5 per second. */
const SIZE = { capacity: 300, fillMs: 60_000 };

/** Counts invalid API keys by client address, in this process. */
@Injectable()
export class FailedKeys {
  private readonly buckets: InProcessBuckets;

  constructor(clock: Clock) {
    this.buckets = new InProcessBuckets(clock);
  }

  count(client: string): void {
    this.buckets.take(client, SIZE);
  }

  /** Throws RateLimitedError if the client has used up its failures. */
  refuseIfTooMany(client: string): void {
    const { tokens } = this.buckets.peek(client, SIZE);
    if (tokens >= 1) return;
    const seconds = secondsToNext(tokens, SIZE);
    throw new RateLimitedError(
      `Too many requests with invalid API keys came from your address. Try again in ${seconds} s.`,
      seconds,
    );
  }
}
