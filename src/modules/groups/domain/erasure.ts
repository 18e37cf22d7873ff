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
  /** No data of the person remains in this part. */
  done: boolean;
  /** Where the next step continues. */
  position?: string;
  /** The remaining data cannot be erased at the moment; call again later. */
  waiting?: boolean;
}

/** A part of the service that stores personal data. */
export interface ErasurePart {
  /** Stored with unfinished erasures, so it must never change. */
  readonly name: string;
  /**
   * Erases a limited amount of the person's data in its own transactions; called until it is done, and from the last stored position
   * after a crash. `position`: that of the previous step; null: the first step.
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
