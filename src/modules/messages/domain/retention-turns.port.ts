/** A lease that lets one process at a time delete expired data, once per round; by the clock of the database. */
export abstract class RetentionTurns {
  /** Whether the round is due and free; then `owner` has it for so many seconds. */
  abstract take(owner: string, seconds: number): Promise<boolean>;
  /** Extends the lease by so many seconds; false when another process has taken it. */
  abstract renew(owner: string, seconds: number): Promise<boolean>;
  /** Ends the lease; the next round is due in `dueInSeconds`. */
  abstract end(owner: string, dueInSeconds: number): Promise<void>;
}
