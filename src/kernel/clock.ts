/** Time as the domain sees it, so that a test can own it. */
export abstract class Clock {
  /** Wall time, for what is stored and shown. */
  abstract now(): Date;
  /** Milliseconds that never jump, for leases, paces and timeouts. */
  abstract monotonic(): number;
  /** Resolves after `ms` milliseconds, or at once when `signal` is aborted. */
  abstract sleep(ms: number, signal?: AbortSignal): Promise<void>;

  /** Resolves after one turn of the event loop, so that what happens at the same moment can come together. */
  turn(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** A random part of `ms`, so that processes do not act in step. */
  jitter(ms: number): number {
    return Math.random() * ms;
  }
}
