import type { Clock } from '../../../kernel/clock';

const MOST_VALUES = 10_000;

/** Values that may be `maxAgeMs` old: requests that come together share one reading, and a failed reading is not kept. */
export class RecentValues<T> {
  private readonly readings = new Map<string, { value: Promise<T>; until: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly maxAgeMs: number,
  ) {}

  /** The value of `key`, from the reading before where that is young enough. */
  get(key: string, read: () => Promise<T>): Promise<T> {
    const now = this.clock.monotonic();
    const known = this.readings.get(key);
    if (known && now < known.until) return known.value;
    this.readings.delete(key);
    const reading = { value: read(), until: now + this.maxAgeMs };
    this.readings.set(key, reading);
    reading.value.catch(() => {
      if (this.readings.get(key) === reading) this.readings.delete(key);
    });
    for (const oldest of this.readings.keys()) {
      if (this.readings.size <= MOST_VALUES) break;
      this.readings.delete(oldest);
    }
    return reading.value;
  }

  /** The next `get` of the key reads again. */
  forget(key: string): void {
    this.readings.delete(key);
  }

  /** The next `get` of every key reads again. */
  forgetAll(): void {
    this.readings.clear();
  }
}
