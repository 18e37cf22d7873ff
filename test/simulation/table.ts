import type { Life } from './life';

/** A transaction with its writes and locks. */
export class Transaction {
  readonly writes = new Map<Row<object>, object>();
  readonly locks = new Set<Row<object>>();
  /** Effects of the commit besides its writes. */
  readonly effects: (() => void)[] = [];
  isOpen = true;
  inStatement = false;
  activeAt = 0;

  constructor(readonly owner: Life | null) {}
}

/** A transaction that waits for the lock on a row. */
export interface Waiter {
  transaction: Transaction;
  shared: boolean;
  grant: () => void;
  refuse: (error: Error) => void;
}

/** One row: its committed version and its lock holders. Versions are immutable and replaced as a whole. */
export class Row<T extends object> {
  committed: T | null = null;
  holder: Transaction | null = null;
  readonly sharers = new Set<Transaction>();
  readonly waiters: Waiter[] = [];

  constructor(
    readonly table: string,
    readonly key: string,
  ) {}

  /** The version that a transaction sees: its own write, otherwise the committed one. */
  seenBy(transaction: Transaction): T | null {
    const written = transaction.writes.get(this);
    return written === undefined ? this.committed : (written as T);
  }

  /** Whether a transaction sees a matching value. */
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

/** Rows by key, in the order of creation. */
export class Table<T extends object> {
  readonly rows = new Map<string, Row<T>>();

  constructor(readonly name: string) {}

  /** The row of a key; empty if it was never written. */
  row(key: string): Row<T> {
    let row = this.rows.get(key);
    if (!row) {
      row = new Row<T>(this.name, key);
      this.rows.set(key, row);
    }
    return row;
  }

  /** Adds a row as if it had been committed long ago. */
  put(key: string, value: T): void {
    this.row(key).committed = value;
  }

  /** Saves the committed rows; the returned function restores exactly those. */
  copy(): () => void {
    const kept = new Map([...this.rows].map(([key, { committed }]) => [key, committed]));
    return () => {
      for (const [key, row] of this.rows) {
        if (kept.has(key)) row.committed = kept.get(key)!;
        else this.rows.delete(key);
      }
    };
  }

  /** The rows that a transaction sees. */
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
