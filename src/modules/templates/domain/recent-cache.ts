/** Keeps the `capacity` entries that were used last. */
export class RecentCache<V> {
  private readonly entries = new Map<string, V>();

  constructor(private readonly capacity: number) {}

  /** The entry, which counts as used now. */
  get(key: string): V | undefined {
    const value = this.entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  /** Adds or replaces the entry and drops the one unused for longest, if there are too many. */
  set(key: string, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.capacity) return;
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }

  /** Drops the entry, if it is still this one. */
  drop(key: string, value: V): void {
    if (this.entries.get(key) === value) this.entries.delete(key);
  }

  /** Drops everything. */
  clear(): void {
    this.entries.clear();
  }
}
