/** A report that could not be applied. */
export interface ParkedUpdate {
  /** Why, for the operator. */
  reason: string;
  /** The body as it arrived, or the update that was read from it. */
  body: string;
}

/** Stores reports that could not be applied. */
export abstract class ParkedUpdates {
  /** Stores a report for the operator. */
  abstract park(update: ParkedUpdate): Promise<void>;
  /** Whether an error only means that the database is unavailable or busy: then nothing is parked, and the platform repeats. */
  abstract isPassing(error: unknown): boolean;
}
