import type { Life } from './life';

/** A transaction with what it has written and locked. */
export class Transaction {
  readonly writes = new Map<Row<object>, object>();
  readonly locks = new Set<Row<object>>();
  /** What the commit does beside its writes. */
  readonly effects: (() => void)[] = [];
  isOpen = true;
  inStatement = false;
  activeAt = 0;

  constructor(readonly owner: Life | null) {}
}

/** Somebody who waits for the lock on a row. */
export interface Waiter {
  transaction: Transaction;
  shared: boolean;
  grant: () => void;
  refuse: (error: Error) => void;
}

/** One row: its committed version, and who holds its lock. Versions are never changed, only replaced. */
export class Row<T extends object> {
  committed: T | null = null;
  holder: Transaction | null = null;
  readonly sharers = new Set<Transaction>();
  readonly waiters: Waiter[] = [];

  constructor(
    readonly table: string,
    readonly key: string,
  ) {}

  /** What a transaction sees: its own writing, else what is committed. */
  seenBy(transaction: Transaction): T | null {
    const written = transaction.writes.get(this);
    return written === undefined ? this.committed : (written as T);
  }

  /** Whether a transaction sees a value that matches. */
  matches(transaction: Transaction, where: (value: T) => boolean): boolean {
    const value = this.seenBy(transaction);
    return value !== null && where(value);
  }

  isFreeFor(transaction: Transaction, shared: boolean): boolean {
    if (this.holder !== null) return this.holder === transaction;
    if (shared) return this.waiters.length === 0 || this.sharers.has(transaction);
    return this.sharers.size === 0 || (this.sharers.size === 1 && this.sharers.has(transaction));
  }
}

/** Rows by their key, in the order in which they were made. */
export class Table<T extends object> {
  readonly rows = new Map<string, Row<T>>();

  constructor(readonly name: string) {}

  /** The row of a key; one that nobody has written yet is empty. */
  row(key: string): Row<T> {
    let row = this.rows.get(key);
    if (!row) {
      row = new Row<T>(this.name, key);
      this.rows.set(key, row);
    }
    return row;
  }

  /** Puts a row there as if it had been committed long ago. */
  put(key: string, value: T): void {
    this.row(key).committed = value;
  }

  /** Keeps what is committed now; the answer puts exactly that back. */
  copy(): () => void {
    const kept = new Map([...this.rows].map(([key, { committed }]) => [key, committed]));
    return () => {
      for (const [key, row] of this.rows) {
        if (kept.has(key)) row.committed = kept.get(key)!;
        else this.rows.delete(key);
      }
    };
  }

  /** What a transaction sees. */
  *seenBy(transaction: Transaction): Iterable<T> {
    for (const row of this.rows.values()) {
      const value = row.seenBy(transaction);
      if (value) yield value;
    }
  }

  *committed(): Iterable<T> {
    for (const row of this.rows.values()) if (row.committed) yield row.committed;
  }
}
