/** A lease that lets one process run each retention round, by the database clock. */
export abstract class RetentionTurns {
  /** Takes the lease for `seconds` if a round is due, or `now` is true, and no process has it; null: it did not. */
  abstract take(owner: string, seconds: number, now: boolean): Promise<{ isDue: boolean } | null>;
  /** Extends the lease by `seconds`; returns false if another process has taken it. */
  abstract renew(owner: string, seconds: number): Promise<boolean>;
  /** Ends the lease; the next round is due in `dueInSeconds`, null: when it was due before. */
  abstract end(owner: string, dueInSeconds: number | null): Promise<void>;
}
