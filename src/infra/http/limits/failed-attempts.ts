import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { RateLimitedError } from '../../../kernel/access.errors';
import { InProcessBuckets } from './in-process-buckets';
import { type BucketSize, secondsToNext } from './token-bucket';

interface Attempt {
  size: BucketSize;
  /** What was too frequent, for the error message. */
  label: string;
}

/** A failed signature costs more than a failed key: up to 4 MB were read and hashed. */
const ATTEMPTS = {
  key: { size: { capacity: 300, fillMs: 60_000 }, label: 'requests with invalid API keys' },
  session: { size: { capacity: 300, fillMs: 60_000 }, label: 'requests with expired or unknown console sessions' },
  signature: { size: { capacity: 60, fillMs: 60_000 }, label: 'webhooks with invalid signatures' },
} satisfies Record<string, Attempt>;

/** The kinds of credentials. */
export type AttemptKind = keyof typeof ATTEMPTS;

/** Counts invalid API keys, console sessions and signatures by client address, in this process. */
@Injectable()
export class FailedAttempts {
  private readonly buckets: InProcessBuckets;

  constructor(clock: Clock) {
    this.buckets = new InProcessBuckets(clock);
  }

  /** Counts a failure; `cost`: how many ordinary failures it counts for. */
  count(kind: AttemptKind, client: string, cost = 1): void {
    this.buckets.take(bucketOf(kind, client), ATTEMPTS[kind].size, cost);
  }

  /** Clears the failures of an address that has authenticated. */
  forgive(kind: AttemptKind, client: string): void {
    this.buckets.refill(bucketOf(kind, client));
  }

  /** Throws RateLimitedError if the client has used up its failures. */
  refuseIfTooMany(kind: AttemptKind, client: string): void {
    const { size, label } = ATTEMPTS[kind];
    const { tokens } = this.buckets.peek(bucketOf(kind, client), size);
    if (tokens >= 1) return;
    const seconds = secondsToNext(tokens, size);
    throw new RateLimitedError(`Too many ${label} came from your address. Try again in ${seconds} s.`, seconds);
  }
}

function bucketOf(kind: AttemptKind, client: string): string {
  return `${kind} ${client}`;
}
