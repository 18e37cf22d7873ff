/** The time source of the domain; tests can control it. */
export abstract class Clock {
  /** Wall-clock time, to store and display. */
  abstract now(): Date;
  /** Monotonic milliseconds, for leases, rates and timeouts. */
  abstract monotonic(): number;
  /** Resolves after `ms` milliseconds, or immediately when `signal` is aborted. */
  abstract sleep(ms: number, signal?: AbortSignal): Promise<void>;

  /** Resolves with `work`, or after `ms` milliseconds at the latest; rejects if `work` rejects first. */
  async atMost(ms: number, work: Promise<unknown>): Promise<void> {
    const ended = new AbortController();
    try {
      await Promise.race([work, this.sleep(ms, ended.signal)]);
    } finally {
      ended.abort();
    }
  }

  /** Resolves after one turn of the event loop, to batch concurrent events. */
  turn(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** A random time below `ms`, so that processes do not run in lockstep. */
  jitter(ms: number): number {
    return Math.random() * ms;
  }
}
