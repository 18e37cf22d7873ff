import { Clock } from '../../src/kernel/clock';
import type { Dice } from './dice';
import type { Timeline } from './scheduler';

/**
 * One run of a process, from its start to its end. Whatever the process does happens through `act`, so that it can be
 * stopped at any moment and go on later with what it believed, or vanish.
 */
export class Life {
  alive = true;
  frozen = false;
  /** When it was frozen for the last time, and when it went on. */
  frozenAt = -Infinity;
  thawedAt = -Infinity;
  killedAt: number | null = null;
  /** What is going to happen when the process comes to a step. */
  private readonly traps = new Map<string, () => void>();
  private held: (() => void)[] = [];

  constructor(
    readonly name: string,
    readonly scheduler: Timeline,
    private readonly dice: Dice,
  ) {}

  /** Does it now, once the process goes on, or never, as the process is. */
  act(action: () => void): void {
    if (!this.alive) return;
    if (this.frozen) this.held.push(action);
    else action();
  }

  /** Lets something happen to the process when it next comes to a step. */
  trapAt(step: string, spring: () => void): void {
    this.traps.set(step, spring);
  }

  /** The process comes to a step. */
  reach(step: string): void {
    const spring = this.traps.get(step);
    if (!spring || !this.alive || this.frozen) return;
    this.traps.delete(step);
    spring();
  }

  freeze(): void {
    this.frozen = true;
    this.frozenAt = this.scheduler.now;
  }

  /** Goes on: what came due meanwhile comes at once, in any order. */
  thaw(): void {
    if (!this.frozen) return;
    this.frozen = false;
    this.thawedAt = this.scheduler.now;
    for (const [index, action] of this.dice.shuffle(this.held).entries()) {
      this.scheduler.after(index / 1000, () => this.act(action));
    }
    this.held = [];
  }

  end(): void {
    this.alive = false;
    this.held = [];
  }

  /** It stood still at some moment since `since`. */
  stoodStillSince(since: number): boolean {
    return this.frozen || this.thawedAt > since;
  }
}

/** The time of one process: it goes on while the process stands still, as that of a machine does. */
export class ProcessClock extends Clock {
  constructor(
    private readonly life: Life,
    private readonly dice: Dice,
    /** By how much its wall clock is wrong, in milliseconds. */
    private readonly skew: number,
  ) {
    super();
  }

  now(): Date {
    return this.life.scheduler.dateAt(this.life.scheduler.now + this.skew);
  }

  monotonic(): number {
    return 1_000_000 + this.skew + this.life.scheduler.now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const event = this.life.scheduler.after(ms + this.dice.next(), () => this.life.act(wake));
      const abort = (): void => {
        event.action = null;
        resolve();
      };
      const wake = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  override turn(): Promise<void> {
    return this.sleep(0);
  }

  override jitter(ms: number): number {
    return this.dice.next() * ms;
  }
}
