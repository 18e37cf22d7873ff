import { chainOf } from '../../src/infra/error-chain';
import { DomainError } from '../../src/kernel/domain-error';
import { IntakeLostError } from '../../src/modules/bulk-jobs/domain/bulk-jobs.errors';
import { DatabaseError } from './history-database';
import { ClaimLostError } from './simulated-claims';
import type { SimulatedProcess } from './simulated-process';
import type { World } from './world';

const UNANSWERED_MS = 15_000;
const RETRY_MS = 1000;
/** A request that was taken over or timed out; it is repeated. */
const LOST = [ClaimLostError, IntakeLostError];

/** Sends each request to some process, and repeats it until it is answered. */
export class Requests {
  /** Unanswered requests, and sequences that will send some. */
  pending = 0;

  constructor(private readonly world: World) {}

  /** Resolves once `work` was answered, including by an error. */
  async perform(what: string, work: (process: SimulatedProcess) => Promise<unknown>): Promise<void> {
    const { dice } = this.world;
    this.pending++;
    while (!(await this.request(what, work))) await this.pause(dice.between(100, RETRY_MS));
    this.pending--;
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.world.scheduler.after(ms, resolve));
  }

  /** Sends one request to some process; returns whether it was answered. */
  private request(what: string, work: (process: SimulatedProcess) => Promise<unknown>): Promise<boolean> {
    const { dice, scheduler, trace } = this.world;
    const living = this.world.living();
    if (living.length === 0) return Promise.resolve(false);
    const process = dice.pick(living);
    const { life } = process;
    return new Promise((resolve) => {
      const answer = (isAnswered: boolean, how: string): void => {
        if (timeout.action === null) return;
        timeout.action = null;
        trace(() => `person: ${what} by ${life.name}: ${how}`);
        resolve(isAnswered);
      };
      const timeout = scheduler.after(UNANSWERED_MS, () => answer(false, 'no answer'));
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
