import type { StatusNotice } from './simulated-platform';
import type { World } from './world';

const RETRY_MS = 3000;
const UNANSWERED_MS = 15_000;

/** Delivers the platform's statuses to some process, and repeats each until one acknowledges it. */
export class Notices {
  private pending = 0;
  private isEnded = false;

  constructor(private readonly world: World) {}

  begin(): void {
    this.world.platform.notify = (notice) => this.deliver(notice);
  }

  /** Whether every notice is acknowledged. */
  isOver(): boolean {
    return this.pending === 0;
  }

  /** Stops reporting at the end of the history. */
  end(): void {
    this.isEnded = true;
  }

  private deliver(notice: StatusNotice): void {
    const { dice, scheduler } = this.world;
    if (this.isEnded) return;
    this.pending++;
    let isAnswered = false;
    const begun = scheduler.now;
    const answer = (kept: boolean): void => {
      if (isAnswered) return;
      isAnswered = true;
      this.pending--;
      if (kept) this.world.acknowledged(notice, begun);
      else this.retry(notice, dice.between(100, RETRY_MS));
    };
    const living = this.world.living();
    if (living.length === 0) return answer(false);
    const process = dice.pick(living);
    scheduler.after(UNANSWERED_MS, () => answer(false));
    const [kept, lost] = [true, false].map((isKept) => () => answer(isKept));
    process.life.act(() => void process.receiveStatus(notice).then(kept, lost));
  }

  private retry(notice: StatusNotice, delay: number): void {
    this.pending++;
    this.world.scheduler.after(delay, () => {
      this.pending--;
      this.deliver(notice);
    });
  }
}
