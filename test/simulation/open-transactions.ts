import { HistoryDatabase } from './history-database';
import type { Life } from './life';

const IDLE_IN_TRANSACTION_MS = 3000;
/** Tolerance for the rounding of virtual times. */
const ROUNDING_MS = 0.001;

/** A transaction as the server sees it. */
export interface OpenTransaction {
  readonly owner: Life | null;
  isOpen: boolean;
  /** One of its statements is in transit, running or waiting for a lock. */
  inStatement: boolean;
  activeAt: number;
}

/** A database that ends transactions when their owner is gone or silent, or when the server stops. */
export abstract class TransactionDatabase<T extends OpenTransaction> extends HistoryDatabase {
  protected readonly open = new Set<T>();

  /** Rolls back an open transaction. */
  abstract abort(transaction: T): void;

  crash(): void {
    this.away = true;
    for (const transaction of [...this.open]) this.abort(transaction);
  }

  disconnect(owner: Life): void {
    for (const transaction of this.idleOf(owner)) this.abort(transaction);
  }

  watchIdle(owner: Life): void {
    for (const transaction of this.idleOf(owner)) this.watch(transaction);
  }

  /** Rolls back a transaction whose owner is silent for too long. */
  watch(transaction: T): void {
    this.scheduler.after(IDLE_IN_TRANSACTION_MS, () => {
      const isIdle = this.scheduler.now - transaction.activeAt >= IDLE_IN_TRANSACTION_MS - ROUNDING_MS;
      if (isIdle && !transaction.inStatement) this.abort(transaction);
    });
  }

  private idleOf(owner: Life): T[] {
    return [...this.open].filter((transaction) => transaction.owner === owner && !transaction.inStatement);
  }
}
