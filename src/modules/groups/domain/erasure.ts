/** Whose traces are to go. */
export interface ErasedPerson {
  accountId: string;
  phone: string | null;
  userId: string | null;
  /** What came to be after this moment is not meant. */
  requestedAt: Date;
}

/** What one step of erasing did. */
export interface ErasureStep {
  /** Nothing of the person is left in this part. */
  done: boolean;
  /** Comes back with the next step, so that it need not start over. */
  position?: string;
  /** What is left cannot be erased at the moment: ask again in a while. */
  waiting?: boolean;
}

/**
 * Erases what one part of the service keeps of a person: a bounded amount of work a call, in transactions of its own,
 * called again until it is done, from the beginning after a crash. `position` is that of the step before, null at first.
 */
export type ErasureHandler = (person: ErasedPerson, position: string | null) => Promise<ErasureStep>;

/** A person who is being erased, and how far that is. */
export interface Erasure {
  id: string;
  person: ErasedPerson;
  /** From 1. */
  round: number;
  /** By part of the service: where it is, or true where it is done in this round. */
  positions: Record<string, string | true>;
}
