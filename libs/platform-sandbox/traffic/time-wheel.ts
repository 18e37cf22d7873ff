const TICK_MS = 10;

/** Schedules many callbacks with one timer: items due within the same 10 ms share a slot. */
export class TimeWheel<T> {
  private slots = new Map<number, T[]>();
  private timer: NodeJS.Timeout | undefined;
  private lastTick = 0;
  private waiting = 0;

  constructor(private readonly onDue: (item: T) => void) {}

  /** Number of scheduled items. */
  get size(): number {
    return this.waiting;
  }

  /** Schedules the callback of an item for `delayMs` from now or slightly later. */
  add(item: T, delayMs: number): void {
    if (this.timer === undefined) {
      this.lastTick = this.now();
      this.timer = setInterval(() => this.turn(), TICK_MS);
      this.timer.unref();
    }
    const tick = Math.max(this.lastTick + 1, Math.ceil((performance.now() + delayMs) / TICK_MS));
    const slot = this.slots.get(tick);
    if (slot === undefined) this.slots.set(tick, [item]);
    else slot.push(item);
    this.waiting += 1;
  }

  /** Removes all scheduled items. */
  clear(): void {
    this.slots.clear();
    this.waiting = 0;
    this.stop();
  }

  private turn(): void {
    const now = this.now();
    while (this.lastTick < now && this.waiting > 0) {
      this.lastTick += 1;
      const slot = this.slots.get(this.lastTick);
      if (slot === undefined) continue;
      this.slots.delete(this.lastTick);
      this.waiting -= slot.length;
      for (const item of slot) this.onDue(item);
    }
    this.lastTick = now;
    if (this.waiting === 0) this.stop();
  }

  private now(): number {
    return Math.floor(performance.now() / TICK_MS);
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
