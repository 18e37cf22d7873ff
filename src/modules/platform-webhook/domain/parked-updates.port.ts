/** A report that could not be applied. */
export interface ParkedUpdate {
  /** Why, for the operator. */
  reason: string;
  /** The body as received, or the update read from it. */
  body: string;
}

/** Stores reports that could not be applied. */
export abstract class ParkedUpdates {
  /** Stores a report for the operator. */
  abstract park(update: ParkedUpdate): Promise<void>;
  /** Whether the database is only unavailable or busy: then nothing is parked, and the platform retries. */
  abstract isTransient(error: unknown): boolean;
}
