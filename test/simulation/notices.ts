import type { StatusNotice } from './simulated-platform';
import type { World } from './world';

const AGAIN_MS = 3000;
const UNANSWERED_MS = 15_000;

/** The platform reports statuses to some process, again and again until one acknowledges them. */
export class Notices {
  private underWay = 0;
  private isEnded = false;

  constructor(private readonly world: World) {}

  begin(): void {
    this.world.platform.notify = (notice) => this.deliver(notice);
  }

  /** Whether every notice is acknowledged. */
  isOver(): boolean {
    return this.underWay === 0;
  }

  /** Reports no more: the history is over. */
  end(): void {
    this.isEnded = true;
  }

  private deliver(notice: StatusNotice): void {
    const { dice, scheduler } = this.world;
    if (this.isEnded) return;
    this.underWay++;
    let isAnswered = false;
    const begun = scheduler.now;
    const answer = (kept: boolean): void => {
      if (isAnswered) return;
      isAnswered = true;
      this.underWay--;
      if (kept) this.world.kept(notice, begun);
      else this.again(notice, dice.between(100, AGAIN_MS));
    };
    const living = this.world.living();
    if (living.length === 0) return answer(false);
    const process = dice.pick(living);
    scheduler.after(UNANSWERED_MS, () => answer(false));
    const [kept, lost] = [true, false].map((isKept) => () => answer(isKept));
    process.life.act(() => void process.take(notice).then(kept, lost));
  }

  private again(notice: StatusNotice, delay: number): void {
    this.underWay++;
    this.world.scheduler.after(delay, () => {
      this.underWay--;
      this.deliver(notice);
    });
  }
}
