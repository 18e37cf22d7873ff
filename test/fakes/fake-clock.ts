import { Clock } from '../../src/kernel/clock';

interface Sleeper {
  at: number;
  wake: () => void;
}

/** Rounds of the event loop in which everything that a timer set off comes to rest. */
const ROUNDS = 3;

/** A clock that stands still until `advance` moves it; whoever sleeps wakes in the order of time. */
export class FakeClock extends Clock {
  private elapsed = 0;
  private readonly sleepers = new Set<Sleeper>();
  private readonly start = Date.UTC(2026, 10, 20);

  now(): Date {
    return new Date(this.start + this.elapsed);
  }

  monotonic(): number {
    return this.elapsed;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper = { at: this.elapsed + ms, wake: resolve };
      this.sleepers.add(sleeper);
      const abort = (): void => {
        this.sleepers.delete(sleeper);
        resolve();
      };
      sleeper.wake = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /** Moves the time on by `ms`, waking whoever slept until then. */
  async advance(ms: number): Promise<void> {
    const until = this.elapsed + ms;
    await this.rest();
    for (let next = this.nextBefore(until); next; next = this.nextBefore(until)) {
      this.elapsed = Math.max(this.elapsed, next.at);
      this.sleepers.delete(next);
      next.wake();
      await this.rest();
    }
    this.elapsed = until;
    await this.rest();
  }

  /** Moves the time on as it moves for a process that stands still: nobody wakes until the next `advance`. */
  jump(ms: number): void {
    this.elapsed += ms;
  }

  /** Milliseconds until somebody wakes. */
  get untilNextWake(): number {
    return (this.nextBefore(Infinity)?.at ?? Infinity) - this.elapsed;
  }

  private nextBefore(until: number): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const sleeper of this.sleepers) {
      if (sleeper.at <= until && (!first || sleeper.at < first.at)) first = sleeper;
    }
    return first;
  }

  private async rest(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) await new Promise((resolve) => setImmediate(resolve));
  }
}
