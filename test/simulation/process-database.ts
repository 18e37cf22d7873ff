import { AsyncLocalStorage } from 'node:async_hooks';
import type { UnitOfWork } from '../../src/kernel/unit-of-work';
import type { DatabaseServer } from './database-server';
import type { Transaction } from './table';
import type { LinkEnd } from './history-database';
import { ProcessLink } from './process-link';

interface UnitOfWorkContext {
  transaction: Transaction;
  /** The process has neither committed it nor rolled it back. */
  open: boolean;
  after: (() => void)[];
  failure?: unknown;
}

/** Shared by all processes: every further storage would slow down each promise of all histories. */
const surroundings = new AsyncLocalStorage<UnitOfWorkContext>();

/** The connection of one process to an in-memory database. */
export class ProcessDatabase extends ProcessLink<Transaction> implements UnitOfWork {
  constructor(
    override readonly server: DatabaseServer,
    end: LinkEnd,
  ) {
    super(server, end);
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    const surrounding = this.current();
    return surrounding ? this.join(surrounding, work) : this.begin(work);
  }

  afterCommit(action: () => void): void {
    const context = this.current();
    if (context) context.after.push(action);
    else action();
  }

  /** Runs one statement, in the surrounding transaction or in its own. */
  statement<T>(name: string, work: (transaction: Transaction) => T | Promise<T>): Promise<T> {
    const context = this.current();
    if (context) return this.journey(name, context.transaction, () => work(context.transaction));
    const transaction = this.server.begin(this.end.life);
    return this.journey(name, transaction, async () => {
      const result = await work(transaction);
      this.server.commit(transaction);
      return result;
    });
  }

  read<T>(name: string, look: () => T): Promise<T> {
    return this.statement(name, look);
  }

  private current(): UnitOfWorkContext | undefined {
    const context = surroundings.getStore();
    return context?.open ? context : undefined;
  }

  private async join<T>(context: UnitOfWorkContext, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      context.failure ??= error;
      throw error;
    }
  }

  private async begin<T>(work: () => Promise<T>): Promise<T> {
    const transaction = this.server.begin(this.end.life);
    const context: UnitOfWorkContext = { transaction, open: true, after: [] };
    let result: T;
    try {
      result = await surroundings.run(context, work);
      if (context.failure) throw context.failure as Error;
      context.open = false;
      await this.journey('COMMIT', transaction, () => this.server.commit(transaction));
    } catch (error) {
      this.giveUp(transaction);
      context.open = false;
      throw error;
    }
    surroundings.exit(() => context.after.forEach((action) => action()));
    return result;
  }
}
