import { chainOf } from '../../src/infra/error-chain';
import { DomainError } from '../../src/kernel/domain-error';
import { IntakeLostError } from '../../src/modules/bulk-jobs/domain/bulk-jobs.errors';
import { DatabaseError } from './history-database';
import { ClaimLostError } from './simulated-claims';
import type { SimulatedProcess } from './simulated-process';
import type { World } from './world';

const UNANSWERED_MS = 15_000;
const AGAIN_MS = 1000;
/** A request of which another one took the place, or which took too long: it is made again. */
const LOST = [ClaimLostError, IntakeLostError];

/** Requests that go to some process, again and again until one answers them. */
export class Requests {
  /** Requests that are not answered yet, and what leads to some. */
  underWay = 0;

  constructor(
    private readonly world: World,
    private readonly canServe: (process: SimulatedProcess) => boolean = () => true,
  ) {}

  /** Processes that serve such requests. */
  living(): SimulatedProcess[] {
    return this.world.living().filter(this.canServe);
  }

  /** Resolves once `work` was answered, also by a refusal. */
  async ask(what: string, work: (process: SimulatedProcess) => Promise<unknown>): Promise<void> {
    const { dice } = this.world;
    this.underWay++;
    while (!(await this.request(what, work))) await this.pause(dice.between(100, AGAIN_MS));
    this.underWay--;
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.world.scheduler.after(ms, resolve));
  }

  /** One request to some process; whether it was answered. */
  private request(what: string, work: (process: SimulatedProcess) => Promise<unknown>): Promise<boolean> {
    const { dice, scheduler, trace } = this.world;
    const living = this.living();
    if (living.length === 0) return Promise.resolve(false);
    const process = dice.pick(living);
    const { life } = process;
    return new Promise((resolve) => {
      const answer = (isAnswered: boolean, how: string): void => {
        if (gone.action === null) return;
        gone.action = null;
        trace(() => `person: ${what} by ${life.name}: ${how}`);
        resolve(isAnswered);
      };
      const gone = scheduler.after(UNANSWERED_MS, () => answer(false, 'no answer'));
      life.act(() => {
        void work(process).then(
          () => answer(true, 'done'),
          (error: unknown) => {
            if (LOST.some((Lost) => error instanceof Lost)) return answer(false, 'lost');
            if (error instanceof DomainError) return answer(true, error.code);
            if (![...chainOf(error)].some((one) => one instanceof DatabaseError)) this.world.break(error);
            answer(false, 'failed');
          },
        );
      });
    });
  }
}
