/** The person to erase. */
export interface ErasedPerson {
  accountId: string;
  phone: string | null;
  userId: string | null;
  /** By the database's clock, after the commit of the request: data created later is not erased. */
  requestedAt: Date;
}

/** The result of one erasure step. */
export interface ErasureStep {
  /** This part holds no more data of the person. */
  done: boolean;
  /** Passed to the next step, so that it continues there. */
  position?: string;
  /** The remaining data cannot be erased at the moment; call again later. */
  waiting?: boolean;
}

/** One part of the service that stores something about people. */
export interface ErasurePart {
  /** Stored with every erasure under way: it never changes. */
  readonly name: string;
  /**
   * Erases a bounded amount of what this part stores about the person, in transactions of its own; called until it is done,
   * and from the beginning after a crash. `position` is that of the step before, null at first.
   */
  erase(person: ErasedPerson, position: string | null): Promise<ErasureStep>;
}

/** An erasure and its progress. */
export interface Erasure {
  id: string;
  person: ErasedPerson;
  /** From 1. */
  round: number;
  /** By part of the service: its position, or true if it is done in this round. */
  positions: Record<string, string | true>;
}
