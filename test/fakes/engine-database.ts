import type { Clock } from '../../src/kernel/clock';
import { DatabaseError, type StoreTerms } from '../simulation/history-database';
import { Dice } from '../simulation/dice';
import type { Transaction } from '../simulation/table';
import { Life } from '../simulation/life';
import { ProcessDatabase } from '../simulation/process-database';
import type { Timeline } from '../simulation/scheduler';
import { SimulatedDatabase } from '../simulation/simulated-database';

const DAY_MS = 86_400_000;

/** How a statement or transaction fails: before it starts, or by losing the response to its commit. */
export type Fault = 'refused' | 'answer lost';

/** The database of the simulation for tests of one class: statements arrive at once and fail only on demand. */
export class EngineDatabase extends ProcessDatabase {
  /** The database cannot be reached. */
  isUnavailable = false;
  /** Added latency of each statement; null: none. */
  delay: (() => Promise<void>) | null = null;
  /** Transactions that changed something. */
  commits = 0;
  private readonly failures = new Map<string, Fault[]>();
  private readonly losesAnswer = new WeakSet<Transaction>();

  constructor(clock: Pick<Clock, 'now'>) {
    const timeline = timelineOf(clock);
    const dice = new Dice(0);
    super(new SimulatedDatabase(timeline), { life: new Life('test', timeline, dice), dice, trace: () => undefined });
    this.server.onCommit = () => this.commits++;
  }

  /** The rows as they were last committed. */
  get tables() {
    const { conversations, jobs, lanes, messages, recipients, singles } = this.server;
    return {
      jobs: [...jobs.committed()],
      recipients: [...recipients.values()].flat().map(({ committed }) => committed!),
      lanes: [...lanes.committed()],
      singleSends: [...singles.committed()],
      messages: [...messages.committed()],
      conversations: [...conversations.committed()],
    };
  }

  /** The next statement `name` fails in this way. */
  fail(name: string, fault: Fault): void {
    this.failures.set(name, [...(this.failures.get(name) ?? []), fault]);
  }

  protected override async journey<R>(name: string, transaction: Transaction, work: () => R | Promise<R>): Promise<R> {
    try {
      if (this.delay) await this.delay();
      const fault = this.failures.get(name)?.shift();
      if (this.isUnavailable || fault === 'refused') throw new DatabaseError(`${name}: the database is unavailable`);
      if (!transaction.isOpen) throw new DatabaseError(`${name}: the transaction is gone`);
      if (fault) this.losesAnswer.add(transaction);
      const result = await work();
      if (!transaction.isOpen && this.losesAnswer.has(transaction)) {
        throw new DatabaseError('The connection was lost at the commit');
      }
      return result;
    } catch (error) {
      this.giveUp(transaction);
      throw error;
    }
  }
}

/** The terms of a process, with a grace time of 15 minutes and the messaging tiers of the platform. */
export function storeTerms(owner: string, exclusive = false): StoreTerms {
  return { owner, exclusive, graceMs: 900_000, tierWindowMs: DAY_MS, dayMs: DAY_MS, proofRange: 1000 };
}

/** The time of a clock. What is due later is so in real time: only a deadlock waits that long. */
function timelineOf(clock: Pick<Clock, 'now'>): Timeline {
  return {
    get now() {
      return clock.now().getTime();
    },
    dateAt: (now) => new Date(now),
    after: (delay, action) => {
      const event: ReturnType<Timeline['after']> = { action };
      setTimeout(() => event.action?.(), delay).unref();
      return event;
    },
  };
}
