import type { Clock } from '../../../kernel/clock';

/**
 * A cache of at most `maxValues` values for `maxAgeMs`: concurrent callers share one read, and failed reads are not cached. The oldest
 * values are dropped first.
 */
export class RecentValues<T> {
  private readonly readings = new Map<string, { value: Promise<T>; until: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly maxAgeMs: number,
    private readonly maxValues = 10_000,
  ) {}

  /** The value of `key`, from the cache if it is recent enough. */
  get(key: string, read: () => Promise<T>): Promise<T> {
    const now = this.clock.monotonic();
    const cached = this.readings.get(key);
    if (cached && now < cached.until) return cached.value;
    this.readings.delete(key);
    const reading = { value: read(), until: now + this.maxAgeMs };
    this.readings.set(key, reading);
    reading.value.catch(() => {
      if (this.readings.get(key) === reading) this.readings.delete(key);
    });
    for (const oldest of this.readings.keys()) {
      if (this.readings.size <= this.maxValues) break;
      this.readings.delete(oldest);
    }
    return reading.value;
  }

  /** Removes the key: its next `get` reads again. */
  forget(key: string): void {
    this.readings.delete(key);
  }

  /** Removes all keys that begin with `text`. */
  forgetFrom(text: string): void {
    for (const key of this.readings.keys()) if (key.startsWith(text)) this.readings.delete(key);
  }

  /** Removes all keys. */
  forgetAll(): void {
    this.readings.clear();
  }
}
