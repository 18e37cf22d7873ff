/** A report that could not be applied. */
export interface ParkedUpdate {
  /** Why, for a person who looks after the service. */
  reason: string;
  /** The report: the body as it came, or the update that was read from it. */
  body: string;
}

/** Where reports are put aside that nothing can be done with. */
export abstract class ParkedUpdates {
  /** Keeps a report for a person to look at. */
  abstract park(update: ParkedUpdate): Promise<void>;
  /** Whether an error only says that the database is away or busy: then nothing is parked, the platform repeats it. */
  abstract isPassing(error: unknown): boolean;
}
