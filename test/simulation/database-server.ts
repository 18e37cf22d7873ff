import { changedJob } from '../fakes/lane-rows';
import type { JobRow, RecipientRow } from '../fakes/engine-rows';
import { Backup } from './backup';
import { type Change, DatabaseError, type StatusDeltaRow } from './history-database';
import type { Life } from './life';
import { TransactionDatabase } from './open-transactions';
import { ObservedWebhooks } from './observed-webhooks';
import { writeEvents } from './written-events';
import { Row, Table, Transaction, type Waiter } from './table';

const LOCK_TIMEOUT_MS = 4000;

/** A recipient row that counts as committed long ago. */
export function newRecipient(recipient: RecipientRow): Row<RecipientRow> {
  const row = new Row<RecipientRow>('job_recipients', `${recipient.jobId.slice(9, 13)}/${recipient.position}`);
  row.committed = recipient;
  return row;
}

/**
 * A database server at READ COMMITTED: a statement sees what was committed when it began, waits for the locks of the
 * rows it writes, and evaluates each row again once it has the lock.
 */
export abstract class DatabaseServer extends TransactionDatabase<Transaction> {
  override readonly statusDeltas = new Table<StatusDeltaRow>('job_status_deltas');
  /** `<account id> <phone>` */
  readonly optOuts = new Set<string>();
  override readonly backup: Backup = new Backup(this);
  override readonly webhooks = new ObservedWebhooks(this.scheduler);

  addJob(job: JobRow, recipients: readonly RecipientRow[], optedOut: readonly string[]): Promise<void> {
    this.jobs.put(job.id, job);
    this.recipients.set(
      job.id,
      recipients.map((recipient) => newRecipient(recipient)),
    );
    for (const phone of optedOut) this.optOuts.add(`${job.accountId} ${phone}`);
    return Promise.resolve();
  }

  optOut(accountId: string, phone: string): Promise<void> {
    this.optOuts.add(`${accountId} ${phone}`);
    return Promise.resolve();
  }

  async setStatus(jobId: string, from: readonly string[], to: string): Promise<boolean> {
    const transaction = this.begin(null);
    try {
      const changed = await this.update(
        transaction,
        [this.jobs.row(jobId)],
        (job) => job.completedAt === null && from.includes(job.status),
        () => ({ status: to, atRest: false }),
      );
      this.commit(transaction);
      return changed.length > 0;
    } catch {
      this.abort(transaction);
      return false;
    }
  }

  begin(owner: Life | null): Transaction {
    const transaction = new Transaction(owner);
    transaction.activeAt = this.scheduler.now;
    this.open.add(transaction);
    return transaction;
  }

  commit(transaction: Transaction): void {
    if (!transaction.isOpen) throw new DatabaseError('the transaction is gone');
    const changes: Change[] = [];
    for (const [row, after] of transaction.writes) {
      changes.push({ row, before: row.committed, after });
      row.committed = after;
    }
    for (const effect of transaction.effects) effect();
    writeEvents(this.webhooks, changes, this.now());
    this.leave(transaction);
    if (changes.length > 0) this.onCommit(transaction.owner, changes);
  }

  abort(transaction: Transaction): void {
    if (!transaction.isOpen) return;
    this.leave(transaction);
  }

  /** Resolves once the lock is held; rejects on a timeout or when the transaction ends. */
  lock(transaction: Transaction, row: Row<object>, shared = false): Promise<void> | undefined {
    if (row.isFreeFor(transaction, shared)) {
      this.grant(transaction, row, shared);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const timeout = this.scheduler.after(LOCK_TIMEOUT_MS, () => waiter.refuse(new DatabaseError('lock timeout')));
      const leave = (): void => {
        timeout.action = null;
        const index = row.waiters.indexOf(waiter);
        if (index >= 0) row.waiters.splice(index, 1);
      };
      const waiter: Waiter = {
        transaction,
        shared,
        grant: () => {
          leave();
          this.grant(transaction, row, shared);
          resolve();
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      row.waiters.push(waiter);
    });
  }

  /** UPDATE: locks the rows that match when the statement begins, one by one, and changes those that still match. */
  async update<T extends object>(
    transaction: Transaction,
    rows: Iterable<Row<T>>,
    where: (value: T) => boolean,
    change: (value: T) => Partial<T>,
  ): Promise<T[]> {
    const changed: T[] = [];
    await this.lockMatching(transaction, rows, where, false, (row, value) => {
      const after = this.triggered(row, value, { ...value, ...change(value) });
      transaction.writes.set(row, after);
      changed.push(after);
    });
    return changed;
  }

  /** SELECT … FOR UPDATE or FOR SHARE. */
  async select<T extends object>(
    transaction: Transaction,
    rows: Iterable<Row<T>>,
    where: (value: T) => boolean,
    shared = false,
  ): Promise<T[]> {
    const found: T[] = [];
    await this.lockMatching(transaction, rows, where, shared, (_row, value) => found.push(value));
    return found;
  }

  /** The rows that SELECT … FOR UPDATE SKIP LOCKED returns. */
  unlocked<T extends object>(
    transaction: Transaction,
    { rows }: Table<T>,
    where: (value: T) => boolean,
    order: (value: T) => number | string = () => 0,
    limit = Infinity,
  ): Row<T>[] {
    const free = [...rows.values()].filter(
      (row) => row.isFreeFor(transaction, false) && row.matches(transaction, where),
    );
    const key = (row: Row<T>): number | string => order(row.seenBy(transaction)!);
    return free.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)).slice(0, limit);
  }

  private async lockMatching<T extends object>(
    transaction: Transaction,
    rows: Iterable<Row<T>>,
    where: (value: T) => boolean,
    shared: boolean,
    take: (row: Row<T>, value: T) => void,
  ): Promise<void> {
    const matches = (row: Row<T>): T | null => {
      const value = row.seenBy(transaction);
      return value && where(value) ? value : null;
    };
    for (const row of [...rows].filter(matches)) {
      const wait = this.lock(transaction, row, shared);
      if (wait) await wait;
      const value = matches(row);
      if (value) take(row, value);
    }
  }

  /** Applies the triggers of a table to a change. */
  private triggered<T extends object>({ table }: Row<T>, before: T, after: T): T {
    if (table !== 'bulk_jobs') return after;
    return changedJob(before as T & JobRow, after as T & JobRow, this.now()) as T & JobRow;
  }

  private grant(transaction: Transaction, row: Row<object>, shared: boolean): void {
    if (!transaction.isOpen) throw new DatabaseError('the transaction is gone');
    if (!shared) row.holder = transaction;
    else if (row.holder === null) row.sharers.add(transaction);
    transaction.locks.add(row);
  }

  private leave(transaction: Transaction): void {
    transaction.isOpen = false;
    this.open.delete(transaction);
    for (const row of transaction.locks) {
      if (row.holder === transaction) row.holder = null;
      row.sharers.delete(transaction);
    }
    for (const row of transaction.locks) this.serve(row);
  }

  private serve(row: Row<object>): void {
    for (;;) {
      const [first] = row.waiters;
      if (!first) return;
      if (!first.transaction.isOpen) first.refuse(new DatabaseError('the transaction is gone'));
      else {
        const isFree = row.holder === null && (first.shared || [...row.sharers].every((t) => t === first.transaction));
        if (!isFree) return;
        first.grant();
      }
    }
  }
}
