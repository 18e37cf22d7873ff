/** One transaction over the stores of several modules. Inside `run` only the database is awaited. */
export abstract class UnitOfWork {
  /** Commits what `work` did when it resolves, undoes it when it rejects. Inside another `run` it joins that one. */
  abstract run<T>(work: () => Promise<T>): Promise<T>;
  /** Calls `action` once the surrounding `run` has committed, outside its transaction; at once where there is none. */
  abstract afterCommit(action: () => void): void;
}
