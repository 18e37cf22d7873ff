/** The time for the domain, which tests can control. */
export abstract class Clock {
  /** Wall time, for what is stored and shown. */
  abstract now(): Date;
  /** Monotonic milliseconds, for leases, rates and timeouts. */
  abstract monotonic(): number;
  /** Resolves after `ms` milliseconds, or at once when `signal` is aborted. */
  abstract sleep(ms: number, signal?: AbortSignal): Promise<void>;

  /** Resolves when `work` has ended, or after `ms` milliseconds; rejects when `work` does before. */
  async atMost(ms: number, work: Promise<unknown>): Promise<void> {
    const ended = new AbortController();
    try {
      await Promise.race([work, this.sleep(ms, ended.signal)]);
    } finally {
      ended.abort();
    }
  }

  /** Resolves after one turn of the event loop, to gather events of the same moment. */
  turn(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** A random time below `ms`, so that processes do not act in step. */
  jitter(ms: number): number {
    return Math.random() * ms;
  }
}
