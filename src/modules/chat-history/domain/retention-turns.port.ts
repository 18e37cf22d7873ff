/** Lets one process at a time clear away, and no more often than each round is due; by the clock of the database. */
export abstract class RetentionTurns {
  /** Whether the round is due and nobody is at it; then it is `owner`'s for so many seconds. */
  abstract take(owner: string, seconds: number): Promise<boolean>;
  /** Holds it for so many seconds more; false where it has gone to another process meanwhile. */
  abstract renew(owner: string, seconds: number): Promise<boolean>;
  /** Gives it back; the next round is due in `dueInSeconds`. */
  abstract end(owner: string, dueInSeconds: number): Promise<void>;
}
