/** Another transaction holds a row for longer than `lockWaitMs`; `cause` is the database's error. */
export class RowsLockedError extends Error {
  constructor(cause?: unknown) {
    super('Another transaction holds a row that this one needs.', { cause });
    this.name = new.target.name;
  }
}

/** One transaction over the stores of several modules. Inside `run` only the database is awaited. */
export abstract class UnitOfWork {
  /**
   * Commits when `work` resolves, rolls back when it rejects. Inside another `run` it joins that transaction. With `lockWaitMs` it
   * waits at most that long for a locked row, then rejects with RowsLockedError.
   */
  abstract run<T>(work: () => Promise<T>, lockWaitMs?: number): Promise<T>;
  /** Calls `action` after the surrounding `run` has committed, outside its transaction; immediately if there is none. */
  abstract afterCommit(action: () => void): void;
}
