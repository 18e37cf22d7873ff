import { Clock } from '../../src/kernel/clock';
import type { Dice } from './dice';
import type { Timeline } from './scheduler';

/**
 * One run of a process, from start to end. Everything that the process does goes through `act`, so that it can be
 * stopped at any moment and either continue later with its old state, or vanish.
 */
export class Life {
  alive = true;
  frozen = false;
  /** When it was last frozen, and when it continued. */
  frozenAt = -Infinity;
  thawedAt = -Infinity;
  killedAt: number | null = null;
  /** Actions that run when the process reaches a step. */
  private readonly traps = new Map<string, () => void>();
  private held: (() => void)[] = [];

  constructor(
    readonly name: string,
    readonly scheduler: Timeline,
    private readonly dice: Dice,
  ) {}

  /** Runs the action now, once the process is thawed, or never, depending on the state of the process. */
  act(action: () => void): void {
    if (!this.alive) return;
    if (this.frozen) this.held.push(action);
    else action();
  }

  /** Runs `spring` when the process next reaches a step. */
  trapAt(step: string, action: () => void): void {
    this.traps.set(step, action);
  }

  /** The process reaches a step. */
  reach(step: string): void {
    const action = this.traps.get(step);
    if (!action || !this.alive || this.frozen) return;
    this.traps.delete(step);
    action();
  }

  freeze(): void {
    this.frozen = true;
    this.frozenAt = this.scheduler.now;
  }

  /** Thaws the process: everything that became due meanwhile runs now, in any order. */
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

  /** Whether it was frozen at some moment after `since`. */
  wasFrozenSince(since: number): boolean {
    return this.frozen || this.thawedAt > since;
  }
}

/** The clock of one process; like that of a machine, it continues while the process is frozen. */
export class ProcessClock extends Clock {
  constructor(
    private readonly life: Life,
    private readonly dice: Dice,
    /** Error of its wall clock in milliseconds. */
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
