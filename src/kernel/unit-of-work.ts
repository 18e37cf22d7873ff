/** One transaction over the stores of several modules. Inside `run` only the database is awaited. */
export abstract class UnitOfWork {
  /** Commits when `work` resolves, rolls back when it rejects. Inside another `run` it joins that transaction. */
  abstract run<T>(work: () => Promise<T>): Promise<T>;
  /** Calls `action` after the surrounding `run` has committed, outside its transaction; at once if there is none. */
  abstract afterCommit(action: () => void): void;
}
