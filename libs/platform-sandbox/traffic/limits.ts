const SECOND = 1000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const MAX_PAIRS = 200_000;

/** At most `limit` events in any `span` milliseconds, counted exactly; rejected events do not count. */
export class SlidingLimit {
  private times: Float64Array;
  private next = 0;
  private count = 0;

  constructor(
    private readonly limit: number,
    private readonly span: number,
  ) {
    this.times = new Float64Array(Math.min(limit, 64));
  }

  /** Counts one event at `now` (monotonic milliseconds); returns false if the limit is reached. */
  take(now: number): boolean {
    if (this.count >= this.limit) {
      const oldest = this.times[this.next % this.limit] ?? 0;
      if (now - oldest < this.span) return false;
    }
    if (this.count < this.limit && this.count === this.times.length) this.grow();
    this.times[this.next % this.limit] = now;
    this.next += 1;
    if (this.count < this.limit) this.count += 1;
    return true;
  }

  private grow(): void {
    const wider = new Float64Array(Math.min(this.limit, this.times.length * 4));
    wider.set(this.times);
    this.times = wider;
  }
}

/** The limits of the sandbox: messages per number, messages per pair, created templates per account. */
export class Limits {
  private throughput = new Map<string, { limit: number; window: SlidingLimit }>();
  private pairs = new Map<string, { limit: number; window: SlidingLimit }>();
  private creations = new Map<string, { limit: number; window: SlidingLimit }>();

  /** Counts a message of a phone number; `limit` per second, 0: no limit. */
  takeThroughput(phoneNumberId: string, limit: number): boolean {
    return take(this.throughput, phoneNumberId, limit, SECOND);
  }

  /** Counts a message from a phone number to a person; `limit` per minute, 0: no limit. */
  takePair(phoneNumberId: string, to: string, limit: number): boolean {
    if (this.pairs.size > MAX_PAIRS) this.pairs.clear();
    return take(this.pairs, `${phoneNumberId} ${to}`, limit, MINUTE);
  }

  /** Counts a template creation of a business account; `limit` per hour, 0: no limit. */
  takeCreation(businessAccountId: string, limit: number): boolean {
    return take(this.creations, businessAccountId, limit, HOUR);
  }

  /** Resets all counts. */
  clear(): void {
    this.throughput.clear();
    this.pairs.clear();
    this.creations.clear();
  }
}

function take(
  windows: Map<string, { limit: number; window: SlidingLimit }>,
  key: string,
  limit: number,
  span: number,
): boolean {
  if (limit <= 0) return true;
  let known = windows.get(key);
  if (known?.limit !== limit) {
    known = { limit, window: new SlidingLimit(limit, span) };
    windows.set(key, known);
  }
  return known.window.take(performance.now());
}
