import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { RateLimitedError } from '../../../kernel/access.errors';
import { InProcessBuckets } from './in-process-buckets';
import { type BucketSize, secondsToNext } from './token-bucket';

interface Attempt {
  size: BucketSize;
  /** What came too often, for the error message. */
  shown: string;
}

/** A failed signature costs more than a failed key: up to 4 MB have been read and hashed. */
const ATTEMPTS = {
  key: { size: { capacity: 300, fillMs: 60_000 }, shown: 'requests with invalid API keys' },
  session: { size: { capacity: 300, fillMs: 60_000 }, shown: 'requests with expired or unknown console sessions' },
  signature: { size: { capacity: 60, fillMs: 60_000 }, shown: 'webhooks with invalid signatures' },
} satisfies Record<string, Attempt>;

/** What an address can fail to prove. */
export type AttemptKind = keyof typeof ATTEMPTS;

/** Counts invalid API keys, console sessions and signatures by client address, in this process. */
@Injectable()
export class FailedAttempts {
  private readonly buckets: InProcessBuckets;

  constructor(clock: Clock) {
    this.buckets = new InProcessBuckets(clock);
  }

  /** `cost`: how many ordinary failures it counts for. */
  count(kind: AttemptKind, client: string, cost = 1): void {
    this.buckets.take(bucketOf(kind, client), ATTEMPTS[kind].size, cost);
  }

  /** Forgets the failures of an address that has proved itself. */
  forgive(kind: AttemptKind, client: string): void {
    this.buckets.refill(bucketOf(kind, client));
  }

  /** Throws RateLimitedError if the client has used up its failures. */
  refuseIfTooMany(kind: AttemptKind, client: string): void {
    const { size, shown } = ATTEMPTS[kind];
    const { tokens } = this.buckets.peek(bucketOf(kind, client), size);
    if (tokens >= 1) return;
    const seconds = secondsToNext(tokens, size);
    throw new RateLimitedError(`Too many ${shown} came from your address. Try again in ${seconds} s.`, seconds);
  }
}

function bucketOf(kind: AttemptKind, client: string): string {
  return `${kind} ${client}`;
}
