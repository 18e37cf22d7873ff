import { uuidV7 } from './uuid';

/** The right of one request to create one resource. */
export interface CreationClaim {
  /** The id to give the resource, so that a repeated request finds it. */
  readonly resourceId: string;
  /** Whether the request has an Idempotency-Key, so that a repetition does not count as a new request. */
  readonly isKeyed?: boolean;
  /**
   * Called in the unit of work that creates the resource. Rejects if another request has taken over the claim: then nothing may be
   * created.
   */
  seal(): Promise<void>;
}

/** The claim of a request without an Idempotency-Key, received at `time`: no other request can take it over. */
export function unkeyedClaim(time?: Date): CreationClaim {
  return { resourceId: uuidV7(time?.getTime()), seal: () => Promise.resolve() };
}
