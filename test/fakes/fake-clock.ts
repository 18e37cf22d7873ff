import { Clock } from '../../src/kernel/clock';

interface Sleeper {
  at: number;
  wake: () => void;
}

/** Event loop turns after which everything triggered by a timer has settled. */
const ROUNDS = 3;

/** A stopped clock; `advance` moves it and wakes sleepers in time order. */
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

  /** Advances the time by `ms`, and wakes due sleepers. */
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

  /** Advances the time as for a frozen process: no sleeper wakes until the next `advance`. */
  jump(ms: number): void {
    this.elapsed += ms;
  }

  /** Milliseconds until the next sleeper wakes. */
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
